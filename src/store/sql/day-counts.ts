// The list of days: how many records of each resource a day has, read from the counts by which deep pages are found.

import type { Resource } from "../../core/catalog/resource.ts";
import type { Plan } from "../../core/query/plan.ts";
import { read } from "../../core/query/planner.ts";
import { compareText, type Json } from "../../core/record/row.ts";
import { dayBounds, dayNumber, dayOfNumber, localDay, type Zone } from "../../core/value/time-zone.ts";
import type { Page } from "../store.ts";
import { begin, tableOf } from "./compile.ts";
import { countedOf } from "./count-index.ts";
import { compileCrowded, cutoffOf, hiddenOfDays, seenTest } from "./delayed-day-counts.ts";
import type { Bind, Compiled, Dialect } from "./dialect.ts";
import { type Counts, countBefore, countsFor, finestSeconds } from "./offset-seek.ts";

type Given = Readonly<Record<string, unknown>>;
export type AskDays = (compiled: Compiled) => Promise<readonly Given[]>;

/** The page, its days as the JSON of records. */
export async function daysPage(plan: Plan, zone: Zone, dialect: Dialect, ask: AskDays): Promise<Page> {
  const days = await daysAsked(plan, zone, dialect, ask);
  if (days.length === 0) return { records: "", count: 0, last: undefined };
  const rows = await ask(await statementFor(plan, days, zone, dialect, ask));
  const found = new Map<string, number>();
  for (const { name, place, n } of rows) {
    const at = `${name} ${place}`;
    found.set(at, (found.get(at) ?? 0) + Number(n));
  }
  const cutoff = cutoffOf(plan);
  const countOf = (resource: Resource, day: string): number => {
    if (resource.packed === undefined) return found.get(`${resource.name} ${day}`) ?? 0;
    const { from, before } = edgesOf(day, zone, cutoff);
    return (found.get(`${resource.name} ${before}`) ?? 0) - (found.get(`${resource.name} ${from}`) ?? 0);
  };
  const records = days.map((date) => {
    const counts = sourcesOf(plan).map((each): [string, Json] => [each.name, countOf(each, date)]);
    // In the order of the alphabet, as the keys of every record.
    const values = [...counts, ["date", date] as const].toSorted(([a], [b]) => compareText(a, b));
    return JSON.stringify(Object.fromEntries(values));
  });
  return { records: records.join(","), count: days.length, last: undefined };
}

/** The statement that counts, or the one that finds the days to be counted when there are none. */
export async function daysStatement(plan: Plan, zone: Zone, dialect: Dialect, ask: AskDays): Promise<Compiled> {
  const days = await daysAsked(plan, zone, dialect, ask);
  return days.length === 0 ? compileSpan(plan, dialect) : statementFor(plan, days, zone, dialect, ask);
}

/** For a key with a delay it is asked first how the records that are hidden from it are best found. */
async function statementFor(
  plan: Plan,
  days: readonly string[],
  zone: Zone,
  dialect: Dialect,
  ask: AskDays,
): Promise<Compiled> {
  const cutoff = cutoffOf(plan);
  const crowded = cutoff === undefined ? undefined : compileCrowded(sourcesOf(plan), cutoff, dialect);
  const names = crowded === undefined || crowded.sql === "" ? [] : (await ask(crowded)).map(({ name }) => String(name));
  return compileCounts(plan, days, zone, dialect, new Set(names));
}

/** What is counted: all, or what the key was sold. */
function sourcesOf({ resource, where }: Plan): readonly Resource[] {
  const sources = resource.daysOf ?? [];
  const sold = where.find((each) => each.op === "in" && each.column === resource.sold.resource);
  return sold?.op === "in" ? sources.filter(({ name }) => sold.values.includes(name)) : sources;
}

/** The days of the page, newest first. */
async function daysAsked(plan: Plan, zone: Zone, dialect: Dialect, ask: AskDays): Promise<string[]> {
  const [byDay] = plan.order;
  const bounds = (wanted: "gte" | "lte"): string[] =>
    plan.where
      .flatMap((each) => (each.op === wanted && each.column === byDay?.column ? [String(each.value)] : []))
      .sort();
  // A key may see less than it asks for.
  let [first, last] = [bounds("gte").at(-1), bounds("lte")[0]];
  if (first === undefined || last === undefined) {
    const rows = await ask(compileSpan(plan, dialect));
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

/** First and last place of each resource that the key sees: a day, or a second. */
function compileSpan(plan: Plan, dialect: Dialect): Compiled {
  const { bind, parameters } = begin(dialect);
  const cutoff = cutoffOf(plan);
  const parts = sourcesOf(plan).map((resource) => {
    const day = countedOf(resource)?.day;
    const place = day === undefined ? "(t.key >> 32) + 2147483648" : `t.${day}`;
    const inTime = dialect.inTime === undefined ? "" : ` and ${dialect.inTime("t.key")}`;
    const seen = () => (cutoff === undefined ? "" : ` where ${seenTest(resource, cutoff, dialect, bind)}${inTime}`);
    const end = (direction: string) =>
      `(select cast(${place} as text) from ${tableOf(resource)} t${seen()} order by t.${day ?? "key"} ${direction} limit 1)`;
    return `select ${end("asc")} as first, ${end("desc")} as last, ${day === undefined ? 1 : 0} as seconds`;
  });
  return { sql: parts.join(" union all "), parameters };
}

/** One row for each day that has records; where days are spans of seconds, one for each edge, with all records before it. */
function compileCounts(
  plan: Plan,
  days: readonly string[],
  zone: Zone,
  dialect: Dialect,
  crowded: ReadonlySet<string>,
): Compiled {
  const { bind, parameters } = begin(dialect);
  const cutoff = cutoffOf(plan);
  const parts = sourcesOf(plan).flatMap((resource) => {
    const { name } = resource;
    const { list, counts } = listedBy(resource, zone);
    if (counts.counted.day === undefined) {
      const edges = new Set(days.flatMap((day) => Object.values(edgesOf(day, zone, cutoff))));
      return [countsAtEdges(name, counts, edges, dialect, bind)];
    }
    const all = countsOfDays(name, counts, days, bind);
    if (cutoff === undefined) return [all];
    const hidden = hiddenOfDays(list, resource, days, cutoff, crowded.has(name), dialect, bind);
    return hidden === undefined ? [all] : [all, hidden];
  });
  return { sql: parts.join(" union all "), parameters };
}

/** What is counted is what the list shows when nothing is asked for. */
function listedBy(resource: Resource, zone: Zone): { readonly list: Plan; readonly counts: Counts } {
  const reading = read(resource, new Map(), { zone });
  const counted = countedOf(resource);
  const list = "ok" in reading ? reading.ok.plan : undefined;
  const found = list && counted && countsFor(list, counted, tableOf(resource));
  if (list === undefined || found === undefined)
    throw new Error(`the records of ${resource.name} are not counted by day`);
  return { list, counts: found.counts };
}

function countsOfDays(name: string, { counted, table, held }: Counts, days: readonly string[], bind: Bind): string {
  const [month = 0] = counted.lengths.slice(-2);
  const [newest = "", oldest = ""] = [days[0], days.at(-1)];
  const parents = [oldest, newest].map((day) => bind(day.slice(0, month)));
  // Coarser periods stand between those of the days.
  const within = `c.parent >= ${parents[0]} and c.parent <= ${parents[1]} and length(c.parent) = ${month}`;
  return `select '${name}' as name, c.period as place, ${held("c")} as n from ${table} c where ${within} and c.period >= ${bind(oldest)} and c.period <= ${bind(newest)}`;
}

function countsAtEdges(name: string, counts: Counts, edges: ReadonlySet<number>, dialect: Dialect, bind: Bind): string {
  const finest = finestSeconds(counts.counted);
  // Ten digits; one more before them keeps the zeros.
  const place = (length: number) => (length === 0 ? "''" : `substr(cast(e.value + 10000000000 as text), 2, ${length})`);
  const key = (second: string) => `(${second} - 2147483648) * 4294967296`;
  // The last second is included whole: the key of the one after it may be more than a key can be.
  const rest = `select count(*) from ${counts.records} t where t.key >= ${key(`(e.value - e.value % ${finest})`)} and t.key <= ${key("(e.value - 1)")} + 4294967295`;
  const before = `${countBefore(place, false, counts)} + case when e.value % ${finest} = 0 then 0 else (${rest}) end`;
  return `select '${name}' as name, cast(e.value as text) as place, ${before} as n from ${dialect.numbers(bind(JSON.stringify([...edges])))} e`;
}

/** The first second of a day and that of the next, as far as keys can hold them and the reader sees them. */
function edgesOf(day: string, zone: Zone, cutoff = 2 ** 32): { from: number; before: number } {
  const { from, before } = dayBounds(zone, day);
  const held = (second: number) => Math.max(Math.min(second, 2 ** 32, cutoff + 1), 0);
  return { from: held(from), before: held(before) };
}
