// Records on their way out, reshaped as text: chosen fields, derived ones, changed values. A page becomes what parsing,
// changing and writing each of its records would give, but no record is built.
import type { Table } from "../catalog/extension.ts";
import type { Field } from "../catalog/field.ts";
import type { Resource } from "../catalog/resource.ts";
import type { Change } from "../catalog/rule.ts";
import type { View } from "../query/planner.ts";
import { storedIn, valueIn, type Walk, walkOver } from "./json-scan.ts";
import type { Json } from "./row.ts";

/** Makes a page of records, joined by commas, out of one as it is kept. */
export type Reshape = {
  readonly page: (records: string) => string;
  /** Fields that are told as they follow from others; good only where no record says them itself. */
  readonly derived: readonly string[];
  readonly shape: Shape;
};

/** What a reshape is of, in names alone: another thread can make the same one. */
export type Shape = {
  readonly table: string;
  readonly only: readonly string[] | undefined;
  readonly changes: readonly string[];
};

type Shaped = Table & Pick<Resource, "changes">;

/** The reshape of its table that a shape stands for; undefined where one of its changes is not known. */
export function reshapeNamed({ only, changes }: Shape, table: Shaped): Reshape | undefined {
  const named = changes.flatMap((each) => table.changes.filter(({ name }) => name === each));
  if (named.length < changes.length) return undefined;
  return reshapeOf(table, only === undefined ? { changes: named } : { only, changes: named });
}

/** Undefined where more is asked for than the bytes of a record tell. */
export function reshapeOf(table: Table, view: View): Reshape | undefined {
  const known = reshapes.get(table) ?? new Map<string, Reshape | undefined>();
  reshapes.set(table, known);
  const key = `${view.only ?? "*"} ${view.changes.map(({ name }) => name)}`;
  if (!known.has(key)) {
    if (known.size >= mostKept) known.clear();
    known.set(key, makeReshape(table, view));
  }
  return known.get(key);
}

const reshapes = new WeakMap<Table, Map<string, Reshape | undefined>>();

/** Far more than clients ask for; a bound against one that asks for every combination. */
const mostKept = 500;

function makeReshape({ name: table, fields }: Table, { only, changes }: View): Reshape | undefined {
  const { stored, isFlat } = storedIn(fields);
  const shape = { table, only, changes: changes.map(({ name }) => name) };
  if (only === undefined) return { page: changed(stored, changes, isFlat), derived: [], shape };
  const wanted = Object.keys(fields).filter((name) => only.includes(name));
  const derived = wanted.filter((name) => !stored.includes(name));
  if (derived.some((name) => fields[name]?.derive === undefined)) return undefined;
  const sources = derived.flatMap((name) => fields[name]?.derive?.from ?? []);
  const walk = walkOver(stored, new Set([...wanted, ...sources]), isFlat);
  const steps = wanted.map((name): Step => {
    const change = changeOf(changes, name);
    if (stored.includes(name)) return { place: stored.indexOf(name), change };
    return { derived: derivation(name, fields[name] as Field, walk, stored, change) };
  });
  return { page: picked(walk, steps), derived, shape };
}

/** The JSON that stands between two places of a text, as it is to be; undefined where it stays as it is. */
type OnText = (text: string, from: number, to: number) => string | undefined;
type Step =
  | { readonly place: number; readonly change: OnText | undefined; readonly derived?: undefined }
  | { readonly derived: (records: string) => string };

/** Every member as it is, but for the values that change. */
function changed(stored: readonly string[], changes: readonly Change[], isFlat: boolean): Reshape["page"] {
  const walk = walkOver(stored, new Set(changes.flatMap(({ members }) => Object.keys(members))), isFlat);
  const steps = stored.flatMap((name, place) => {
    const change = changeOf(changes, name);
    return change === undefined ? [] : [{ place, change }];
  });
  return (records) => {
    let out = "";
    let copied = 0;
    for (let at = 0; at < records.length; at++) {
      at = walk.over(records, at);
      for (const { place, change } of steps) {
        if (walk.begins[place] === -1) continue;
        const [from, to] = [walk.values[place] as number, walk.ends[place] as number];
        const after = change(records, from, to);
        if (after === undefined) continue;
        out += records.slice(copied, from) + after;
        copied = to;
      }
    }
    return copied === 0 ? records : out + records.slice(copied);
  };
}

/** Members in the order of the steps, which is the order in which they are kept; neighbours are copied together. */
function picked({ begins, values, ends, over }: Walk, steps: readonly Step[]): Reshape["page"] {
  return (records) => {
    let out = "";
    for (let at = 0; at < records.length; at++) {
      out += at === 0 ? "{" : "},{";
      at = over(records, at);
      let isFirst = true;
      // What is to be copied next, up to the end of the last member; -1 while there is no such member.
      let from = -1;
      let to = -1;
      for (const step of steps) {
        if (step.derived !== undefined) {
          const member = step.derived(records);
          out += records.slice(from, to) + (isFirst ? member : `,${member}`);
          from = to = -1;
        } else {
          const begin = begins[step.place] as number;
          if (begin === -1) continue;
          if (to === -1 || begin !== to + 1) {
            if (to !== -1) out += records.slice(from, to);
            // The comma before a member is copied with it, but not the brace before the first one of a record.
            from = isFirst || records.charCodeAt(begin - 1) !== comma ? begin : begin - 1;
            if (!isFirst && from === begin) out += ",";
          }
          to = ends[step.place] as number;
          if (step.change !== undefined) {
            const value = values[step.place] as number;
            const after = step.change(records, value, to);
            if (after !== undefined) {
              out += records.slice(from, value) + after;
              from = to;
            }
          }
        }
        isFirst = false;
      }
      if (to !== -1) out += records.slice(from, to);
    }
    return out === "" ? "" : `${out}}`;
  };
}

const comma = 0x2c;

/** The member that a field is told as, by those that it follows from. */
function derivation(
  name: string,
  { derive, empty }: Field,
  { begins, values, ends }: Walk,
  stored: readonly string[],
  change: OnText | undefined,
): (records: string) => string {
  const { from = [], by = () => empty } = derive ?? {};
  const places = from.map((each) => stored.indexOf(each));
  const key = `${JSON.stringify(name)}:`;
  const given: (Json | undefined)[] = places.map(() => undefined);
  return (records) => {
    for (let each = 0; each < places.length; each++) {
      const place = places[each] as number;
      given[each] = begins[place] === -1 ? undefined : valueIn(records, values[place] as number, ends[place] as number);
    }
    const json = JSON.stringify(by(...given));
    return key + (change?.(json, 0, json.length) ?? json);
  };
}

/** All that is done to one field, as a change of its JSON. */
function changeOf(changes: readonly Change[], name: string): OnText | undefined {
  const all = changes.flatMap(({ members }) => members[name] ?? []);
  if (all.length === 0) return undefined;
  const known = new Map<string, Known>();
  /** Those that came last, by how they look: most values are found here, without a text being made to look them up. */
  const last: (Known | undefined)[] = Array(256).fill(undefined);
  return (text, from, to) => {
    const look = (31 * (to - from) + 7 * text.charCodeAt(from + 1) + text.charCodeAt(to - 2)) & 255;
    const likely = last[look];
    if (likely?.before.length === to - from && text.startsWith(likely.before, from)) return likely.after;
    const json = text.slice(from, to);
    let found = known.get(json);
    if (found === undefined) {
      const value = JSON.parse(json) as Json;
      const after = JSON.stringify(all.reduce((each, change) => change(each), value));
      // A text of its own: a part of a page would keep the whole page in memory.
      const before = JSON.stringify(value);
      found = { before, after: after === json ? undefined : after };
      // Numbers may be written in several ways.
      if (before !== json || json.length > longestKnown) return found.after;
      if (known.size >= mostKnown) known.clear();
      known.set(before, found);
    }
    last[look] = found;
    return found.after;
  };
}

/** A value, and what becomes of it; undefined where it stays as it is. */
type Known = { readonly before: string; readonly after: string | undefined };

/** Short values are mostly words that come again and again. */
const longestKnown = 64;
const mostKnown = 1000;
