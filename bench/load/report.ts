// The tables of the load benchmark: one row per lane, then one per target.
import { printTable, spread } from "../benchmark.ts";
import { type Fact, type Figures, isWithin, type Outcome, type Verdict } from "./outcome.ts";

export function printOutcomes(outcomes: readonly Outcome[], facts: readonly Fact[]): string {
  const head = ["", "", "req/s", "p50 ms", "p99 ms", "MB/s", "CPU µs/req", "CPU", "RSS MB", "of first"];
  const lanes = outcomes.flatMap(({ workload, lanes }) =>
    Object.entries(lanes).map(([name, { figures, ofYardstick }], place) => [
      place === 0 ? workload : "",
      name,
      ...laneCells(figures),
      ofYardstick.toFixed(ofYardstick < 0.01 ? 4 : 2),
    ]),
  );
  const verdicts = outcomes.flatMap(({ workload, verdicts, noise }) =>
    verdicts.map((verdict) => [workload, ...verdictCells(verdict, noise)]),
  );
  const factRows = facts.map((fact) => [
    fact.what,
    fact.value.toFixed(2),
    fact.unit,
    boundText(fact),
    boundText(fact) === "" ? "" : isWithin(fact.value, fact) ? "reached" : "MISSED",
  ]);
  const notes = outcomes.flatMap(({ workload, noise, remarks }) => [
    ...noiseNote(noise).map((note) => `${workload}: ${note}`),
    ...remarks.map((remark) => `${workload}: ${remark}`),
  ]);
  const targets = printTable(["", "figure", "ratio", "rounds", "by speed", "counted", "target", ""], verdicts);
  return [
    printTable(head, lanes),
    ...(verdicts.length > 0 ? [targets] : []),
    ...(facts.length > 0 ? [printTable(["", "", "", "target", ""], factRows)] : []),
    notes.join("\n"),
  ]
    .join("\n\n")
    .trimEnd();
}

function laneCells({ perSecond, p50Ms, p99Ms, bytesPerSecond, cpuMicros, cpuShare, rssBytes }: Figures): string[] {
  const known = (value: number | undefined, places: number, divisor = 1) =>
    value === undefined || Number.isNaN(value) ? "-" : (value / divisor).toFixed(places);
  return [
    known(perSecond, 0),
    known(p50Ms, 2),
    known(p99Ms, 2),
    known(bytesPerSecond, 1, 1e6),
    known(cpuMicros, 0),
    known(cpuShare, 2),
    known(rssBytes, 0, 1e6),
  ];
}

function noiseNote(noise: Outcome["noise"]): string[] {
  const noisy = noise.flatMap((reason, round) => (reason === undefined ? [] : [`round ${round + 1} (${reason})`]));
  if (noisy.length === 0) return [];
  const left = noisy.length === noise.length ? "; no round is left, so these figures say little" : "";
  return [`too noisy to count: ${noisy.join(", ")}${left}`];
}

const figureNames = {
  perSecond: "speed",
  perCpuSecond: "by CPU time",
  p50Ms: "p50",
  p99Ms: "p99",
  cpuMicros: "CPU per request",
} as const;

function verdictCells(verdict: Verdict, noise: Outcome["noise"]): string[] {
  const { lane, against, figure, ratio, ratios, bySpeed, reached, isWithinNoise } = verdict;
  const counted = noise.filter((reason) => reason === undefined).length;
  return [
    `${figureNames[figure]}: ${lane} to ${against}`,
    ratio.toFixed(2),
    spread(ratios),
    bySpeed === undefined || Number.isNaN(bySpeed) ? "-" : bySpeed.toFixed(2),
    `${counted} of ${noise.length}`,
    boundText(verdict),
    reached === undefined ? "too noisy" : reached ? (isWithinNoise ? "within noise" : "reached") : "MISSED",
  ];
}

const boundText = ({ least, most }: { least?: number; most?: number }): string =>
  least === undefined ? (most === undefined ? "" : `at most ${most}`) : `at least ${least}`;
