// Normal forms in which names, symbols, and ratings are compared; responses contain the imported form.

/** Most names: normalizing them takes five times as long as lowercasing. */
const normalSpaces = /^[!-~]+(?: [!-~]+)*$/;

/** Authors, channels, categories, regions: `normalizeName("  Central  BANKS ")` is `"central banks"`. */
export function normalizeName(text: string): string {
  if (normalSpaces.test(text)) return text.toLowerCase();
  // NFC comes last: lowercasing can leave a pair that composes (J and a caron), and the function must be idempotent.
  return text.replace(/\s+/g, " ").trim().toLowerCase().normalize("NFC");
}

/** Tickers, ISIN, CUSIP, country codes: `normalizeSymbol(" brk.b ")` is `"BRK.B"`. */
export function normalizeSymbol(text: string): string {
  return text.trim().toUpperCase();
}

/** Rating terms: `Equal-Weight`, `equal weight`, and `EqualWeight` are equal. */
export function normalizeRating(text: string): string {
  return text.replace(/[\p{Pd}\s]+/gu, "").toLowerCase();
}
