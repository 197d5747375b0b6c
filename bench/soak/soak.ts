// Soak test: well-behaved clients, alternately alone and alongside all kinds of abusers, for two minutes. Abusers must
// not affect the others.
import { type Benchmark, median, printTable, type Result } from "../benchmark.ts";
import { usageOf } from "../driver/machine.ts";
import { quickSizes, sqliteData } from "../records/database.ts";
import { mixRequests } from "../workloads/mix.ts";
import type { AbuseOrder } from "./abuse-process.ts";
import { everyKind } from "./abusers/kinds.ts";
import type { GoodOrder, GoodReport } from "./good-process.ts";
import { childOf, reportOf, settledSockets } from "./processes.ts";
import { startStage } from "./stage.ts";

type Counts = Readonly<Record<string, number>>;

type Round = {
  readonly calm: GoodReport;
  readonly abused: GoodReport;
  readonly abuse: Counts;
  readonly rssBytes: number;
};

/** Maximum increase of the p99 of well-behaved clients over that without abusers, and of memory over the first round. */
const mostSlower = 3;
/** A p99 that is acceptable in any case. */
const goodEnoughMs = 50;
const mostGrowth = 1.25;

export const soakBenchmark: Benchmark = {
  name: "soak",
  about: "well-behaved clients alongside 27 kinds of abusive ones, for two minutes: latency, memory, connections",
  fullOnly: true,
  run: async ({ quick, rounds = quick ? 2 : 4, seconds = quick ? 5 : 15, say }) => {
    const data = await sqliteData(quickSizes, say);
    const server = await startStage(data, { flags: ["--connections", "1000"] });
    const good = childOf("good-process.ts");
    const abusers = childOf("abuse-process.ts");
    try {
      const requests = mixRequests(data).mixed;
      const order = (round: number): GoodOrder => ({
        url: server.url,
        requests: requests(round),
        clients: 12,
        seconds,
      });
      const sockets = await settledSockets(server.pid, 0);
      const { target, keys, tickers, commonWord } = server;
      const withAbuse = async (request: GoodOrder) => {
        const memory: number[] = [];
        const sampling = setInterval(() => memory.push(usageOf([server.pid])?.rssBytes ?? 0), 500);
        abusers.send({ target, keys, tickers, commonWord, crowd: everyKind } satisfies AbuseOrder);
        const abused = await reportOf<GoodReport>(good, request);
        const abuse = await reportOf<Counts>(abusers, "end" satisfies AbuseOrder);
        clearInterval(sampling);
        return { abused, abuse, rssBytes: median(memory) };
      };
      // Not counted: fills the response cache, which uses its configured memory.
      await withAbuse({ ...order(2 * rounds), seconds: Math.min(10, seconds) });
      const all: Round[] = [];
      for (let round = 0; round < rounds; round++) {
        const calm = await reportOf<GoodReport>(good, order(2 * round));
        const other = await withAbuse(order(2 * round + 1));
        all.push({ calm, ...other });
        say(
          `round ${round + 1} of ${rounds}: p99 ${calm.p99Ms.toFixed(1)} ms alone, ${other.abused.p99Ms.toFixed(1)} ms with abuse`,
        );
      }
      const left = await settledSockets(server.pid, sockets);
      const isAlive = await fetch(`${server.url}/livez`).then(({ ok }) => ok);
      return resultOf(all, { leaked: left - sockets, isAlive }, { ...data.sizes, rounds, seconds });
    } finally {
      for (const child of [good, abusers]) child.kill();
      await server.stop();
    }
  },
};

const sum = (rounds: readonly Counts[], isMeant: (what: string) => boolean): number =>
  rounds.flatMap((counts) => Object.entries(counts)).reduce((all, [what, many]) => all + (isMeant(what) ? many : 0), 0);

function resultOf(
  rounds: readonly Round[],
  { leaked, isAlive }: { readonly leaked: number; readonly isAlive: boolean },
  sizes: Readonly<Record<string, number>>,
): Result {
  const slower = median(rounds.map(({ calm, abused }) => abused.p99Ms / calm.p99Ms));
  const slowest = median(rounds.map(({ abused }) => abused.p99Ms));
  const growth = (rounds.at(-1)?.rssBytes ?? 0) / (rounds[0]?.rssBytes || 1);
  const good = rounds.flatMap(({ calm, abused }) => [calm.statuses, abused.statuses]);
  const abuse = rounds.map(({ abuse: counts }) => counts);
  const unserved = sum(good, (what) => what !== "200");
  // An overloaded server responds with 503; any other failure is a fault.
  const faults = sum([...good, ...abuse], (what) => /^5(?!03)/.test(what));
  const checks: [what: string, found: string, target: string, isMet: boolean][] = [
    [
      "p99 of well-behaved clients, with abusers ÷ without",
      slower.toFixed(2),
      `${mostSlower}, or < ${goodEnoughMs} ms`,
      slower <= mostSlower || slowest < goodEnoughMs,
    ],
    ["well-behaved requests without a 200", `${unserved}`, "0", unserved === 0],
    ["unexpected server errors (500 and the like), to anyone", `${faults}`, "0", faults === 0],
    ["memory, last round ÷ first", growth.toFixed(2), `${mostGrowth}`, growth <= mostGrowth],
    ["connections left open", `${leaked}`, "0", leaked <= 0],
    ["the server still responds", isAlive ? "yes" : "no", "yes", isAlive],
  ];
  const p99 = (which: "calm" | "abused") => rounds.map((round) => round[which].p99Ms.toFixed(1)).join(", ");
  const met = [...new Set(abuse.flatMap((counts) => Object.keys(counts)))].sort();
  const text = [
    printTable(
      ["", "found", "target", ""],
      checks.map(([what, found, target, isMet]) => [what, found, target, isMet ? "reached" : "MISSED"]),
    ),
    "",
    `well-behaved clients: ${sum(good, () => true)} requests; p99 alone ${p99("calm")} ms, with abusers ${p99("abused")} ms`,
    `memory by round: ${rounds.map(({ rssBytes }) => `${Math.round(rssBytes / 1e6)} MB`).join(", ")}`,
    `abusers met: ${met.map((what) => `${what} ${sum(abuse, (each) => each === what)}`).join(", ")}`,
  ].join("\n");
  return { sizes, text, missed: checks.filter(([, , , isMet]) => !isMet).length, figures: { checks, rounds } };
}
