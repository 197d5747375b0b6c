// Lenient parsing of values, for clients of other implementations.

import type { ValueRule } from "../../core/catalog/compat.ts";
import { type Parameter, p } from "../../core/catalog/parameter.ts";
import { normalizeName } from "../../core/text/normalize.ts";
import { countryOrEuroArea } from "../../core/value/country.ts";

const named =
  (...names: readonly string[]) =>
  (parameter: Parameter<unknown>): boolean =>
    parameter.names.some((name) => names.includes(name));

const pageSize: ValueRule = {
  doc: "A size above the limit is lowered to it",
  applies: named("pageSize"),
  rewrite: (text, { schema }) =>
    /^\d+$/.test(text) && Number(text) > Number(schema.maximum) ? String(schema.maximum) : text,
};

const negativePage: ValueRule = {
  doc: "A negative page is page 0",
  applies: named("page"),
  rewrite: (text) => (/^-\d+$/.test(text) ? "0" : text),
};

/** A `+` before the offset arrives as a space. */
const dateTime = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+ -]\d{2}:?\d{2})?$/i;

const isoDay: ValueRule = {
  doc: "Of an ISO date-time, the day as written",
  applies: ({ schema }) => schema.format === "date",
  rewrite: (text) => dateTime.exec(text)?.[1] ?? text,
};

const importance: ValueRule = {
  doc: "Of a list, the lowest value applies. A value above the range is the highest of the range; one below it doesn't filter",
  applies: named(p("importance")),
  rewrite: (text, { schema }) => {
    const values = text.split(",").map((each) => each.trim());
    if (!values.every((each) => /^\d{1,9}$/.test(each))) return text;
    const lowest = Math.min(...values.map(Number));
    if (lowest < Number(schema.minimum)) return "";
    const inRange = Math.min(lowest, Number(schema.maximum));
    return values.length === 1 && Number(text) === inRange ? text : String(inRange);
  },
};

const primaryWords: Readonly<Record<string, string>> = {
  ...{ true: "Y", yes: "Y", y: "Y", "1": "Y" },
  ...{ false: "N", no: "N", n: "N", "0": "N" },
  all: "All",
};

const isPrimary: ValueRule = {
  doc: "true is Y and false is N, in any case; so are yes and no, 1 and 0",
  applies: named(p("is_primary")),
  rewrite: (text) =>
    (Object.hasOwn(primaryWords, text.toLowerCase()) ? primaryWords[text.toLowerCase()] : text) as string,
};

const countryCode: ValueRule = {
  doc: "Two-letter country codes, and EUR for the euro area",
  applies: named("country"),
  rewrite: (text) => {
    const isLenient = /^([a-z]{2}|EUR)$/i.test(text);
    return (isLenient ? countryOrEuroArea(text) : undefined) ?? text;
  },
};

const removedType: ValueRule = {
  doc: "With spaces instead of hyphens, as in the response",
  applies: named("type"),
  rewrite: (text) => normalizeName(text).replaceAll(" ", "-"),
};

const quoted: ValueRule = {
  doc: "Quotes around the list and around its members are removed",
  isHint: true,
  // Topics are words; punctuation around them never matters.
  applies: (parameter) => parameter.schema.type === "array" && !named("topics")(parameter),
  rewrite: (text) => {
    const inner = unquoted(text);
    return inner === text ? mapMembers(text, unquoted) : inner;
  },
};

/** Only symbols have exchanges and share classes. */
const symbol: ValueRule = {
  doc: "NASDAQ:AAPL is AAPL; BRK/B is BRK/B or BRK.B",
  isHint: true,
  applies: named("tickers", "primaryTickers", p("tickers")),
  rewrite: (text, { schema }) => {
    const bare = mapMembers(text, (each) => each.replace(/^[a-z]+:(?=.)/i, ""));
    const symbols = new Set(members(bare));
    const room = Number(schema.maxItems) - symbols.size;
    // Both forms are in use, so that either may be stored.
    const dotted = [...symbols].filter((each) => /^\w+\/\w+$/.test(each)).map((each) => each.replace("/", "."));
    return dotted.length === 0 || room <= 0 ? bare : [...symbols, ...dotted.slice(0, room)].join(",");
  },
};

/** The text itself if no member changes. */
function mapMembers(text: string, map: (member: string) => string): string {
  const before = members(text);
  const after = before.map(map);
  return after.every((each, index) => each === before[index]) ? text : after.join(",");
}

const members = (text: string): string[] => text.split(",").map((each) => each.trim());

const unquoted = (text: string): string => {
  const inner = /^(["'])(.*)\1$/.exec(text)?.[2];
  // Several quoted members are not one quoted list.
  return inner === undefined || inner.includes(text[0] as string) ? text : inner.trim();
};

/** In the order in which they apply. */
export const valueRules: readonly ValueRule[] = [
  pageSize,
  negativePage,
  isoDay,
  importance,
  isPrimary,
  countryCode,
  removedType,
  quoted,
  symbol,
];
