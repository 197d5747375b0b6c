// Refetches a request when the records that it returns have changed.
import { useEffect, useRef } from "preact/hooks";
import { currentDocument } from "../document.ts";
import type { ApiRequest } from "../request.ts";
import { onChanges } from "./changes.ts";

/** `refetch` is not called while the request is in flight, but once it has finished. */
export function useLive(request: ApiRequest | undefined, isBusy: boolean, refetch: () => void): void {
  const latest = useRef({ refetch, isBusy });
  latest.current = { refetch, isBusy };
  const isStale = useRef(false);
  const refresh = () => {
    if (!isStale.current || latest.current.isBusy) return;
    isStale.current = false;
    latest.current.refetch();
  };
  const path = request?.path;
  useEffect(() => {
    if (path === undefined || (request?.method ?? "GET") !== "GET") return;
    return onChanges((lists) => {
      if (lists !== "all" && !concerns(path, lists)) return;
      isStale.current = true;
      refresh();
    });
  }, [path]);
  useEffect(refresh, [isBusy]);
}

function concerns(path: string, lists: ReadonlySet<string>): boolean {
  const { listings = [], paths = {} } = currentDocument() ?? {};
  if (path === paths.listDays) return true;
  const listing = listings.find((each) => path === each.path || path.startsWith(`${each.path}/`));
  return listing !== undefined && lists.has(listing.name);
}
