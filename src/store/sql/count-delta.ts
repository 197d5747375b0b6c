// Records that one transaction writes and takes away, gathered so that their counts are written once, at its end.
import type { Compared } from "../../core/record/row.ts";
import { highOf } from "../rows/packed-key.ts";
import type { Prepared, Stored, Tables } from "../rows/row-encoding.ts";
import { type Counted, countedOf, secondText } from "./count-index.ts";

/** By how much each group of a period changes, for each period of each parent. */
export type Changes = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;

/** A row of the table of counts: for each group the records that the period holds, then for each those before it. */
export type CountRow = { readonly parent: string; readonly period: string; readonly counts: readonly number[] };

export class Tally {
  readonly tables: Tables;
  readonly counted: Counted | undefined;
  /** The groups that a record is of, by its values. */
  readonly #groups: ReadonlyMap<string, readonly number[]>;
  /** By period of the finest step. */
  readonly #finest = new Map<string, number[]>();

  constructor(tables: Tables) {
    this.tables = tables;
    this.counted = countedOf(tables.resource);
    const { groups = [] } = this.counted ?? {};
    this.#groups = new Map(
      groups.map((values) => [
        values.join(),
        [...groups.keys()].filter((group) => groups[group]?.every((least, column) => least <= (values[column] ?? 0))),
      ]),
    );
  }

  add({ key, columns }: Prepared): void {
    this.#count(1, key, (name) => columns[this.tables.columns.indexOf(name)]);
  }

  take(stored: Stored): void {
    this.#count(-1, stored.key, (name) => stored[name] as Compared);
  }

  #count(by: 1 | -1, key: unknown, value: (column: string) => Compared | undefined): void {
    if (this.counted === undefined) return;
    const { lengths, day, columns, groups } = this.counted;
    const place = day === undefined ? secondText(highOf(BigInt(key as bigint | string))) : String(value(day));
    const counting = this.#groups.get(columns.map(value).join());
    if (counting === undefined)
      throw new Error(`${this.tables.resource.name}: ${columns} is not expected to be ${columns.map(value)}`);
    const counts = countsIn(this.#finest, place.slice(0, lengths.at(-1)), groups.length);
    for (const group of counting) counts[group] = (counts[group] ?? 0) + by;
  }

  changes(): Changes {
    const parents = new Map<string, Map<string, number[]>>();
    for (const [finest, counts] of this.#finest) {
      let parent = "";
      for (const length of this.counted?.lengths ?? []) {
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
  const known = periods.get(period);
  if (known !== undefined) return known;
  const counts = new Array<number>(groups).fill(0);
  periods.set(period, counts);
  return counts;
}

/** Which rows are to be made, changed and deleted. */
export type CountRows = Readonly<Record<"made" | "changed" | "gone", CountRow[]>>;

/** What becomes of the rows of the parents that change, given all of them. */
export function mergeCounts(changes: Changes, rows: readonly CountRow[]): CountRows {
  const merged: CountRows = { made: [], changed: [], gone: [] };
  const siblings = Map.groupBy(rows, ({ parent }) => parent);
  for (const [parent, periods] of changes) {
    const known = new Map(siblings.get(parent)?.map(({ period, counts }) => [period, counts]));
    let before: number[] | undefined;
    // Names of periods are digits and hyphens, so any comparison of texts gives their order.
    for (const period of [...new Set([...known.keys(), ...periods.keys()])].sort()) {
      const old = known.get(period);
      const counts = counted(old, periods.get(period), before);
      const groups = counts.length / 2;
      if (counts.some((count) => count < 0)) throw new Error(`more records of ${period} are taken away than it had`);
      if (counts.every((count, index) => count === 0 || index >= groups)) merged.gone.push({ parent, period, counts });
      else {
        if (old === undefined) merged.made.push({ parent, period, counts });
        else if (!old.every((count, index) => count === counts[index])) merged.changed.push({ parent, period, counts });
        before = counts;
      }
    }
  }
  return merged;
}

/** The counts of a period, given what they were, by how much it changes, and the counts of the sibling before it. */
function counted(
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
