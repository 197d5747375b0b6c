// Whether the wire has moved on: how many items have come since the list was begun.
import { useEffect, useState } from "preact/hooks";
import { recordsOf, send } from "../../api/client.ts";
import type { ApiRequest } from "../../api/request.ts";
import type { NewsItem } from "./item.ts";

const everyMs = 30_000;

/** Asks for the first page again and again while the page is looked at; 0 where the list has not begun. */
export function useNewer(request: ApiRequest | undefined, first: NewsItem | undefined): number {
  const [newer, setNewer] = useState(0);
  useEffect(() => {
    setNewer(0);
    if (request === undefined || first === undefined) return;
    const aborter = new AbortController();
    const timer = setInterval(async () => {
      if (document.hidden) return;
      const outcome = await send(request, aborter.signal);
      if (!("answer" in outcome)) return;
      const ids = recordsOf<NewsItem>(outcome.answer.body).map(({ id }) => id);
      const at = ids.indexOf(first.id);
      // Where the first item is gone from the first page, all of that page may be new.
      setNewer(at === -1 ? ids.length : at);
    }, everyMs);
    return () => {
      clearInterval(timer);
      aborter.abort();
    };
  }, [first?.id, request === undefined ? "" : JSON.stringify(request)]);
  return newer;
}
