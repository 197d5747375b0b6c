// The load benchmark: all contenders, interleaved round by round, driven from another process.
import { type Benchmark, type Options, type Result, UsageError } from "../benchmark.ts";
import { type Bare, isBare } from "../contenders/bare.ts";
import { type Field, makeField } from "../contenders/field.ts";
import { drive, driverName, type Run } from "../driver/driver.ts";
import { usageOf } from "../driver/machine.ts";
import { warmUp } from "../driver/warm-up.ts";
import { type BenchData, fullSizes, quickSizes, type Sizes, sqliteData } from "../records/database.ts";
import { postgresWorkloads } from "../workloads/postgres.ts";
import { rivalWorkloads } from "../workloads/rivals.ts";
import { sqliteWorkloads } from "../workloads/sqlite.ts";
import type { Lane, Workload } from "../workloads/workload.ts";
import { type Fact, isWithin, type Outcome, outcomeOf } from "./outcome.ts";
import { printOutcomes } from "./report.ts";
import { type Stage, stageFor } from "./stage.ts";

export const loadBenchmark: Benchmark = {
  name: "load",
  about:
    "requests under load, compared with bare node:http sending the same bytes, and with a handler written in an hour",
  run: async (options) => {
    // Rejects invalid flags before creating anything.
    chosen(allWorkloads(noData), options);
    const data = await sqliteData(sizesOf(options), options.say);
    const field = makeField(data, options.say);
    const settings = settingsOf(options);
    try {
      const outcomes: Outcome[] = [];
      for (const workload of chosen(allWorkloads(data), options)) {
        outcomes.push(await runWorkload(workload, field, data, settings));
      }
      return resultOf(outcomes, await lastFacts(field), data.sizes, settings);
    } finally {
      await field.stop();
    }
  },
};

const noData: BenchData = { folder: "", file: "", token: "", sizes: quickSizes };

const allWorkloads = (data: BenchData): readonly Workload[] => [
  ...sqliteWorkloads(data),
  ...postgresWorkloads(data),
  ...rivalWorkloads(data),
];

export type Settings = {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly takesPart: (lane: Lane) => boolean;
  readonly say: (line: string) => void;
};

export const settingsOf = ({ rounds, seconds, connections, quick, contenders, say }: Options): Settings => ({
  rounds: rounds ?? (quick ? 2 : 5),
  seconds: seconds ?? (quick ? 1 : 4),
  connections: connections ?? 32,
  warmUpMs: quick ? 300 : 4000,
  takesPart: ({ contender, fullOnly }) =>
    contenders === undefined ? !(quick && fullOnly) : contenders.includes(contender),
  say,
});

const sizesOf = ({ quick, ratings, news, earnings }: Options): Sizes => {
  const own = quick ? quickSizes : fullSizes;
  return { ratings: ratings ?? own.ratings, news: news ?? own.news, earnings: earnings ?? own.earnings };
};

function chosen(
  workloads: readonly Workload[],
  { workloads: wanted, contenders, quick }: Options,
): readonly Workload[] {
  const names = [...new Set(workloads.flatMap(({ lanes }) => lanes.map(({ contender }) => contender)))];
  const strange = contenders?.find((each) => !names.some((name) => name === each));
  if (strange !== undefined)
    throw new UsageError(`--contenders: expected some of ${names.join("; ")}, got "${strange}"`);
  if (wanted === undefined) return workloads.filter(({ fullOnly }) => !(quick && fullOnly));
  const isWanted = (name: string) => wanted.some((each) => name === each || name.startsWith(`${each} `));
  const found = workloads.filter(({ name }) => isWanted(name));
  if (found.length > 0) return found;
  throw new UsageError(`--workload: expected some of ${workloads.map(({ name }) => name).join(", ")}, got "${wanted}"`);
}

export async function runWorkload(
  workload: Workload,
  field: Field,
  data: BenchData,
  settings: Settings,
): Promise<Outcome> {
  const { rounds, say } = settings;
  const lanes = workload.lanes.filter(settings.takesPart);
  const stage = await stageFor(workload, field, data);
  try {
    const all: Map<string, Run>[] = [];
    for (let round = 0; round < rounds; round++) {
      const runs = new Map<string, Run>();
      for (const lane of round % 2 === 0 ? lanes : lanes.toReversed()) {
        const run = await runLane(workload, lane, round, stage, field, settings);
        if (run !== undefined) runs.set(lane.name, run);
      }
      all.push(runs);
      say(`${workload.name}, round ${round + 1} of ${rounds}: ${speeds(runs)}`);
    }
    return outcomeOf({ ...workload, lanes }, all, paceFacts(workload, stage));
  } finally {
    await stage.close();
  }
}

async function runLane(
  { model: modelName, cold, restart = false }: Workload,
  lane: Lane,
  round: number,
  stage: Stage,
  field: Field,
  { rounds, seconds, connections, warmUpMs }: Settings,
): Promise<Run | undefined> {
  const contender = await stage.contender(lane.contender);
  // Cold servers get no request before the measurement: the baseline records another one's responses.
  const model = cold === undefined && !restart ? await stage.contender(modelName) : await field.get(modelName);
  if (contender === undefined || model === undefined) return undefined;
  try {
    const requests = await lane.requests(round, rounds, model.url);
    if (isBare(contender)) await (contender as Bare).learn({ origin: model.url, requests });
    if (cold !== undefined) return await drive(contender, requests, { seconds, connections, amount: cold });
    if (round === 0 || restart) {
      const others = (await lane.requests(rounds - 1, rounds, model.url)).toReversed();
      await warmUp(contender, others, { ms: warmUpMs, connections });
    }
    return await stage.during((otherPids) => drive(contender, requests, { seconds, connections }, otherPids));
  } finally {
    await stage.leave(lane.contender, contender);
  }
}

const speeds = (runs: ReadonlyMap<string, Run>): string =>
  [...runs].map(([name, { perSecond }]) => `${name} ${Math.round(perSecond)}/s`).join(", ");

function paceFacts({ name }: Workload, stage: Stage): Fact[] {
  const pace = stage.pace();
  return pace === undefined
    ? []
    : [{ what: `${name}: pace of the import`, unit: "of 50 records/s", value: pace, least: 0.95 }];
}

/** Figures known only at the end of a run. */
async function lastFacts(field: Field): Promise<Fact[]> {
  const bellwire = field.running("bellwire");
  if (bellwire === undefined) return [];
  const { pid, startSeconds } = await bellwire.then((each) => each ?? { pid: 0, startSeconds: Number.NaN });
  const rss = usageOf([pid])?.rssBytes;
  return [
    { what: "bellwire: from start until it listens", unit: "s", value: startSeconds },
    ...(rss === undefined
      ? []
      : [{ what: "bellwire: memory after all of it", unit: "MB resident", value: rss / 1e6, most: 250 }]),
  ];
}

export function resultOf(
  outcomes: readonly Outcome[],
  last: readonly Fact[],
  sizes: Sizes,
  settings: Settings,
): Result {
  const facts = [...outcomes.flatMap((outcome) => outcome.facts), ...last];
  const { rounds, seconds, connections } = settings;
  return {
    sizes,
    text: printOutcomes(outcomes, facts),
    missed:
      outcomes.flatMap(({ verdicts }) => verdicts).filter(({ reached }) => reached === false).length +
      facts.filter((fact) => !isWithin(fact.value, fact)).length,
    figures: { driver: driverName(), rounds, seconds, connections, facts, outcomes },
  };
}
