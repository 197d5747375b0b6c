// What the rounds of a workload come to: medians of each lane, ratios within a round, and whether targets are reached.
import { median } from "../benchmark.ts";
import type { Run } from "../driver/driver.ts";
import type { Target, Workload } from "../workloads/workload.ts";
import { noiseOf, type Round } from "./noise.ts";

export type Figures = { readonly [Name in keyof Run]?: number };

type Bounds = { readonly least?: number; readonly most?: number };

export const isWithin = (value: number, { least = 0, most = Number.POSITIVE_INFINITY }: Bounds): boolean =>
  value >= least && value <= most;

/** One figure that is not compared with another's. */
export type Fact = Bounds & { readonly what: string; readonly unit: string; readonly value: number };

export type Verdict = Target & {
  /** Median over the rounds that count, and all of them. */
  readonly ratio: number;
  readonly ratios: readonly number[];
  /** How many times less CPU time a request takes: what the ratio of speeds would be if CPU time were the only limit. */
  readonly byCpu: number | undefined;
  /** Undefined where no round counts: noise neither reaches nor misses anything. */
  readonly reached: boolean | undefined;
};

export type Outcome = {
  readonly workload: string;
  readonly about: string;
  readonly lanes: Readonly<
    Record<string, { readonly figures: Figures; readonly ofYardstick: number; readonly runs: readonly Run[] }>
  >;
  readonly verdicts: readonly Verdict[];
  /** One for each round; undefined: it counts. */
  readonly noise: readonly (string | undefined)[];
  readonly remarks: readonly string[];
  readonly facts: readonly Fact[];
};

const counted = ["perSecond", "bytesPerSecond", "p50Ms", "p99Ms", "cpuMicros", "cpuShare", "rssBytes"] as const;

export function outcomeOf(workload: Workload, rounds: readonly Round[], facts: readonly Fact[] = []): Outcome {
  const names = workload.lanes.map(({ name }) => name).filter((name) => rounds[0]?.has(name));
  const yardstick = names[0] ?? "";
  const noise = noiseOf(rounds, yardstick);
  const remarks: string[] = [];
  const quiet = rounds.filter((_, place) => noise[place] === undefined);
  // With nothing better, noisy figures are shown, and said to be so.
  const good = quiet.length > 0 ? quiet : rounds;
  const ratiosOf = (lane: string, against: string, figure: Target["figure"], from: readonly Round[]) =>
    from.map((round) => (round.get(lane)?.[figure] ?? Number.NaN) / (round.get(against)?.[figure] ?? Number.NaN));
  const lanes = Object.fromEntries(
    names.map((name) => {
      const figures = Object.fromEntries(
        counted.map((figure) => [figure, median(good.map((round) => round.get(name)?.[figure] ?? Number.NaN))]),
      ) as Figures;
      const runs = rounds.flatMap((round) => round.get(name) ?? []);
      // Where other programs took the CPU, it says nothing that the server did not.
      remarks.push(...remarksOn(name, runs, quiet.length > 0 ? figures : {}));
      const ofYardstick = median(ratiosOf(name, yardstick, "perSecond", good));
      return [name, { figures, ofYardstick, runs }];
    }),
  );
  const verdicts = workload.targets
    .filter(({ lane, against }) => names.includes(lane) && names.includes(against))
    .map((target): Verdict => {
      const ratio = median(ratiosOf(target.lane, target.against, target.figure, good));
      const valid = [target.lane, target.against].every((name) => lanes[name]?.runs.every(isValid));
      const reached = quiet.length === 0 ? undefined : valid && isWithin(ratio, target);
      const byCpu =
        target.figure === "perSecond" ? median(ratiosOf(target.against, target.lane, "cpuMicros", good)) : undefined;
      return { ...target, byCpu, ratio, ratios: ratiosOf(target.lane, target.against, target.figure, rounds), reached };
    });
  return { workload: workload.name, about: workload.about, lanes, verdicts, noise, remarks, facts };
}

const isValid = ({ failed, refused }: Run): boolean => failed + refused === 0;

/** Fewer in a run give no exact figure. */
const fewRequests = 20;

/** What a reader of the figures must know. */
function remarksOn(name: string, runs: readonly Run[], { cpuShare }: Figures): string[] {
  const failed = runs.reduce((sum, run) => sum + run.failed + run.refused, 0);
  return [
    ...(failed === 0 ? [] : [`${name}: INVALID, ${failed} requests failed`]),
    ...(runs.some(({ requests }) => requests < fewRequests)
      ? [`${name}: answered only ${Math.min(...runs.map(({ requests }) => requests))} requests in a run`]
      : []),
    ...(cpuShare !== undefined && cpuShare < 0.9
      ? [`${name}: driver-bound, the server was busy ${Math.round(cpuShare * 100)} % of the time`]
      : []),
    ...(name !== "bare" && runs.some(({ repeated }) => repeated)
      ? [`${name}: went through its list of requests more than once`]
      : []),
  ];
}
