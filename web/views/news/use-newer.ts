// Counts items that are newer than the list.
import { useEffect, useState } from "preact/hooks";
import { recordsOf, send } from "../../api/client.ts";
import type { ApiRequest } from "../../api/request.ts";
import type { NewsItem } from "./item.ts";

const intervalMs = 30_000;

/** Polls the first page while the browser tab is visible. */
export function useNewer(request: ApiRequest | undefined, first: NewsItem | undefined): number {
  const [newer, setNewer] = useState(0);
  useEffect(() => {
    setNewer(0);
    if (request === undefined || first === undefined) return;
    const aborter = new AbortController();
    const timer = setInterval(async () => {
      if (document.hidden) return;
      const outcome = await send(request, aborter.signal);
      if (!("response" in outcome)) return;
      const ids = recordsOf<NewsItem>(outcome.response.body).map(({ id }) => id);
      const at = ids.indexOf(first.id);
      // If the first item isn't on the first page, the whole page may be new.
      setNewer(at === -1 ? ids.length : at);
    }, intervalMs);
    return () => {
      clearInterval(timer);
      aborter.abort();
    };
  }, [first?.id, request === undefined ? "" : JSON.stringify(request)]);
  return newer;
}
