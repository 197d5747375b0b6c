// Applies a transaction's count delta in PostgreSQL, within the caller's transaction.
import { applyChanges, type CountDelta, type CountRow } from "../../sql/count-delta.ts";
import { countColumns } from "../../sql/count-index.ts";
import type { Query } from "../pool/pool.ts";

export async function writeCounts(query: Query, delta: CountDelta): Promise<void> {
  const { index, tables } = delta;
  const changes = delta.changes();
  if (index === undefined || changes.size === 0) return;
  const table = `${tables.table}_count`;
  const columns = countColumns(index);
  const [, , ...numbers] = columns;
  // The numbers of a row as one string: parsing many small values is slow in the driver.
  const rows = await query(
    `select parent, period, concat_ws(',', ${numbers.join(", ")}) as counts from ${table} where parent = any($1)`,
    [...changes.keys()],
  );
  const known = rows.map(({ parent, period, counts }) => ({
    parent: String(parent),
    period: String(period),
    counts: String(counts).split(",").map(Number),
  }));
  const { inserted, updated, deleted } = applyChanges(changes, known);
  const source = `unnest(${columns.map((_, index) => `$${index + 1}::${index < 2 ? "text" : "bigint"}[]`).join(", ")}) g (${columns.join(", ")})`;
  const same = "c.parent = g.parent and c.period = g.period";
  if (deleted.length > 0)
    await query(`delete from ${table} c using ${source} where ${same}`, ...arraysOf(columns.length, deleted));
  if (updated.length > 0) {
    const updates = numbers.map((name) => `${name} = g.${name}`).join(", ");
    await query(`update ${table} c set ${updates} from ${source} where ${same}`, ...arraysOf(columns.length, updated));
  }
  if (inserted.length > 0)
    await query(
      `insert into ${table} (${columns.join(", ")}) select * from ${source}`,
      ...arraysOf(columns.length, inserted),
    );
}

/** An array literal for each column. Period names consist of digits and hyphens. */
function arraysOf(columns: number, rows: readonly CountRow[]): string[] {
  const values = rows.map(({ parent, period, counts }) => [`"${parent}"`, period, ...counts]);
  return Array.from({ length: columns }, (_, column) => `{${values.map((row) => row[column]).join()}}`);
}
