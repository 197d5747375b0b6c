// What a rule reads of a record: columns, links, search text. Found by trying the values that its inputs document.

import type { Condition } from "../query/plan.ts";
import { type Zone, zone } from "../value/time-zone.ts";
import type { Field } from "./field.ts";
import type { Inputs, Part, Rule } from "./rule.ts";

/** What one part of a request reads; `parameter` is the wire names of its rule. */
export type Reference = { readonly parameter: string } & (
  | { readonly column: string }
  | { readonly order: readonly string[] }
  | { readonly link: string }
  | { readonly search: true }
);

/** What a list must have behind it for its rules to work. */
export type Stored = {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly links: Readonly<Record<string, unknown>>;
  readonly places: Readonly<Record<string, unknown>>;
};

export function referencesOf(rules: readonly Rule[]): Reference[] {
  const found = new Map<string, Reference>();
  for (const rule of rules) {
    const parameter = parameterOf(rule);
    for (const part of partsOf(rule)) {
      const order = part.order?.map(({ column }) => column);
      for (const each of [...(part.where ?? []).map(target), ...(order === undefined ? [] : [{ order }])])
        found.set(JSON.stringify([parameter, each]), { parameter, ...each });
    }
  }
  return [...found.values()];
}

/** Fails for a rule that reads what a record doesn't have: such a request could only end in an error. */
export function checkReferences(stored: Stored, references: readonly Reference[]): void {
  for (const each of references) {
    const fault = faultOf(stored, each);
    if (fault !== undefined)
      throw new Error(`The resource ${stored.name} can't serve its rule for ${each.parameter}: ${fault}.`);
  }
}

function faultOf({ name, fields, links, places }: Stored, each: Reference): string | undefined {
  if ("link" in each)
    return Object.hasOwn(links, each.link)
      ? undefined
      : `${name} stores no links of kind "${each.link}". Add the kind to its "links"`;
  if ("search" in each)
    return Object.keys(places).length > 0 ? undefined : `${name} stores no search text. Add "places" to search in`;
  for (const column of "order" in each ? each.order : [each.column]) {
    const field = Object.hasOwn(fields, column) ? fields[column] : undefined;
    if (field === undefined) return `${name} has no field "${column}". Add it to its "fields", or correct the name`;
    if (!isComparable(field))
      return `the field "${column}" is ${field.heavy ? "large text" : `of kind ${field.kind}`}, which has no column. Use "links" or "places"`;
    if (field.derive !== undefined) return `the field "${column}" is computed from other fields and isn't stored`;
  }
  return undefined;
}

/** Whether the value of a field can stand in a column. */
const isComparable = ({ heavy, compare, empty }: Field): boolean =>
  !heavy && (compare(empty) === null || typeof compare(empty) !== "object");

/** Wire names of a rule's inputs, the documented ones. */
const parameterOf = ({ inputs }: Rule): string =>
  Object.values(inputs)
    .map(({ names: [name] }) => name)
    .join(", ") || "every request";

const target = (condition: Condition) =>
  condition.op === "linked"
    ? { link: condition.kind }
    : condition.op === "search"
      ? ({ search: true } as const)
      : { column: condition.column };

/** The parts that a rule gives for every combination of its inputs' documented values, each of them also left out. */
function* partsOf({ inputs, part }: Rule): Generator<Part> {
  for (const values of combinations(inputs)) yield part(values, { zone: anyZone() });
}

function combinations(inputs: Inputs): Record<string, unknown>[] {
  return Object.entries(inputs).reduce<Record<string, unknown>[]>(
    (all, [name, { good, decode, fallback }]) => {
      const values = [fallback, ...good.map((text) => decode(text.trim()))];
      return all.flatMap((some) => values.map((value) => ({ ...some, [name]: value })));
    },
    [{}],
  );
}

let utc: Zone | undefined;

/** What a rule reads doesn't depend on it. */
function anyZone(): Zone {
  utc ??= zone("UTC");
  if (utc === undefined) throw new Error("this Node.js does not know the time zone UTC");
  return utc;
}
