// Rules that several resources share: paging, days, since-stamps, lists of names, choices.

import { oldestFirst } from "../query/plan.ts";
import { foldSymbol } from "../text/normalize.ts";
import {
  type CsvOptions,
  choiceOf,
  csv,
  cursorInput,
  dayInput,
  type Input,
  type Names,
  seconds,
  whole,
} from "./parameter.ts";
import { type Context, type Part, type Rule, rule } from "./rule.ts";

const pageInput = whole(
  "page",
  "Page number, counted from 0. Narrow the results with other filters instead of going deeper.",
  0,
  100_000,
  0,
);

/** Which part of the list: a page by its number, or what comes after a position. */
export const page = rule({ page: pageInput, cursor: cursorInput }, ({ page, cursor }) => {
  if (cursor === undefined) return { page };
  if (page === 0) return { cursor };
  return {
    conflicts: [
      { input: "page", expected: "0, or to be given without cursor" },
      { input: "cursor", expected: "to be given without a page above 0" },
    ],
  };
});

/** Where a list is no walk along records, it has pages alone. */
export const pageNumber = rule({ page: pageInput }, ({ page }) => ({ page }));

export type SizeRule = Rule<{ size: Input<number> & { fallback: number } }>;

/** Both spellings are taken everywhere; `name` is the one documented for the endpoint. */
export function size(name: "pageSize" | "pagesize", most: number, fallback: number): SizeRule {
  const names = name === "pageSize" ? (["pageSize", "pagesize"] as const) : (["pagesize", "pageSize"] as const);
  return rule({ size: whole(names, "Records on a page", 1, most, fallback) }, ({ size }) => ({ size }));
}

type DayNames = { on: string; from: string; to: string };

export type DaysRule = Rule<Record<"on" | "from" | "to", Input<string>>>;

/** A day, or a range of days with both ends included; `bounds` says what they mean for the resource. */
export function days(
  names: DayNames,
  what: string,
  bounds: (range: { from?: string; to?: string }, context: Context) => Part,
): DaysRule {
  return rule(
    {
      on: dayInput(names.on, `Shorthand for ${names.from} and ${names.to} being this day`),
      from: dayInput(names.from, `First ${what}, included`),
      to: dayInput(names.to, `Last ${what}, included`),
    },
    ({ on, from, to }, context) => {
      if (from !== undefined && to !== undefined && from > to) {
        return {
          conflicts: [
            { input: "from", expected: `a day not after ${names.to}` },
            { input: "to", expected: `a day not before ${names.from}` },
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
    (given) => {
      const range = ["from", "to"].filter((input) => given.has(input));
      if (!given.has("on") || range.length === 0) return [];
      return [
        { input: "on", expected: `to be given without ${names.from} and ${names.to}` },
        ...range.map((input) => ({ input, expected: `to be given without ${names.on}` })),
      ];
    },
  );
}

export type SinceRule = Rule<{ since: Input<number> }>;

/** At or after a stamp, oldest first, so that a reader who pages forward misses nothing; ties by id, or as is said. */
export function since(names: Names, column: string, doc: string, ties: readonly string[] = ["id"]): SinceRule {
  const order = oldestFirst(column, ...ties);
  return rule({ since: seconds(names, doc) }, ({ since }) =>
    since === undefined ? {} : { where: [{ op: "gte", column, value: since }], order },
  );
}

/** Greater than or equal, within the range of the field. */
export function atLeast(name: string, column: string, range: { min: number; max: number }): Rule {
  return rule({ least: whole(name, `Records of at least this ${column}`, range.min, range.max) }, ({ least }) =>
    least === undefined ? {} : { where: [{ op: "gte", column, value: least }] },
  );
}

export function anyOf(name: string, column: string, doc: string, options: CsvOptions): Rule {
  return rule({ values: csv(name, doc, options) }, ({ values }) =>
    values === undefined ? {} : { where: [{ op: "in", column, values }] },
  );
}

/** One of the values stands in a list that the record holds. */
export function linkedTo(kind: string, name: string, doc: string, options: CsvOptions): Rule {
  return rule({ values: csv(name, doc, options) }, ({ values }) =>
    values === undefined ? {} : { where: [{ op: "linked", kind, values }] },
  );
}

/** Ticker symbols and the like: compared in capitals, at most fifty. */
export const symbols = (what: string, example: string): CsvOptions => ({ what, fold: foldSymbol, most: 50, example });

/** Each allowed word stands for a part of the read. */
export function choice<W extends string>(
  name: string,
  doc: string,
  parts: Readonly<Record<W, Part>>,
  fallback?: NoInfer<W>,
): Rule<{ chosen: Input<W> }> {
  const words = Object.keys(parts) as W[];
  const chosen: Input<W> = fallback === undefined ? choiceOf(name, doc, words) : choiceOf(name, doc, words, fallback);
  return rule({ chosen }, ({ chosen: word }) => (word === undefined ? {} : parts[word]));
}
