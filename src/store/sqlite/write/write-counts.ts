// Writes the count delta of a transaction to SQLite. The caller opens the transaction.

import { applyChanges, type CountDelta, type CountRow } from "../../sql/count-delta.ts";
import { countColumns } from "../../sql/count-index.ts";
import type { Connection } from "../connection.ts";

export function writeCounts(connection: Connection, delta: CountDelta): void {
  const { index, tables } = delta;
  const changes = delta.changes();
  if (index === undefined || changes.size === 0) return;
  const table = `${tables.table}_count`;
  const columns = countColumns(index);
  const select = connection.prepare(`select ${columns.join(", ")} from ${table} where parent = ?`);
  select.setReturnArrays(true);
  const rows: CountRow[] = [];
  for (const parent of changes.keys()) {
    for (const row of select.all(parent) as unknown as [string, string, ...number[]][])
      rows.push({ parent, period: row[1], counts: row.slice(2) as number[] });
  }
  const { inserted, updated, deleted } = applyChanges(changes, rows);
  for (const { parent, period } of deleted)
    connection.run(`delete from ${table} where parent = ? and period = ?`, parent, period);
  const placeholders = columns.map(() => "?").join(", ");
  const insert = connection.prepare(`insert or replace into ${table} (${columns.join(", ")}) values (${placeholders})`);
  // The result includes the last key of the records, and packed keys don't fit a double.
  insert.setReadBigInts(true);
  for (const { parent, period, counts } of [...inserted, ...updated]) insert.run(parent, period, ...counts);
}
