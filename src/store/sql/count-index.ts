// What is counted of a resource: how many records each period holds, kept beside the records so that a deep page is found
// without walking to it.
import type { Table } from "../../core/catalog/extension.ts";
import { fieldOf } from "../../core/catalog/resource.ts";

/**
 * A period is named by the beginning of its records' place in the order, written as text: 2024, 2024-11, 2024-11-05.
 * Its parent is the period one step coarser; the coarsest have none, which is the empty text.
 */
export type Counted = {
  /** Characters of a name at each step, coarsest first. */
  readonly lengths: readonly number[];
  /** The column of days; undefined: the high half of the packed key, which is in seconds. */
  readonly day: string | undefined;
  readonly columns: readonly string[];
  /** For each column all its values, in order. */
  readonly values: readonly (readonly number[])[];
  /** Every combination of them. A record is of a group when each of its values is at least the group's. */
  readonly groups: readonly (readonly number[])[];
  /** Names of database columns: for each group, the records that the period holds, and those of its earlier siblings. */
  readonly held: readonly string[];
  readonly earlier: readonly string[];
};

/** Years, months and days. */
const dayLengths = [4, 7, 10];
/** Digits of a second, of which a packed key has ten: 116 days, 28 hours, 2.8 hours. */
const secondLengths = [3, 5, 6];

/** A table has two columns for each group. */
const mostGroups = 24;

const known = new Map<Table, Counted | undefined>();

export function countedOf(resource: Table): Counted | undefined {
  if (!known.has(resource)) known.set(resource, resource.counted && describe(resource, resource.counted));
  return known.get(resource);
}

function describe(resource: Table, columns: readonly string[]): Counted {
  const { packed, order } = resource;
  const day = packed === undefined ? (order[0]?.column ?? "") : undefined;
  const field = day === undefined ? undefined : fieldOf(resource, day);
  if (field !== undefined && !(field.kind === "day" && field.required))
    throw new Error(`${resource.name} is counted by ${day}, which is not a day that every record has`);
  if (packed !== undefined && columns.length > 0)
    throw new Error(`${resource.name} has a packed key, and no columns beside it to count by`);
  const values = columns.map((column) => valuesOf(resource, column));
  const groups = values.reduce<number[][]>(
    (all, next) => all.flatMap((group) => next.map((value) => [...group, value])),
    [[]],
  );
  if (groups.length > mostGroups) throw new Error(`${resource.name} is counted by columns of too many values`);
  const named = (what: string) => groups.map((group) => [what, ...group].join("_"));
  const lengths = day === undefined ? secondLengths : dayLengths;
  return { lengths, day, columns, values, groups, held: named("n"), earlier: named("earlier") };
}

/** All values of a column. An integer that is unknown is 0. */
function valuesOf(resource: Table, column: string): readonly number[] {
  const { compared, range } = fieldOf(resource, column);
  if (compared !== undefined) return compared;
  if (range === undefined || range.max - range.min >= mostGroups)
    throw new Error(`${resource.name} is counted by ${column}, which does not say that its values are few`);
  const values = Array.from({ length: range.max - range.min + 1 }, (_, index) => range.min + index);
  return values.includes(0) ? values : [0, ...values];
}

/** The place of a packed key's high half in the order, as text. */
export const secondText = (seconds: number): string => String(seconds).padStart(10, "0");

/** All records of a table: where they are counted, the coarsest periods hold them all, in the group of the least values. */
export function totalSql(resource: Table, table: string): string {
  const [all] = countedOf(resource)?.held ?? [];
  return all === undefined
    ? `select count(*) as n from ${table}`
    : `select coalesce(sum(${all}), 0) as n from ${table}_count where parent = ''`;
}

export const countColumns = ({ held, earlier }: Counted): string[] => ["parent", "period", ...held, ...earlier];
