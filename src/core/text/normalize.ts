// The forms in which names, symbols and ratings are compared. What is shown stays as it was imported.

/** Authors, channels, categories, regions: `foldName("  Central  BANKS ")` is `"central banks"`. */
export function foldName(text: string): string {
  // NFC comes after the lower case: lowering can leave a pair that composes (J and a caron), and folding twice must change nothing.
  return text.replace(/\s+/g, " ").trim().toLowerCase().normalize("NFC");
}

/** Tickers, ISIN, CUSIP, country codes: `foldSymbol(" brk.b ")` is `"BRK.B"`. */
export function foldSymbol(text: string): string {
  return text.trim().toUpperCase();
}

/** Rating terms: `Equal-Weight`, `equal weight` and `EqualWeight` are one. */
export function foldRating(text: string): string {
  return text.replace(/[\p{Pd}\s]+/gu, "").toLowerCase();
}
