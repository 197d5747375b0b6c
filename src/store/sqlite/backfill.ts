// Fills the columns that migrations added, in SQLite: a batch of records in each transaction.
import type { Resource } from "../../core/catalog/resource.ts";
import type { Migration } from "../migrate.ts";
import { selectRowSql } from "../rows/row-encoding.ts";
import { type Backfill, backfillBatch, backfillsOf, encodeAdded } from "../schema/backfill.ts";
import type { Connection, SqlValue } from "./connection.ts";
import { readState } from "./state.ts";

export function backfill(writer: Connection, catalog: readonly Resource[], migrations: readonly Migration[]): void {
  for (const each of backfillsOf(catalog, migrations)) {
    // Opening must not wait for another process that is writing, unless there is something to do.
    const isPending = writer.get(`select 1 from ${each.tables.table} r where ${each.unfilled} limit 1`) !== undefined;
    for (let after: SqlValue | undefined = isPending ? null : undefined; after !== undefined; ) {
      const from: SqlValue = after;
      after = writer.transaction(() => fillBatch(writer, each, from));
    }
  }
}

/** Returns the key of the last record that was filled, or undefined when none was left. */
function fillBatch(writer: Connection, each: Backfill, after: SqlValue): SqlValue | undefined {
  const { tables, columns, unfilled } = each;
  const { rendering } = readState(writer);
  const [test, values] = after === null ? ["", []] : ["r.key > ? and ", [after]];
  const stored = writer.allBigInt(
    `${selectRowSql(tables)} where ${test}${unfilled} order by r.key limit ${backfillBatch}`,
    ...values,
  );
  const update = `update ${tables.table} set ${columns.map((name) => `${name} = ?`).join(", ")} where key = ?`;
  for (const row of stored) writer.run(update, ...encodeAdded(each, row, rendering), row.key);
  return stored.at(-1)?.key;
}
