// Known causes of freezes and starvation, provoked in sequence, with figures to compare two versions.
import { loadavg } from "node:os";
import { type Benchmark, UsageError } from "../../benchmark.ts";
import { bulkWrites } from "./bulk-writes.ts";
import { endlessBodies } from "./endless-bodies.ts";
import { everyAbuse, fairness } from "./fairness.ts";
import { type Figure, printFigures, type Scenario } from "./finding.ts";
import { largeLists } from "./large-lists.ts";
import { lockedWrites } from "./locked-writes.ts";
import { silentConnections } from "./silent-connections.ts";
import { topics } from "./topics.ts";

/** Chosen by number, from 1. */
const scenarios: readonly Scenario[] = [
  topics,
  silentConnections,
  lockedWrites,
  bulkWrites,
  endlessBodies,
  everyAbuse,
  fairness,
  largeLists,
];

export const findingsBenchmark: Benchmark = {
  name: "findings",
  about: `known causes of freezes and starvation, one by one: ${scenarios.map(({ name }, index) => `${index + 1} ${name}`).join(", ")}`,
  fullOnly: true,
  run: async ({ quick, seconds = quick ? 4 : 10, scenarios: chosen, say }) => {
    const numbers = chosen ?? scenarios.map((_, place) => `${place + 1}`);
    const all: { scenario: string; load: number; figures: readonly Figure[] }[] = [];
    for (const number of numbers) {
      const scenario = scenarios[Number(number) - 1];
      if (scenario === undefined)
        throw new UsageError(`--scenario: expected 1 to ${scenarios.length}, got "${number}"`);
      const load = loadavg()[0] ?? 0;
      say(`${number} ${scenario.name} (load average before: ${load.toFixed(1)})`);
      const figures = await scenario.run({ seconds, say: (line) => say(`  ${line}`) });
      all.push({ scenario: `${number} ${scenario.name}`, load, figures });
    }
    const missed = all.flatMap(({ figures }) => figures).filter(({ isMet }) => isMet === false).length;
    return { sizes: { seconds }, text: printFigures(all), missed, figures: { scenarios: all } };
  },
};
