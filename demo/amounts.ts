// Decimal text from integers. Amounts are integers in cents, thousands of dollars, and so on, so that sums and
// differences in different records agree exactly.

/** `fixed(199, 2, 3)` is `1.990`: 199 hundredths, printed with three places. */
export function fixed(units: number, scale: number, places: number): string {
  const digits = String(Math.abs(Math.round(units))).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).padEnd(places, "0");
  const sign = units < 0 && Number(digits) !== 0 ? "-" : "";
  return places === 0 ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Revenue is in thousands. */
export function revenueText(thousands: number): string {
  return fixed(thousands * 1000, 0, 3);
}

/** part / |whole| as a fraction with four places, halves away from zero. */
export function fractionText(part: number, whole: number): string {
  const size = Math.abs(whole);
  const rounded = Math.floor((Math.abs(part) * 20_000 + size) / (2 * size));
  return fixed(part < 0 ? -rounded : rounded, 4, 4);
}

/** Cents as a headline shows them: `$1.99`, and `$(0.12)` for a loss. */
export function perShare(sign: string, cents: number): string {
  return cents < 0 ? `${sign}(${fixed(-cents, 2, 2)})` : `${sign}${fixed(cents, 2, 2)}`;
}

/** Thousands as a headline shows them, exactly: `$94.036B`, `$812.50M`. */
export function shortRevenue(sign: string, thousands: number): string {
  if (thousands >= 1_000_000) return `${sign}${fixed(Math.round(thousands / 1000), 3, 3)}B`;
  return `${sign}${fixed(Math.round(thousands / 10), 2, 2)}M`;
}

/** Rounds revenue to millions from a billion up and to ten thousands below, so that the short form is exact. */
export function roundRevenue(thousands: number): number {
  const step = thousands >= 1_000_000 ? 1000 : 10;
  return Math.round(thousands / step) * step;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
