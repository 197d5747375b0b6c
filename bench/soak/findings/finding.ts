// The Scenario interface: provokes one known cause of freezes or starvation, and returns figures with targets.
import { printTable } from "../../benchmark.ts";
import type { GoodReport } from "../good-process.ts";

export type Figure = {
  readonly what: string;
  readonly value: string;
  /** Undefined for explanatory figures. */
  readonly target?: string;
  readonly isMet?: boolean;
};

export type Scenario = {
  readonly name: string;
  readonly run: (options: ScenarioOptions) => Promise<readonly Figure[]>;
};

export type ScenarioOptions = {
  /** Length of each measurement. */
  readonly seconds: number;
  readonly say: (line: string) => void;
};

/** Maximum increase of the well-behaved clients' p99 over that without abuse, and a p99 acceptable in any case. */
const mostSlower = 3;
const goodEnoughMs = 50;

export const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));

export const percentiles = ({ p50Ms, p99Ms, worstMs }: GoodReport): string =>
  `${ms(p50Ms)} / ${ms(p99Ms)} / ${ms(worstMs)} ms`;

/** p50, p99 and maximum, with a limit for the p99. */
export const under = (what: string, report: GoodReport, limitMs: number): Figure => ({
  what: `${what}: p50 / p99 / max`,
  value: percentiles(report),
  target: `p99 < ${limitMs} ms`,
  isMet: report.p99Ms < limitMs,
});

/** Responses other than 200. */
export const failures = (what: string, { statuses }: GoodReport): Figure => {
  const failed = Object.entries(statuses).filter(([status]) => status !== "200");
  return {
    what: `${what}: not answered 200`,
    value: failed.length === 0 ? "0" : failed.map(([status, many]) => `${many} × ${status}`).join(", "),
    target: "0",
    isMet: failed.length === 0,
  };
};

/** The p99 with abuse relative to the p99 without. */
export function fair(what: string, calm: GoodReport, abused: GoodReport): Figure {
  const ratio = abused.p99Ms / calm.p99Ms;
  const lost = abused.requests - (abused.statuses["200"] ?? 0);
  return {
    what: `${what}: p99 without, with, ratio`,
    value: `${ms(calm.p99Ms)} ms, ${ms(abused.p99Ms)} ms, ${ratio.toFixed(1)}${lost > 0 ? `; ${lost} failed` : ""}`,
    target: `≤ ${mostSlower} or < ${goodEnoughMs} ms`,
    isMet: lost === 0 && (ratio <= mostSlower || abused.p99Ms < goodEnoughMs),
  };
}

export function printFigures(
  all: readonly { readonly scenario: string; readonly figures: readonly Figure[] }[],
): string {
  const rows = all.flatMap(({ scenario, figures }) =>
    figures.map(({ what, value, target = "", isMet }, place) => [
      place === 0 ? scenario : "",
      what,
      value,
      target,
      isMet === undefined ? "" : isMet ? "met" : "MISSED",
    ]),
  );
  return printTable(["scenario", "figure", "value", "target", ""], rows);
}
