// Infinite lists: the first page by number, the following ones by cursor, so that concurrent changes cause no gaps or
// duplicates.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { currentLocation } from "../app/location.ts";
import { useSignal } from "../app/signal.ts";
import { type ApiResponse, recordsOf, send } from "./client.ts";
import type { Failure } from "./failure.ts";
import { keyState } from "./key.ts";
import { useLive } from "./live/use-live.ts";
import { type ApiRequest, cacheKeyOf, withParams } from "./request.ts";
import { sendWithRetry } from "./use-response.ts";

export type Pages<R> = {
  readonly records: readonly R[];
  /** Response with the first page. */
  readonly first: ApiResponse | undefined;
  readonly pages: number;
  readonly done: boolean;
  readonly loading: boolean;
  readonly failure: Failure | undefined;
  /** Loads the next page, unless one is in flight. */
  readonly more: () => void;
  /** Reloads the list from its first page. */
  readonly refetch: () => void;
};

type LoadedPages = {
  readonly records: readonly unknown[];
  readonly first: ApiResponse | undefined;
  readonly pages: number;
  readonly next: string | undefined;
  readonly done: boolean;
  /** When the first page was loaded, in milliseconds. */
  readonly at: number;
};

const emptyList: LoadedPages = { records: [], first: undefined, pages: 0, next: undefined, done: false, at: 0 };

/** Recently shown lists, restored when the user goes back. */
const listCache = new Map<string, LoadedPages>();
const maxCachedLists = 12;

function cacheList(cacheKey: string, loaded: LoadedPages): void {
  listCache.delete(cacheKey);
  listCache.set(cacheKey, loaded);
  for (const oldest of listCache.keys()) {
    if (listCache.size <= maxCachedLists) break;
    listCache.delete(oldest);
  }
}

/** An older list is reloaded, unless the user goes back to it. */
const freshMs = 30_000;

/** `from` is the number of the first page, as in the URL. */
export function usePages<R>(request: ApiRequest | undefined, from = ""): Pages<R> {
  const { version } = useSignal(keyState);
  const cacheKey = request === undefined ? "" : `${cacheKeyOf(request)} ${version} ${from}`;
  const [, redraw] = useState({});
  const [requested, setRequested] = useState({ cacheKey, pages: 1 });
  const [isRefreshing, setRefreshing] = useState(false);
  const failure = useRef<Failure | undefined>(undefined);
  useMemo(() => {
    const { at = 0 } = listCache.get(cacheKey) ?? {};
    if (!currentLocation().fromHistory && Date.now() - at > freshMs) listCache.delete(cacheKey);
  }, [cacheKey]);
  const loaded = listCache.get(cacheKey) ?? emptyList;
  const pagesRequested = requested.cacheKey === cacheKey ? requested.pages : 1;
  const needsMore = request !== undefined && loaded.pages < pagesRequested && !loaded.done;
  useEffect(() => {
    if (request === undefined || !needsMore || isRefreshing) return;
    const aborter = new AbortController();
    const { next } = loaded;
    void sendWithRetry(pageOf(request, from, next), aborter.signal, (outcome) => {
      failure.current = "failure" in outcome ? outcome.failure : undefined;
      if ("response" in outcome) cacheList(cacheKey, appendPage(loaded, outcome.response));
      redraw({});
    });
    return () => {
      aborter.abort();
      failure.current = undefined;
    };
  }, [cacheKey, needsMore, loaded.pages, isRefreshing]);
  const refreshing = useRef<AbortController>(undefined);
  useEffect(() => () => refreshing.current?.abort(), [cacheKey]);
  useLive(request, needsMore || isRefreshing, () => {
    if (request === undefined || loaded.pages === 0) return;
    const aborter = new AbortController();
    refreshing.current = aborter;
    setRefreshing(true);
    aborter.signal.addEventListener("abort", () => setRefreshing(false));
    void reload(request, from, loaded, aborter.signal).then((reloaded) => {
      if (aborter.signal.aborted) return;
      if (reloaded !== undefined) cacheList(cacheKey, reloaded);
      setRefreshing(false);
    });
  });
  return {
    records: loaded.records as readonly R[],
    first: loaded.first,
    pages: loaded.pages,
    done: loaded.done,
    loading: needsMore && failure.current === undefined,
    failure: failure.current,
    more: () => {
      if (!needsMore && !loaded.done) setRequested({ cacheKey, pages: loaded.pages + 1 });
    },
    refetch: () => {
      listCache.delete(cacheKey);
      failure.current = undefined;
      setRequested({ cacheKey, pages: 1 });
      redraw({});
    },
  };
}

/** The first page by number, the next ones by cursor. */
const pageOf = (request: ApiRequest, from: string, cursor: string | undefined): ApiRequest =>
  withParams(request, cursor === undefined ? { page: from === "" ? undefined : from } : { cursor });

/** Further pages are rarely on the screen, and remain as they are. */
const maxReloaded = 5;

/** The list with its first pages as they are now; undefined if that fails. */
async function reload(
  request: ApiRequest,
  from: string,
  before: LoadedPages,
  signal: AbortSignal,
): Promise<LoadedPages | undefined> {
  let loaded = emptyList;
  while (loaded.pages < Math.min(before.pages, maxReloaded) && !loaded.done) {
    const outcome = await send(pageOf(request, from, loaded.next), signal);
    if ("failure" in outcome) return undefined;
    loaded = appendPage(loaded, outcome.response);
  }
  if (loaded.done || loaded.pages === before.pages) return loaded;
  const idsOf = (records: readonly unknown[]) => records.map((record) => (record as { readonly id?: unknown }).id);
  const reloaded = new Set(idsOf(loaded.records));
  const overlap = idsOf(before.records).findLastIndex((id) => reloaded.has(id));
  return { ...before, records: [...loaded.records, ...before.records.slice(overlap + 1)] };
}

function appendPage(loaded: LoadedPages, response: ApiResponse): LoadedPages {
  return {
    records: [...loaded.records, ...recordsOf(response.body)],
    first: loaded.first ?? response,
    pages: loaded.pages + 1,
    next: response.next,
    done: response.next === undefined,
    at: loaded.pages === 0 ? Date.now() : loaded.at,
  };
}
