// Which columns, links, and search text a rule reads, found by applying it to the valid values of its parameters.

import type { Condition } from "../query/plan.ts";
import { type Zone, zone } from "../value/time-zone.ts";
import type { Field } from "./field.ts";
import type { ParameterMap, PlanPart, Rule } from "./rule.ts";

/** `parameter` holds the wire names of the rule. */
export type Reference = { readonly parameter: string } & (
  | { readonly column: string }
  | { readonly order: readonly string[] }
  | { readonly link: string }
  | { readonly search: true }
);

type ListStorage = {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly links: Readonly<Record<string, unknown>>;
  readonly searchFields: Readonly<Record<string, unknown>>;
};

export function referencesOf(rules: readonly Rule[]): Reference[] {
  const found = new Map<string, Reference>();
  for (const rule of rules) {
    const parameter = parameterOf(rule);
    for (const part of partsOf(rule)) {
      const order = part.order?.map(({ column }) => column);
      for (const each of [...(part.where ?? []).map(referenceOf), ...(order === undefined ? [] : [{ order }])])
        found.set(JSON.stringify([parameter, each]), { parameter, ...each });
    }
  }
  return [...found.values()];
}

/** Throws for a rule that reads something that records don't have: its requests could only fail. */
export function checkReferences(stored: ListStorage, references: readonly Reference[]): void {
  for (const each of references) {
    const error = referenceError(stored, each);
    if (error !== undefined)
      throw new Error(`The resource ${stored.name} can't serve its rule for ${each.parameter}: ${error}.`);
  }
}

function referenceError({ name, fields, links, searchFields }: ListStorage, each: Reference): string | undefined {
  if ("link" in each)
    return Object.hasOwn(links, each.link)
      ? undefined
      : `${name} stores no links of kind "${each.link}". Add the kind to its "links"`;
  if ("search" in each)
    return Object.keys(searchFields).length > 0 ? undefined : `${name} stores no search text. Add "searchFields"`;
  for (const column of "order" in each ? each.order : [each.column]) {
    const field = Object.hasOwn(fields, column) ? fields[column] : undefined;
    if (field === undefined) return `${name} has no field "${column}". Add it to its "fields", or correct the name`;
    if (!isComparable(field))
      return `the field "${column}" is ${field.heavy ? "large text" : `of kind ${field.kind}`}, which has no column. Use "links" or "searchFields"`;
    if (field.derive !== undefined) return `the field "${column}" is computed from other fields and isn't stored`;
  }
  return undefined;
}

/** Whether the field can have a column. */
const isComparable = ({ heavy, compareKey, empty }: Field): boolean =>
  !heavy && (compareKey(empty) === null || typeof compareKey(empty) !== "object");

const parameterOf = ({ parameters }: Rule): string =>
  Object.values(parameters)
    .map(({ names: [name] }) => name)
    .join(", ") || "every request";

const referenceOf = (condition: Condition) =>
  condition.op === "linked"
    ? { link: condition.kind }
    : condition.op === "search"
      ? ({ search: true } as const)
      : { column: condition.column };

/** The results of a rule for every combination of valid values, each also absent. */
export function* partsOf({ parameters, part }: Rule): Generator<PlanPart> {
  for (const values of combinations(parameters)) yield part(values, { zone: anyZone() });
}

function combinations(parameters: ParameterMap): Record<string, unknown>[] {
  return Object.entries(parameters).reduce<Record<string, unknown>[]>(
    (all, [name, { valid, parse, fallback }]) => {
      const values = [fallback, ...valid.map((text) => parse(text.trim()))];
      return all.flatMap((some) => values.map((value) => ({ ...some, [name]: value })));
    },
    [{}],
  );
}

let utc: Zone | undefined;

/** What a rule reads doesn't depend on the time zone. */
function anyZone(): Zone {
  utc ??= zone("UTC");
  if (utc === undefined) throw new Error("this Node.js doesn't support the time zone UTC");
  return utc;
}
