// Rules that several resources share: paging, days, timestamps, lists of names, choices.

import { cursorParameter } from "../query/cursor.ts";
import { oldestFirst } from "../query/plan.ts";
import { normalizeSymbol } from "../text/normalize.ts";
import {
  type CsvOptions,
  csvParameter,
  dayParameter,
  enumParameter,
  integerParameter,
  type Names,
  type Parameter,
  secondsParameter,
} from "./parameter.ts";
import { type Context, type PlanPart, type Rule, rule } from "./rule.ts";

const pageParameter = integerParameter(
  "page",
  "Page number, counted from 0. Narrow the results with other filters instead of going deeper.",
  0,
  100_000,
  0,
);

/** A page by number, or the records after a cursor. */
export const page = rule({ page: pageParameter, cursor: cursorParameter }, ({ page, cursor }) => {
  if (cursor === undefined) return { page };
  if (page === 0) return { cursor };
  return {
    conflicts: [
      { parameter: "page", expected: "0, or no cursor" },
      { parameter: "cursor", expected: "no cursor with a page above 0" },
    ],
  };
});

/** For lists that cursors can't continue. */
export const pageNumber = rule({ page: pageParameter }, ({ page }) => ({ page }));

export type SizeRule = Rule<{ size: Parameter<number> & { fallback: number } }>;

/** Both spellings are accepted everywhere; `name` is the documented one. */
export function size(name: "pageSize" | "pagesize", max: number, fallback: number): SizeRule {
  const names = name === "pageSize" ? (["pageSize", "pagesize"] as const) : (["pagesize", "pageSize"] as const);
  return rule({ size: integerParameter(names, "Records on a page", 1, max, fallback) }, ({ size }) => ({ size }));
}

type DayNames = { on: string; from: string; to: string };

export type DaysRule = Rule<Record<"on" | "from" | "to", Parameter<string>>>;

/** A day, or an inclusive range of days; `bounds` turns it into conditions. */
export function days(
  names: DayNames,
  what: string,
  bounds: (range: { from?: string; to?: string }, context: Context) => PlanPart,
): DaysRule {
  return rule(
    {
      on: dayParameter(names.on, `Shorthand for setting ${names.from} and ${names.to} to this day`),
      from: dayParameter(names.from, `First ${what}, included`),
      to: dayParameter(names.to, `Last ${what}, included`),
    },
    ({ on, from, to }, context) => {
      if (from !== undefined && to !== undefined && from > to) {
        return {
          conflicts: [
            { parameter: "from", expected: `a day not after ${names.to}` },
            { parameter: "to", expected: `a day not before ${names.from}` },
          ],
        };
      }
      const first = on ?? from;
      const last = on ?? to;
      return bounds(
        { ...(first === undefined ? {} : { from: first }), ...(last === undefined ? {} : { to: last }) },
        context,
      );
    },
    (present) => {
      const range = ["from", "to"].filter((parameter) => present.has(parameter));
      if (!present.has("on") || range.length === 0) return [];
      return [
        { parameter: "on", expected: `to be absent with ${names.from} or ${names.to}` },
        ...range.map((parameter) => ({ parameter, expected: `to be absent with ${names.on}` })),
      ];
    },
  );
}

export type SinceRule = Rule<{ since: Parameter<number> }>;

/** At or after a timestamp, oldest first, so that a client that pages forward misses nothing. */
export function since(names: Names, column: string, doc: string, ties: readonly string[] = ["id"]): SinceRule {
  const order = oldestFirst(column, ...ties);
  return rule({ since: secondsParameter(names, doc) }, ({ since }) =>
    since === undefined ? {} : { where: [{ op: "gte", column, value: since }], order },
  );
}

/** Greater than or equal, within the range of the field. */
export function atLeast(name: string, column: string, range: { min: number; max: number }): Rule {
  return rule(
    { least: integerParameter(name, `Records of at least this ${column}`, range.min, range.max) },
    ({ least }) => (least === undefined ? {} : { where: [{ op: "gte", column, value: least }] }),
  );
}

export function anyOf(name: string, column: string, doc: string, options: CsvOptions): Rule {
  return rule({ values: csvParameter(name, doc, options) }, ({ values }) =>
    values === undefined ? {} : { where: [{ op: "in", column, values }] },
  );
}

/** Matches records that are linked to one of the values, such as news of a ticker. */
export function linkedTo(kind: string, name: string, doc: string, options: CsvOptions): Rule {
  return rule({ values: csvParameter(name, doc, options) }, ({ values }) =>
    values === undefined ? {} : { where: [{ op: "linked", kind, values }] },
  );
}

/** Ticker symbols and other codes: compared in uppercase, at most fifty. */
export const symbols = (what: string, example: string): CsvOptions => ({
  what,
  normalize: normalizeSymbol,
  max: 50,
  example,
});

/** Maps each allowed word to a part of the plan. */
export function choice<W extends string>(
  name: string,
  doc: string,
  parts: Readonly<Record<W, PlanPart>>,
  fallback?: NoInfer<W>,
): Rule<{ chosen: Parameter<W> }> {
  const words = Object.keys(parts) as W[];
  const chosen: Parameter<W> =
    fallback === undefined ? enumParameter(name, doc, words) : enumParameter(name, doc, words, fallback);
  return rule({ chosen }, ({ chosen: word }) => (word === undefined ? {} : parts[word]));
}
