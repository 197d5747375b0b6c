// Values as places in a picture: a scale that holds all of them, and round values to mark on it.

export type Domain = readonly [low: number, high: number];

/** A span that holds the values with some air around them. */
export function domainOf(values: readonly number[], air = 0.12): Domain {
  if (values.length === 0) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = high === low ? Math.abs(high) * air || 1 : (high - low) * air;
  return [low - room, high + room];
}

/** Where a value lies between two ends. */
export const placed = (value: number, [low, high]: Domain, from: number, to: number): number =>
  from + ((value - low) / (high - low)) * (to - from);

/** Round values inside of a span, about as many as wanted. */
export function ticksOf([low, high]: Domain, wanted = 4): number[] {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  const ticks = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
  // Of a span that is tiny beside its values, what is round lies outside.
  const reach = (high - low) * 1e-6;
  return ticks.filter((tick) => tick >= low - reach && tick <= high + reach);
}
