// Evaluates the rounds of a workload: medians per lane, ratios within a round, and whether targets are met.
import { median } from "../benchmark.ts";
import type { Run } from "../driver/driver.ts";
import type { Target, Workload } from "../workloads/workload.ts";
import { noiseOf, type Round } from "./noise.ts";

export type Figures = { readonly [Name in keyof Run]?: number };

type Bounds = { readonly least?: number; readonly most?: number };

export const isWithin = (value: number, { least = 0, most = Number.POSITIVE_INFINITY }: Bounds): boolean =>
  value >= least && value <= most;

/** A figure without a comparison. */
export type Fact = Bounds & { readonly what: string; readonly unit: string; readonly value: number };

export type Verdict = Target & {
  /** Median over the rounds that count, and all of them. */
  readonly ratio: number;
  readonly ratios: readonly number[];
  /** The ratio of requests per second, in addition to the one by CPU time. */
  readonly bySpeed: number | undefined;
  /** Undefined if no round counts. */
  readonly reached: boolean | undefined;
  /** The median misses the target, but a round that counts meets it: that counts as met. */
  readonly isWithinNoise: boolean;
};

export type Outcome = {
  readonly workload: string;
  readonly about: string;
  readonly lanes: Readonly<
    Record<string, { readonly figures: Figures; readonly ofYardstick: number; readonly runs: readonly Run[] }>
  >;
  readonly verdicts: readonly Verdict[];
  /** One per round; undefined if it counts. */
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
  // If all rounds are noisy, their figures are shown and marked.
  const good = quiet.length > 0 ? quiet : rounds;
  const ratiosOf = (lane: string, against: string, figure: Target["figure"], from: readonly Round[]) =>
    from.map((round) => figureOf(round.get(lane), figure) / figureOf(round.get(against), figure));
  const lanes = Object.fromEntries(
    names.map((name) => {
      const figures = Object.fromEntries(
        counted.map((figure) => [figure, median(good.map((round) => round.get(name)?.[figure] ?? Number.NaN))]),
      ) as Figures;
      const runs = rounds.flatMap((round) => round.get(name) ?? []);
      // Other programs using the CPU may be the cause.
      remarks.push(...remarksOn(name, runs, quiet.length > 0 ? figures : {}));
      const ofYardstick = median(ratiosOf(name, yardstick, "perSecond", good));
      return [name, { figures, ofYardstick, runs }];
    }),
  );
  const verdicts = workload.targets
    .filter(({ lane, against }) => names.includes(lane) && names.includes(against))
    .map((target): Verdict => {
      const { lane, against, figure } = target;
      const counting = ratiosOf(lane, against, figure, good);
      const ratio = median(counting);
      const valid = [lane, against].every((name) => lanes[name]?.runs.every(isValid));
      const isWithinNoise = !isWithin(ratio, target) && counting.some((each) => isWithin(each, target));
      const reached = quiet.length === 0 ? undefined : valid && (isWithin(ratio, target) || isWithinNoise);
      const bySpeed = figure === "perCpuSecond" ? median(ratiosOf(lane, against, "perSecond", good)) : undefined;
      return { ...target, bySpeed, ratio, ratios: ratiosOf(lane, against, figure, rounds), reached, isWithinNoise };
    });
  return { workload: workload.name, about: workload.about, lanes, verdicts, noise, remarks, facts };
}

function figureOf(run: Run | undefined, figure: Target["figure"]): number {
  if (figure === "perCpuSecond") return 1e6 / (run?.cpuMicros ?? Number.NaN);
  return run?.[figure] ?? Number.NaN;
}

const isValid = ({ failed, refused }: Run): boolean => failed + refused === 0;

/** Fewer in a run are too few for an exact figure. */
const fewRequests = 20;

/** Caveats for the reader. */
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
