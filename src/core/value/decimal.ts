// Exact decimal numbers as text, never converted to floating point.

/** Including sign and point. */
export const maxDecimalLength = 60;

/** `230`, `-0.50`, `+.5`; not `5.` or `1e3`. */
export function isDecimal(text: string): boolean {
  return text.length <= maxDecimalLength && /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/.test(text);
}

/** A number as a decimal without an exponent. Undefined for integers that may have lost digits. */
export function numberToDecimal(value: number): string | undefined {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e-(\d+))?$/.exec(String(value)) ?? [];
  if (exponent === undefined) return String(value);
  return `${sign}0.${"0".repeat(Number(exponent) - whole.length)}${whole}${fraction}`;
}

type Parts = { readonly negative: boolean; readonly whole: string; readonly fraction: string };

function parts(text: string): Parts {
  if (!isDecimal(text)) throw new RangeError(`not a decimal: ${text}`);
  const [whole = "", fraction = ""] = text.replace(/^[+-]/, "").split(".");
  return { negative: text.startsWith("-"), whole: whole.replace(/^0+/, ""), fraction: fraction.replace(/0+$/, "") };
}

/**
 * Text that sorts like the number; equal numbers have equal texts. `text` must pass `isDecimal`.
 * Positive: `2`, the number of whole digits, the digits. Zero: `1`. Negative: `0`, the same as nines' complement, and `~`,
 * so that of two numbers with the same prefix the longer one, which is smaller, sorts first.
 */
export function sortable(text: string): string {
  const { negative, whole, fraction } = parts(text);
  if (whole === "" && fraction === "") return "1";
  const size = String(whole.length).padStart(2, "0") + whole + fraction;
  return negative ? `0${size.replace(/\d/g, (digit) => String(9 - Number(digit)))}~` : `2${size}`;
}

function scaled(number: Parts, places: number): bigint {
  const magnitude = BigInt(number.whole + number.fraction.padEnd(places, "0"));
  return number.negative ? -magnitude : magnitude;
}

/**
 * The change in percent with two decimal places and a sign: `-13.33` from 300 to 260, `0.00` for none.
 * Rounds half away from zero. Empty if either number is unknown or the prior one is zero.
 */
export function percentChange(prior: string, current: string): string {
  const [shortFrom, shortTo] = [tenThousandths(prior), tenThousandths(current)];
  if (shortFrom !== undefined && shortTo !== undefined) return shortChange(shortFrom, shortTo);
  if (!isDecimal(prior) || !isDecimal(current)) return "";
  const [from, to] = [parts(prior), parts(current)];
  const places = Math.max(from.fraction.length, to.fraction.length);
  const base = scaled(from, places);
  if (base === 0n) return "";
  const change = scaled(to, places) - base;
  const magnitude = base < 0n ? -base : base;
  const hundredths = ((change < 0n ? -change : change) * 20_000n + magnitude) / (2n * magnitude);
  return signed(change < 0n, hundredths / 100n, hundredths % 100n);
}

function signed(isFall: boolean, whole: bigint | number, hundredths: bigint | number): string {
  if (!whole && !hundredths) return "0.00";
  return `${isFall ? "-" : "+"}${whole}.${hundredths < 10 ? "0" : ""}${hundredths}`;
}

/** Same result as with BigInt: every intermediate value is an integer below 2^53. */
function shortChange(from: number, to: number): string {
  if (from === 0) return "";
  const scaledChange = Math.abs(to - from) * 20_000 + from;
  const hundredths = (scaledChange - (scaledChange % (2 * from))) / (2 * from);
  return signed(to < from, Math.floor(hundredths / 100), hundredths % 100);
}

/** Fast path for unsigned decimals of at most seven whole digits and four decimal places; undefined for others. */
function tenThousandths(text: string): number | undefined {
  let digits = 0;
  let point = -1;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit >= 0 && digit <= 9) digits = digits * 10 + digit;
    else if (digit === -2 && point === -1) point = at;
    else return undefined;
  }
  const whole = point === -1 ? text.length : point;
  const places = point === -1 ? 0 : text.length - point - 1;
  if (whole > 7 || places > 4 || whole + places === 0 || (point !== -1 && places === 0)) return undefined;
  return digits * 10 ** (4 - places);
}
