// My tickers: a watchlist in this browser. While it filters the views, it is in the URL, so that a link shows the same.

import { readStored, writeStored } from "../app/local-storage.ts";
import { changeQuery, useLocation } from "../app/location.ts";
import { type Signal, signal } from "../app/signal.ts";
import { restrictedTo, tickersOf } from "../format/tickers.ts";

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

export const useRestriction = (): readonly string[] => restrictedTo(useLocation().query);

export const restrictTo = (tickers: readonly string[]): void =>
  changeQuery({ my: tickers.join(","), page: undefined, record: undefined }, { replace: true });
