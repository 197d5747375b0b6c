// Chart scales: domains, positions, and tick marks.

export type Domain = readonly [low: number, high: number];

/** A range that contains all values, with some padding. */
export function domainOf(values: readonly number[], padding = 0.12): Domain {
  if (values.length === 0) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = high === low ? Math.abs(high) * padding || 1 : (high - low) * padding;
  return [low - margin, high + margin];
}

/** Maps a value of the domain to the range between two ends. */
export const scaleTo = (value: number, [low, high]: Domain, from: number, to: number): number =>
  from + ((value - low) / (high - low)) * (to - from);

/** Round values in the domain, about `count` of them. */
export function ticksOf([low, high]: Domain, count = 4): number[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  const ticks = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
  // If the domain is tiny relative to its values, rounding puts ticks outside.
  const tolerance = (high - low) * 1e-6;
  return ticks.filter((tick) => tick >= low - tolerance && tick <= high + tolerance);
}
