// Values to check a parameter with: those that occur in the known records, and what a value does to a request.
import type { Parameter } from "../core/catalog/parameter.ts";
import { matches } from "../core/query/evaluate.ts";
import type { ParsedQuery } from "../core/query/planner.ts";
import type { Json } from "../core/record/row.ts";
import { localDay, parseInstant, type Zone } from "../core/value/time-zone.ts";
import { type Pair, queryText, type Target } from "./target.ts";
import type { Universe } from "./universe.ts";

/** What a parameter changes. */
type Effect = "records" | "order" | "page" | "view" | "nothing";

export function effectOf(query: ParsedQuery, usual: ParsedQuery): Effect {
  const { plan, view } = query;
  const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);
  if (differs(plan.where, usual.plan.where)) return "records";
  if (differs(plan.order, usual.plan.order)) return "order";
  if (plan.limit !== usual.plan.limit || plan.offset !== usual.plan.offset) return "page";
  const seen = ({ plan: { include }, view: { selectedFields, transforms } }: ParsedQuery) => [
    include,
    selectedFields ?? 0,
    transforms.map(({ name }) => name),
  ];
  return differs(seen({ ...query, view }), seen(usual)) ? "view" : "nothing";
}

/** The parsed request; undefined if it is invalid. */
export function parsed(target: Target, zone: Zone, ...pairs: Pair[]): ParsedQuery | undefined {
  const expectation = target.parse(queryText(pairs), zone);
  return "query" in expectation ? expectation.query : undefined;
}

const sampleSize = 40;

/** Texts of a sample of the records that could be values. */
export function candidates({ records, zone }: Universe): readonly string[] {
  const step = Math.max(1, Math.floor(records.length / sampleSize));
  const sample = records.filter((_, at) => at % step === 0);
  const texts = sample.flatMap(({ wire, row }) => [...textsOf(wire, zone), ...textsOf(row, zone)]);
  return [...new Set(texts)].filter((text) => text !== "" && text.length <= 100 && !text.includes(","));
}

/** Texts, numbers, timestamps as seconds and days, and some words of longer texts. */
function textsOf(value: Json | undefined, zone: Zone): string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap((each) => textsOf(each, zone));
  if (typeof value !== "string") return [];
  const seconds = /^[A-Z][a-z]{2}, \d/.test(value) ? parseInstant(value) : undefined;
  if (seconds !== undefined) return [String(seconds), localDay(zone, seconds)];
  const words = value.match(/[A-Za-z]{5,20}/g) ?? [];
  return [value, ...words.slice(0, 4)];
}

const perParameter = 3;

/** Values that select some of the known records: few of them, half of them, and most. */
export function valuesInRecords(
  target: Target,
  universe: Universe,
  parameter: Parameter<unknown>,
  among: readonly string[],
): string[] {
  const usual = parsed(target, universe.zone);
  const [name] = parameter.names;
  const total = universe.records.length;
  const counted = among.flatMap((value) => {
    if (parameter.parse(value) === undefined) return [];
    const query = parsed(target, universe.zone, [name, value]);
    if (query === undefined || usual === undefined || effectOf(query, usual) !== "records") return [];
    const count = universe.records.filter(({ row }) => matches(query.plan, row)).length;
    return count === 0 || count === total ? [] : [{ value, count }];
  });
  const sorted = counted.sort((a, b) => a.count - b.count || (a.value < b.value ? -1 : 1)).map(({ value }) => value);
  return [...new Set(spread(sorted, perParameter))];
}

/** Some of many, evenly, including the first and the last. */
export function spread<T>(values: readonly T[], count: number): T[] {
  if (values.length <= count) return [...values];
  return Array.from({ length: count }, (_, at) => values[Math.round((at * (values.length - 1)) / (count - 1))] as T);
}

/** Whether the value is a list of names. */
export const isList = ({ schema }: Parameter<unknown>): boolean => schema.type === "array";
