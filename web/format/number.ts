// Numbers as people read them. The API sends decimals as texts, and an empty text for what is unknown.

/** The number in a text; undefined when there is none. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

const minus = (text: string): string => text.replace("-", "−");

/** `1.990` as `1.99`: the digits that were sent, but for zeros that say nothing beyond the second. */
export function decimal(value: unknown, least = 2): string {
  const number = numberOf(value);
  if (number === undefined) return "";
  const digits = String(value).split(".")[1]?.replace(/0+$/, "").length ?? 0;
  const places = Math.min(Math.max(digits, least), 6);
  return minus(formatTo(places).format(number));
}

/** To make a format takes far longer than to use it. */
const formats = new Map<number, Intl.NumberFormat>();

function formatTo(places: number): Intl.NumberFormat {
  const known = formats.get(places);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat("en-US", { minimumFractionDigits: places, maximumFractionDigits: places });
  formats.set(places, made);
  return made;
}

const steps: readonly (readonly [number, string])[] = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
];

/** `102466000000` as `102.47B`. */
export function compact(value: unknown): string {
  const number = numberOf(value);
  if (number === undefined) return "";
  const [unit, letter] = steps.find(([step]) => Math.abs(number) >= step) ?? [1, ""];
  const short = number / unit;
  const places = letter === "" ? 0 : Math.abs(short) >= 100 ? 1 : 2;
  return minus(`${short.toFixed(places)}${letter}`);
}

/** A fraction as a percentage with a sign: `0.0757` as `+7.57%`. */
export function signedPercent(value: unknown, places = 2): string {
  const number = numberOf(value);
  return number === undefined ? "" : signed(number * 100, places, "%");
}

/** A fraction as a percentage: `0.0051` as `0.51%`. */
export function percent(value: unknown, places = 2): string {
  const number = numberOf(value);
  return number === undefined ? "" : minus(`${(number * 100).toFixed(places)}%`);
}

export function signed(value: unknown, places = 2, unit = ""): string {
  const number = numberOf(value);
  if (number === undefined) return "";
  const text = number.toFixed(places);
  const isZero = Number(text) === 0;
  return `${isZero ? "" : number > 0 ? "+" : "−"}${text.replace("-", "")}${unit}`;
}

/** Change from one value to another in percent; undefined where there is none to compare with. */
export function changeOf(value: unknown, before: unknown): number | undefined {
  const [now, then] = [numberOf(value), numberOf(before)];
  return now === undefined || then === undefined || then === 0 ? undefined : (now / then - 1) * 100;
}

export type Tone = "up" | "down" | undefined;

/** How one value compares with another, for its colour; undefined when either is unknown or they are equal. */
export function toneOf(value: unknown, against: unknown): Tone {
  const [left, right] = [numberOf(value), numberOf(against)];
  if (left === undefined || right === undefined || left === right) return undefined;
  return left > right ? "up" : "down";
}

/** `1,234`. */
export const whole = (value: number): string => formatTo(0).format(value);
