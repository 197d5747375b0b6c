// Number formatting. The API sends decimals as strings, empty if unknown.

/** Undefined if it isn't a number. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

const minus = (text: string): string => text.replace("-", "−");

/** `1.990` as `1.99`: all digits, without trailing zeros beyond the second. */
export function decimal(value: unknown, minDigits = 2): string {
  const number = numberOf(value);
  if (number === undefined) return "";
  const digits = String(value).split(".")[1]?.replace(/0+$/, "").length ?? 0;
  const fractionDigits = Math.min(Math.max(digits, minDigits), 6);
  return minus(formatTo(fractionDigits).format(number));
}

/** Cached, since creating a format is expensive. */
const formats = new Map<number, Intl.NumberFormat>();

function formatTo(fractionDigits: number): Intl.NumberFormat {
  const cached = formats.get(fractionDigits);
  if (cached !== undefined) return cached;
  const created = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  });
  formats.set(fractionDigits, created);
  return created;
}

const magnitudes: readonly (readonly [number, string])[] = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
];

/** `102466000000` as `102.47B`. */
export function compact(value: unknown): string {
  const number = numberOf(value);
  if (number === undefined) return "";
  const [unit, letter] = magnitudes.find(([magnitude]) => Math.abs(number) >= magnitude) ?? [1, ""];
  const short = number / unit;
  const fractionDigits = letter === "" ? 0 : Math.abs(short) >= 100 ? 1 : 2;
  return minus(`${short.toFixed(fractionDigits)}${letter}`);
}

/** A figure with its unit, as abbreviated by the source, or else with all digits. */
export function figure(abbreviated: unknown, value: unknown): string {
  const text = typeof abbreviated === "string" ? abbreviated.trim() : "";
  return text === "" ? decimal(value, fractionOf(value)) : minus(text);
}

/** Digits after the point. */
const fractionOf = (value: unknown): number => String(value).split(".")[1]?.length ?? 0;

/** A fraction as a percentage with a sign: `0.0757` as `+7.57%`. */
export function signedPercent(value: unknown, fractionDigits = 2): string {
  const number = numberOf(value);
  return number === undefined ? "" : signed(number * 100, fractionDigits, "%");
}

/** A fraction as a percentage: `0.0051` as `0.51%`. */
export function percent(value: unknown, fractionDigits = 2): string {
  const number = numberOf(value);
  return number === undefined ? "" : minus(`${formatTo(fractionDigits).format(number * 100)}%`);
}

export function signed(value: unknown, fractionDigits = 2, unit = ""): string {
  const number = numberOf(value);
  if (number === undefined) return "";
  const isZero = Number(number.toFixed(fractionDigits)) === 0;
  return `${isZero ? "" : number > 0 ? "+" : "−"}${formatTo(fractionDigits).format(Math.abs(number))}${unit}`;
}

/** Percent change from one value to another; undefined if either is unknown. */
export function changeOf(value: unknown, before: unknown): number | undefined {
  const [now, then] = [numberOf(value), numberOf(before)];
  return now === undefined || then === undefined || then === 0 ? undefined : (now / then - 1) * 100;
}

/** Up is good news, unless it is neutral, or inverse: then down is. */
export type Tone = "up" | "down" | `${"up" | "down"} ${"neutral" | "inverse"}` | undefined;

/** For coloring; undefined if either is unknown or they are equal. */
export function toneOf(value: unknown, against: unknown): "up" | "down" | undefined {
  const [left, right] = [numberOf(value), numberOf(against)];
  if (left === undefined || right === undefined || left === right) return undefined;
  return left > right ? "up" : "down";
}

/** Values of a scale, all with as many digits: `1.50` and `1.75`, `220K` and `240K`. */
export function evenly(values: readonly number[]): string[] {
  const isLarge = values.some((value) => Math.abs(value) >= 1e5);
  if (isLarge) {
    const texts = values.map(compact);
    return texts.every((text) => text === "0" || /\.0+[A-Z]$/.test(text))
      ? texts.map((text) => text.replace(/\.0+/, ""))
      : texts;
  }
  const digits = Math.max(0, ...values.map((value) => fractionOf(value === Math.round(value) ? "" : value)));
  return values.map((value) => minus(formatTo(Math.min(digits, 6)).format(value)));
}

/** `1,234`. */
export const whole = (value: number): string => formatTo(0).format(value);
