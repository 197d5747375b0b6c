// The list of days: records of each resource per day, read from the count index.

import type { Resource } from "../../core/catalog/resource.ts";
import type { Plan } from "../../core/query/plan.ts";
import { parseListQuery } from "../../core/query/planner.ts";
import { compareText, type Json } from "../../core/record/row.ts";
import { dayBounds, dayNumber, dayOfNumber, localDay, type Zone } from "../../core/value/time-zone.ts";
import type { Page } from "../store.ts";
import { newStatement, tableName } from "./compile.ts";
import { countIndexOf } from "./count-index.ts";
import { compileManyHidden, delayCutoff, hiddenDayCounts, visibleTest } from "./delayed-day-counts.ts";
import type { Bind, Compiled, Dialect } from "./dialect.ts";
import { type CountSource, countBefore, countsFor, finestSeconds } from "./offset-seek.ts";

type ResultRow = Readonly<Record<string, unknown>>;
/** Runs a statement and returns its rows. */
export type QueryRows = (compiled: Compiled) => Promise<readonly ResultRow[]>;

/** A page of days, rendered as the JSON of records. */
export async function dayCountsPage(plan: Plan, zone: Zone, dialect: Dialect, query: QueryRows): Promise<Page> {
  const days = await daysOfPage(plan, zone, dialect, query);
  if (days.length === 0) return { records: "", count: 0, last: undefined };
  const rows = await query(await compileDayCounts(plan, days, zone, dialect, query));
  const found = new Map<string, number>();
  for (const { name, position, n } of rows) {
    const at = `${name} ${position}`;
    found.set(at, (found.get(at) ?? 0) + Number(n));
  }
  const cutoff = delayCutoff(plan);
  const countOf = (resource: Resource, day: string): number => {
    if (resource.packedKey === undefined) return found.get(`${resource.name} ${day}`) ?? 0;
    const { from, before } = dayEdges(day, zone, cutoff);
    return (found.get(`${resource.name} ${before}`) ?? 0) - (found.get(`${resource.name} ${from}`) ?? 0);
  };
  const records = days.map((date) => {
    const counts = sourcesOf(plan).map((each): [string, Json] => [each.name, countOf(each, date)]);
    // In alphabetical order, like the keys of every record.
    const values = [...counts, ["date", date] as const].toSorted(([a], [b]) => compareText(a, b));
    return JSON.stringify(Object.fromEntries(values));
  });
  return { records: records.join(","), count: days.length, last: undefined };
}

/** The statement that counts, or the one that finds the days if there are none; for `explain`. */
export async function dayCountsStatement(
  plan: Plan,
  zone: Zone,
  dialect: Dialect,
  query: QueryRows,
): Promise<Compiled> {
  const days = await daysOfPage(plan, zone, dialect, query);
  return days.length === 0 ? compileSpan(plan, dialect) : compileDayCounts(plan, days, zone, dialect, query);
}

/** For a key with a delay, first determines how to find the records hidden from it. */
async function compileDayCounts(
  plan: Plan,
  days: readonly string[],
  zone: Zone,
  dialect: Dialect,
  query: QueryRows,
): Promise<Compiled> {
  const cutoff = delayCutoff(plan);
  const statement = cutoff === undefined ? undefined : compileManyHidden(sourcesOf(plan), cutoff, dialect);
  const names =
    statement === undefined || statement.sql === "" ? [] : (await query(statement)).map(({ name }) => String(name));
  return compileCounts(plan, days, zone, dialect, new Set(names));
}

/** The resources to count: all, or those licensed to the key. */
function sourcesOf({ resource, where }: Plan): readonly Resource[] {
  const sources = resource.dayCountsOf ?? [];
  const licensed = where.find((each) => each.op === "in" && each.column === resource.entitlements.resource);
  return licensed?.op === "in" ? sources.filter(({ name }) => licensed.values.includes(name)) : sources;
}

/** The days of the page, newest first. */
async function daysOfPage(plan: Plan, zone: Zone, dialect: Dialect, query: QueryRows): Promise<string[]> {
  const [byDay] = plan.order;
  const bounds = (op: "gte" | "lte"): string[] =>
    plan.where.flatMap((each) => (each.op === op && each.column === byDay?.column ? [String(each.value)] : [])).sort();
  // Both the request and the terms of its key may set bounds: the narrowest apply.
  let [first, last] = [bounds("gte").at(-1), bounds("lte")[0]];
  if (first === undefined || last === undefined) {
    const rows = await query(compileSpan(plan, dialect));
    const ends = rows.flatMap(({ first, last, seconds }) =>
      [first, last]
        .filter((end) => end !== null)
        .map((end) => (Number(seconds) === 1 ? localDay(zone, Number(end)) : String(end))),
    );
    ends.sort();
    first ??= ends[0];
    last ??= ends.at(-1);
  }
  if (first === undefined || last === undefined) return [];
  const newest = (dayNumber(last) ?? 0) - plan.offset;
  const oldest = Math.max(dayNumber(first) ?? 0, newest - plan.limit + 1);
  return Array.from({ length: Math.max(newest - oldest + 1, 0) }, (_, index) => dayOfNumber(newest - index));
}

/** The first and last position of each resource visible to the key: a day, or a timestamp. */
function compileSpan(plan: Plan, dialect: Dialect): Compiled {
  const { bind, parameters } = newStatement(dialect);
  const cutoff = delayCutoff(plan);
  const parts = sourcesOf(plan).map((resource) => {
    const day = countIndexOf(resource)?.day;
    const position = day === undefined ? "(t.key >> 32) + 2147483648" : `t.${day}`;
    const timeCheck = dialect.timeCheck === undefined ? "" : ` and ${dialect.timeCheck("t.key")}`;
    const visible = () =>
      cutoff === undefined ? "" : ` where ${visibleTest(resource, cutoff, dialect, bind)}${timeCheck}`;
    const end = (direction: string) =>
      `(select cast(${position} as text) from ${tableName(resource)} t${visible()} order by t.${day ?? "key"} ${direction} limit 1)`;
    return `select ${end("asc")} as first, ${end("desc")} as last, ${day === undefined ? 1 : 0} as seconds`;
  });
  return { sql: parts.join(" union all "), parameters };
}

/** One row per day with records; if days are time spans, one per edge, with all records before it. */
function compileCounts(
  plan: Plan,
  days: readonly string[],
  zone: Zone,
  dialect: Dialect,
  manyHidden: ReadonlySet<string>,
): Compiled {
  const { bind, parameters } = newStatement(dialect);
  const cutoff = delayCutoff(plan);
  const parts = sourcesOf(plan).flatMap((resource) => {
    const { name } = resource;
    const { list, counts } = defaultList(resource, zone);
    if (counts.index.day === undefined) {
      const edges = new Set(days.flatMap((day) => Object.values(dayEdges(day, zone, cutoff))));
      return [countsAtEdges(name, counts, edges, dialect, bind)];
    }
    const all = countsOfDays(name, counts, days, bind);
    if (cutoff === undefined) return [all];
    const hidden = hiddenDayCounts(list, resource, days, cutoff, manyHidden.has(name), dialect, bind);
    return hidden === undefined ? [all] : [all, hidden];
  });
  return { sql: parts.join(" union all "), parameters };
}

/** The list without any filter: its records are the ones counted. */
function defaultList(resource: Resource, zone: Zone): { readonly list: Plan; readonly counts: CountSource } {
  const reading = parseListQuery(resource, new Map(), { zone });
  const index = countIndexOf(resource);
  const list = "ok" in reading ? reading.ok.plan : undefined;
  const found = list && index && countsFor(list, index, tableName(resource));
  if (list === undefined || found === undefined) throw new Error(`${resource.name} has no count index by day`);
  return { list, counts: found.counts };
}

function countsOfDays(
  name: string,
  { index, table, inPeriod }: CountSource,
  days: readonly string[],
  bind: Bind,
): string {
  const [month = 0] = index.lengths.slice(-2);
  const [newest = "", oldest = ""] = [days[0], days.at(-1)];
  const parents = [oldest, newest].map((day) => bind(day.slice(0, month)));
  // The range also contains coarser periods.
  const within = `c.parent >= ${parents[0]} and c.parent <= ${parents[1]} and length(c.parent) = ${month}`;
  return `select '${name}' as name, c.period as position, ${inPeriod("c")} as n from ${table} c where ${within} and c.period >= ${bind(oldest)} and c.period <= ${bind(newest)}`;
}

function countsAtEdges(
  name: string,
  counts: CountSource,
  edges: ReadonlySet<number>,
  dialect: Dialect,
  bind: Bind,
): string {
  const finest = finestSeconds(counts.index);
  // Ten digits; adding one more in front preserves leading zeros.
  const prefix = (length: number) =>
    length === 0 ? "''" : `substr(cast(e.value + 10000000000 as text), 2, ${length})`;
  const key = (second: string) => `(${second} - 2147483648) * 4294967296`;
  // Includes all of the last second: the key of the next one may exceed the largest key.
  const rest = `select count(*) from ${counts.records} t where t.key >= ${key(`(e.value - e.value % ${finest})`)} and t.key <= ${key("(e.value - 1)")} + 4294967295`;
  const before = `${countBefore(prefix, false, counts)} + case when e.value % ${finest} = 0 then 0 else (${rest}) end`;
  return `select '${name}' as name, cast(e.value as text) as position, ${before} as n from ${dialect.numbersTable(bind(JSON.stringify([...edges])))} e`;
}

/** The first second of a day and of the next, clamped to what fits a key and is visible. */
function dayEdges(day: string, zone: Zone, cutoff = 2 ** 32): { from: number; before: number } {
  const { from, before } = dayBounds(zone, day);
  const clamp = (second: number) => Math.max(Math.min(second, 2 ** 32, cutoff + 1), 0);
  return { from: clamp(from), before: clamp(before) };
}
