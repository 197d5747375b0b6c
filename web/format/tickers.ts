// Lists of tickers: as typed, and in the URL.

/** Tickers in text, separated by anything that isn't part of one. */
export const tickersOf = (text: string): string[] => [
  ...new Set(
    text
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((ticker) => ticker !== ""),
  ),
];

/** The tickers that views are restricted to, which may be those of someone who shared a link; none for all. */
export const restrictedTo = (query: URLSearchParams): readonly string[] => tickersOf(query.get("my") ?? "");
