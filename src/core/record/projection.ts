// Projections: select, derive, and transform fields in the JSON of a page, with the same result as parsing and
// serializing each record, but faster.
import type { Table } from "../catalog/extension.ts";
import type { Field } from "../catalog/field.ts";
import type { Resource } from "../catalog/resource.ts";
import type { Transform } from "../catalog/rule.ts";
import type { View } from "../query/planner.ts";
import { type MemberScanner, memberScanner, storedMembers, valueAt } from "./json-scan.ts";
import type { Json } from "./row.ts";

export type Projection = {
  /** Maps a page of stored records, joined by commas. */
  readonly page: (records: string) => string;
  /** Fields computed from others; correct only if no record has a stored value. */
  readonly derived: readonly string[];
  readonly spec: ProjectionSpec;
};

/** The projection by names only, so that another thread can create it. */
export type ProjectionSpec = {
  readonly table: string;
  readonly selectedFields: readonly string[] | undefined;
  readonly transforms: readonly string[];
};

/** Undefined if a transform is unknown. */
export function projectionFrom(
  { selectedFields, transforms }: ProjectionSpec,
  table: Table & Pick<Resource, "transforms">,
): Projection | undefined {
  const named = transforms.flatMap((each) => table.transforms.filter(({ name }) => name === each));
  if (named.length < transforms.length) return undefined;
  return projectionOf(
    table,
    selectedFields === undefined ? { transforms: named } : { selectedFields, transforms: named },
  );
}

/** Undefined if the view needs hidden attributes, which the stored JSON doesn't have. */
export function projectionOf(table: Table, view: View): Projection | undefined {
  const known = projections.get(table) ?? new Map<string, Projection | undefined>();
  projections.set(table, known);
  const key = `${view.selectedFields ?? "*"} ${view.transforms.map(({ name }) => name)}`;
  if (!known.has(key)) {
    if (known.size >= maxCached) known.clear();
    known.set(key, makeProjection(table, view));
  }
  return known.get(key);
}

const projections = new WeakMap<Table, Map<string, Projection | undefined>>();

/** A bound against clients that try every combination. */
const maxCached = 500;

function makeProjection({ name: table, fields }: Table, { selectedFields, transforms }: View): Projection | undefined {
  const { stored, isFlat } = storedMembers(fields);
  const spec = { table, selectedFields, transforms: transforms.map(({ name }) => name) };
  if (selectedFields === undefined) return { page: transformAll(stored, transforms, isFlat), derived: [], spec };
  const wanted = Object.keys(fields).filter((name) => selectedFields.includes(name));
  const derived = wanted.filter((name) => !stored.includes(name));
  if (derived.some((name) => fields[name]?.derive === undefined)) return undefined;
  const sources = derived.flatMap((name) => fields[name]?.derive?.from ?? []);
  const scanner = memberScanner(stored, new Set([...wanted, ...sources]), isFlat);
  const steps = wanted.map((name): Step => {
    const replace = replacementOf(transforms, name);
    if (stored.includes(name)) return { index: stored.indexOf(name), replace };
    return { derived: deriveMember(name, fields[name] as Field, scanner, stored, replace) };
  });
  return { page: selectMembers(scanner, steps), derived, spec };
}

/** Returns the replacement of the JSON between two positions; undefined if it is unchanged. */
type Replace = (text: string, from: number, to: number) => string | undefined;
type Step =
  | { readonly index: number; readonly replace: Replace | undefined; readonly derived?: undefined }
  | { readonly derived: (records: string) => string };

/** All members, with transforms applied. */
function transformAll(
  stored: readonly string[],
  transforms: readonly Transform[],
  isFlat: boolean,
): Projection["page"] {
  const scanner = memberScanner(stored, new Set(transforms.flatMap(({ members }) => Object.keys(members))), isFlat);
  const steps = stored.flatMap((name, index) => {
    const replace = replacementOf(transforms, name);
    return replace === undefined ? [] : [{ index, replace }];
  });
  return (records) => {
    let out = "";
    let copied = 0;
    for (let at = 0; at < records.length; at++) {
      at = scanner.scan(records, at);
      for (const { index, replace } of steps) {
        if (scanner.starts[index] === -1) continue;
        const [from, to] = [scanner.values[index] as number, scanner.ends[index] as number];
        const after = replace(records, from, to);
        if (after === undefined) continue;
        out += records.slice(copied, from) + after;
        copied = to;
      }
    }
    return copied === 0 ? records : out + records.slice(copied);
  };
}

/** Members in the order of the steps, which is the stored order; adjacent ones are copied together. */
function selectMembers({ starts, values, ends, scan }: MemberScanner, steps: readonly Step[]): Projection["page"] {
  return (records) => {
    let out = "";
    for (let at = 0; at < records.length; at++) {
      out += at === 0 ? "{" : "},{";
      at = scan(records, at);
      let isFirst = true;
      // Pending range to copy, up to the end of the last member; -1 if there is none.
      let from = -1;
      let to = -1;
      for (const step of steps) {
        if (step.derived !== undefined) {
          const member = step.derived(records);
          out += records.slice(from, to) + (isFirst ? member : `,${member}`);
          from = to = -1;
        } else {
          const begin = starts[step.index] as number;
          if (begin === -1) continue;
          if (to === -1 || begin !== to + 1) {
            if (to !== -1) out += records.slice(from, to);
            // The preceding comma is copied with the member, but not the brace before the first one.
            from = isFirst || records.charCodeAt(begin - 1) !== comma ? begin : begin - 1;
            if (!isFirst && from === begin) out += ",";
          }
          to = ends[step.index] as number;
          if (step.replace !== undefined) {
            const value = values[step.index] as number;
            const after = step.replace(records, value, to);
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

/** Computes a derived field as a JSON member. */
function deriveMember(
  name: string,
  { derive, empty }: Field,
  { starts, values, ends }: MemberScanner,
  stored: readonly string[],
  replace: Replace | undefined,
): (records: string) => string {
  const { from = [], compute = () => empty } = derive ?? {};
  const indexes = from.map((each) => stored.indexOf(each));
  const key = `${JSON.stringify(name)}:`;
  const inputs: (Json | undefined)[] = indexes.map(() => undefined);
  return (records) => {
    for (let each = 0; each < indexes.length; each++) {
      const index = indexes[each] as number;
      inputs[each] =
        starts[index] === -1 ? undefined : valueAt(records, values[index] as number, ends[index] as number);
    }
    const json = JSON.stringify(compute(...inputs));
    return key + (replace?.(json, 0, json.length) ?? json);
  };
}

/** All transforms of a field, as a replacement of its JSON. */
function replacementOf(transforms: readonly Transform[], name: string): Replace | undefined {
  const all = transforms.flatMap(({ members }) => members[name] ?? []);
  if (all.length === 0) return undefined;
  const known = new Map<string, Known>();
  /** The latest values by a cheap hash, to avoid a slice for each lookup. */
  const last: (Known | undefined)[] = Array(256).fill(undefined);
  return (text, from, to) => {
    const slot = (31 * (to - from) + 7 * text.charCodeAt(from + 1) + text.charCodeAt(to - 2)) & 255;
    const likely = last[slot];
    if (likely?.before.length === to - from && text.startsWith(likely.before, from)) return likely.after;
    const json = text.slice(from, to);
    let found = known.get(json);
    if (found === undefined) {
      const value = JSON.parse(json) as Json;
      const after = JSON.stringify(all.reduce((each, transform) => transform(each), value));
      // A new string: a slice would retain the whole page.
      const before = JSON.stringify(value);
      found = { before, after: after === json ? undefined : after };
      // Numbers have several notations.
      if (before !== json || json.length > maxKnownLength) return found.after;
      if (known.size >= maxKnown) known.clear();
      known.set(before, found);
    }
    last[slot] = found;
    return found.after;
  };
}

/** `after` is undefined if the value is unchanged. */
type Known = { readonly before: string; readonly after: string | undefined };

const maxKnownLength = 64;
const maxKnown = 1000;
