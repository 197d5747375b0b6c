// The count index of a resource: records per period, so that an offset is found without scanning up to it.
import type { Table } from "../../core/catalog/extension.ts";
import { fieldOf } from "../../core/catalog/resource.ts";

/**
 * A period is named by a prefix of its records' position in the order, as text: 2024, 2024-11, 2024-11-05. Its parent is
 * the period one level coarser; that of the coarsest is the empty string.
 */
export type CountIndex = {
  /** Length of a period's name at each level, coarsest first. */
  readonly lengths: readonly number[];
  /** The day column; undefined for the high half of the packed key, in seconds. */
  readonly day: string | undefined;
  readonly columns: readonly string[];
  /** All values of each column, in order. */
  readonly values: readonly (readonly number[])[];
  /** Every combination of values. A record belongs to a group if each of its values is at least the group's. */
  readonly groups: readonly (readonly number[])[];
  /** Database columns per group: records in the period, and in its earlier siblings. */
  readonly inPeriod: readonly string[];
  readonly earlier: readonly string[];
};

/** Years, months, and days. */
const dayLengths = [4, 7, 10];
/** Prefixes of the ten digits of a timestamp: 116 days, 28 hours, 2.8 hours. */
const secondLengths = [3, 5, 6];

/** The table has two columns per group. */
const maxGroups = 24;

const countIndexes = new Map<Table, CountIndex | undefined>();

export function countIndexOf(resource: Table): CountIndex | undefined {
  if (!countIndexes.has(resource))
    countIndexes.set(resource, resource.countedBy && buildCountIndex(resource, resource.countedBy));
  return countIndexes.get(resource);
}

function buildCountIndex(resource: Table, columns: readonly string[]): CountIndex {
  const { packedKey, order } = resource;
  const day = packedKey === undefined ? (order[0]?.column ?? "") : undefined;
  const field = day === undefined ? undefined : fieldOf(resource, day);
  if (field !== undefined && !(field.kind === "day" && field.required))
    throw new Error(`${resource.name} can't be counted by ${day}: it isn't a required day field`);
  if (packedKey !== undefined && columns.length > 0)
    throw new Error(`${resource.name} has a packed key and can't be counted by columns`);
  const values = columns.map((column) => valuesOf(resource, column));
  const groups = values.reduce<number[][]>(
    (all, next) => all.flatMap((group) => next.map((value) => [...group, value])),
    [[]],
  );
  if (groups.length > maxGroups)
    throw new Error(`${resource.name} has more than ${maxGroups} combinations of counted values`);
  const columnNames = (prefix: string) => groups.map((group) => [prefix, ...group].join("_"));
  const lengths = day === undefined ? secondLengths : dayLengths;
  return { lengths, day, columns, values, groups, inPeriod: columnNames("n"), earlier: columnNames("earlier") };
}

/** All values of a column; an unknown integer is 0. */
function valuesOf(resource: Table, column: string): readonly number[] {
  const { compareKeys, range } = fieldOf(resource, column);
  if (compareKeys !== undefined) return compareKeys;
  if (range === undefined || range.max - range.min >= maxGroups)
    throw new Error(
      `${resource.name} can't be counted by ${column}: its field doesn't declare fewer than ${maxGroups} values`,
    );
  const values = Array.from({ length: range.max - range.min + 1 }, (_, index) => range.min + index);
  return values.includes(0) ? values : [0, ...values];
}

/** A timestamp as text that sorts like the number. */
export const secondsText = (seconds: number): string => String(seconds).padStart(10, "0");

/** Counts all records of a table: with a count index, those of the coarsest periods in the group of the least values. */
export function totalCountSql(resource: Table, table: string): string {
  const [all] = countIndexOf(resource)?.inPeriod ?? [];
  return all === undefined
    ? `select count(*) as n from ${table}`
    : `select coalesce(sum(${all}), 0) as n from ${table}_count where parent = ''`;
}

export const countColumns = ({ inPeriod, earlier }: CountIndex): string[] => [
  "parent",
  "period",
  ...inPeriod,
  ...earlier,
];
