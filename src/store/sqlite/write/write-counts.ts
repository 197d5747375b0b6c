// Writes the counts of a transaction to SQLite. The caller holds the transaction.

import { type CountRow, mergeCounts, type Tally } from "../../sql/count-delta.ts";
import { countColumns } from "../../sql/count-index.ts";
import type { Connection } from "../connection.ts";

export function writeCounts(connection: Connection, tally: Tally): void {
  const { counted, tables } = tally;
  const changes = tally.changes();
  if (counted === undefined || changes.size === 0) return;
  const table = `${tables.table}_count`;
  const columns = countColumns(counted);
  const select = connection.prepare(`select ${columns.join(", ")} from ${table} where parent = ?`);
  select.setReturnArrays(true);
  const rows: CountRow[] = [];
  for (const parent of changes.keys()) {
    for (const row of select.all(parent) as unknown as [string, string, ...number[]][])
      rows.push({ parent, period: row[1], counts: row.slice(2) as number[] });
  }
  const { made, changed, gone } = mergeCounts(changes, rows);
  for (const { parent, period } of gone)
    connection.run(`delete from ${table} where parent = ? and period = ?`, parent, period);
  const marks = columns.map(() => "?").join(", ");
  const insert = connection.prepare(`insert or replace into ${table} (${columns.join(", ")}) values (${marks})`);
  // The result carries the last key of the records, and packed keys do not fit a double.
  insert.setReadBigInts(true);
  for (const { parent, period, counts } of [...made, ...changed]) insert.run(parent, period, ...counts);
}
