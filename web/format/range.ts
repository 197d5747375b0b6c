// Ranges with two ends, one of which may be unknown.
import { numberOf, type Tone, toneOf } from "./number.ts";

/** `1.00 – 1.20`, or a single value if the ends are equal or only one is known. */
export function rangeText(low: unknown, high: unknown, print: (value: unknown) => string): string {
  const [from, to] = [print(low), print(high)];
  return from === "" || to === "" || from === to ? from || to : `${from} – ${to}`;
}

/** Compares the middle of a range with a value. */
export function rangeTone(low: unknown, high: unknown, against: unknown): Tone {
  const ends = [numberOf(low), numberOf(high)].filter((end) => end !== undefined);
  return ends.length === 0 ? undefined : toneOf(ends.reduce((sum, end) => sum + end, 0) / ends.length, against);
}
