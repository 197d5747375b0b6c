// My tickers: a watchlist in this browser. While it filters the views, it is in the URL, so that a link shows the same.

import { readStored, writeStored } from "../app/local-storage.ts";
import { changeQuery, useLocation } from "../app/location.ts";
import { type Signal, signal } from "../app/signal.ts";

/** Tickers in text, separated by anything that isn't part of one. */
export const tickersOf = (text: string): string[] => [
  ...new Set(
    text
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((ticker) => ticker !== ""),
  ),
];

export const watchlist: Signal<readonly string[]> = signal<readonly string[]>(tickersOf(readStored("tickers") ?? ""));

/** As many as a filter takes. */
export const maxTickers = 50;

export const watchlistOpen: Signal<boolean> = signal(false);

export function saveWatchlist(tickers: readonly string[]): void {
  writeStored("tickers", tickers.length === 0 ? undefined : tickers.join(","));
  watchlist.set(tickers);
}

export function toggleTicker(ticker: string): void {
  const before = watchlist.get();
  saveWatchlist(before.includes(ticker) ? before.filter((each) => each !== ticker) : [...before, ticker].sort());
}

/** The tickers that views are restricted to, which may be those of someone who shared a link; none for all. */
export const restrictedTo = (query: URLSearchParams): readonly string[] => tickersOf(query.get("my") ?? "");

export const useRestriction = (): readonly string[] => restrictedTo(useLocation().query);

export const restrictTo = (tickers: readonly string[]): void =>
  changeQuery({ my: tickers.join(","), page: undefined, record: undefined }, { replace: true });
