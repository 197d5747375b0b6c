// Count deltas: accumulates what a transaction adds and deletes, so that counts are written once, before it commits.
import type { CompareKey } from "../../core/record/row.ts";
import { highOf } from "../rows/packed-key.ts";
import type { EncodedRow, StoredRow, Tables } from "../rows/row-encoding.ts";
import { type CountIndex, countIndexOf, secondsText } from "./count-index.ts";

/** The change of each group's count, by parent and period. */
type CountChanges = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;

/** A row of the count table: records in the period by group, then records in its earlier siblings by group. */
export type CountRow = { readonly parent: string; readonly period: string; readonly counts: readonly number[] };

export class CountDelta {
  readonly tables: Tables;
  readonly index: CountIndex | undefined;
  /** The groups that a record belongs to, by its values. */
  readonly #groups: ReadonlyMap<string, readonly number[]>;
  /** By period of the finest level. */
  readonly #finest = new Map<string, number[]>();

  constructor(tables: Tables) {
    this.tables = tables;
    this.index = countIndexOf(tables.resource);
    const { groups = [] } = this.index ?? {};
    this.#groups = new Map(
      groups.map((values) => [
        values.join(),
        [...groups.keys()].filter((group) => groups[group]?.every((least, column) => least <= (values[column] ?? 0))),
      ]),
    );
  }

  add({ key, columns }: Pick<EncodedRow, "key" | "columns">): void {
    this.#count(1, key, (name) => columns[this.tables.columns.indexOf(name)]);
  }

  subtract(stored: StoredRow): void {
    this.#count(-1, stored.key, (name) => stored[name] as CompareKey);
  }

  #count(by: 1 | -1, key: unknown, value: (column: string) => CompareKey | undefined): void {
    if (this.index === undefined) return;
    const { lengths, day, columns, groups } = this.index;
    const position = day === undefined ? secondsText(highOf(BigInt(key as bigint | string))) : String(value(day));
    const matching = this.#groups.get(columns.map(value).join());
    if (matching === undefined)
      throw new Error(`${this.tables.resource.name}: unexpected values of ${columns}: ${columns.map(value)}`);
    const counts = countsIn(this.#finest, position.slice(0, lengths.at(-1)), groups.length);
    for (const group of matching) counts[group] = (counts[group] ?? 0) + by;
  }

  changes(): CountChanges {
    const parents = new Map<string, Map<string, number[]>>();
    for (const [finest, counts] of this.#finest) {
      let parent = "";
      for (const length of this.index?.lengths ?? []) {
        const period = finest.slice(0, length);
        const periods = parents.get(parent) ?? new Map<string, number[]>();
        parents.set(parent, periods);
        const sums = countsIn(periods, period, counts.length);
        for (const [group, by] of counts.entries()) sums[group] = (sums[group] ?? 0) + by;
        parent = period;
      }
    }
    for (const [parent, periods] of parents) {
      for (const [period, counts] of periods) if (counts.every((by) => by === 0)) periods.delete(period);
      if (periods.size === 0) parents.delete(parent);
    }
    return parents;
  }
}

function countsIn(periods: Map<string, number[]>, period: string, groups: number): number[] {
  const existing = periods.get(period);
  if (existing !== undefined) return existing;
  const counts = new Array<number>(groups).fill(0);
  periods.set(period, counts);
  return counts;
}

/** Rows to insert, update, and delete. */
type RowChanges = Readonly<Record<"inserted" | "updated" | "deleted", CountRow[]>>;

/** Applies changes to the count rows of all parents that they affect. */
export function applyChanges(changes: CountChanges, rows: readonly CountRow[]): RowChanges {
  const merged: RowChanges = { inserted: [], updated: [], deleted: [] };
  const siblings = Map.groupBy(rows, ({ parent }) => parent);
  for (const [parent, periods] of changes) {
    const existing = new Map(siblings.get(parent)?.map(({ period, counts }) => [period, counts]));
    let before: number[] | undefined;
    // Names consist of digits and hyphens, so that any collation sorts them alike.
    for (const period of [...new Set([...existing.keys(), ...periods.keys()])].sort()) {
      const old = existing.get(period);
      const counts = newCounts(old, periods.get(period), before);
      const groups = counts.length / 2;
      if (counts.some((count) => count < 0)) throw new Error(`${period} would have a negative record count`);
      if (counts.every((count, index) => count === 0 || index >= groups))
        merged.deleted.push({ parent, period, counts });
      else {
        if (old === undefined) merged.inserted.push({ parent, period, counts });
        else if (!old.every((count, index) => count === counts[index])) merged.updated.push({ parent, period, counts });
        before = counts;
      }
    }
  }
  return merged;
}

/** The new counts of a period, from its old ones, their changes, and the counts of the preceding sibling. */
function newCounts(
  old: readonly number[] | undefined,
  changes: readonly number[] | undefined,
  before: readonly number[] | undefined,
): number[] {
  const groups = changes?.length ?? (old?.length ?? 0) / 2;
  const counts = new Array<number>(2 * groups);
  for (let group = 0; group < groups; group++) {
    counts[group] = (old?.[group] ?? 0) + (changes?.[group] ?? 0);
    counts[group + groups] = (before?.[group] ?? 0) + (before?.[group + groups] ?? 0);
  }
  return counts;
}
