// One key that posts 5,000 records at a time, nonstop: the remaining throughput of readers.
import { benchData } from "../stage.ts";
import { failures, percentiles, type Scenario, under } from "./finding.ts";
import { met, watching } from "./watch.ts";

const readers = 8;
const leastShare = 0.5;

export const bulkWrites: Scenario = {
  name: "bulk writes",
  run: async ({ seconds, say }) =>
    watching(await benchData(say), async ({ read, withAbuse }) => {
      const calm = await read(readers, seconds);
      const { result, abuse } = await withAbuse({ bulkBody: 1 }, () => read(readers, seconds));
      const share = result.perSecond / calm.perSecond;
      return [
        { what: "reads without: p50 / p99 / max", value: percentiles(calm) },
        under("reads with", result, 100),
        {
          what: "reads per second without, with, share",
          value: `${calm.perSecond.toFixed(0)}, ${result.perSecond.toFixed(0)}, ${share.toFixed(2)}`,
          target: `≥ ${leastShare}`,
          isMet: share >= leastShare,
        },
        failures("reads with", result),
        { what: "what the writer got", value: met(abuse) },
      ];
    }),
};
