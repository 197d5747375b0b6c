// Duration histograms, cheap enough for every request.
import type { Labels, Sample } from "./family.ts";

/** In seconds. Cached responses take a tenth of a millisecond, and nothing should take ten seconds. */
export const bounds: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

const boundsMs = bounds.map((seconds) => seconds * 1000);

export class Histogram {
  /** By bound; the last one is above all bounds. */
  readonly #counts = new Float64Array(bounds.length + 1);
  #sumMs = 0;

  add(ms: number): void {
    let at = 0;
    while (at < boundsMs.length && ms > (boundsMs[at] as number)) at++;
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.#sumMs += ms;
  }

  get count(): number {
    return this.#counts.reduce((sum, each) => sum + each, 0);
  }

  samples(name: string, labels: Labels): Sample[] {
    let sum = 0;
    const buckets = [...bounds, "+Inf"].map((bound, at): Sample => {
      sum += this.#counts[at] as number;
      return { metricName: `${name}_bucket`, labels: { ...labels, le: String(bound) }, value: sum };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sumMs / 1000 },
      { metricName: `${name}_count`, labels, value: sum },
    ];
  }
}
