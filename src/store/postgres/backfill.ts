// Backfills columns that migrations added in PostgreSQL, in batches, under the write lock.
import type { Resource } from "../../core/catalog/resource.ts";
import type { Migration } from "../migrate.ts";
import { selectRowSql } from "../rows/row-encoding.ts";
import { type Backfill, backfillBatch, backfillsOf, encodeAdded } from "../schema/backfill.ts";
import { locks } from "./migrate.ts";
import type { ConnectionPool, Query } from "./pool/pool.ts";
import { readState } from "./replicas/node-state.ts";

export async function backfill(
  pool: ConnectionPool,
  catalog: readonly Resource[],
  migrations: readonly Migration[],
): Promise<void> {
  for (const each of backfillsOf(catalog, migrations)) {
    const [row] = await pool.queryInBackground(
      `select exists (select 1 from ${each.tables.table} r where ${each.unfilled}) as pending`,
    );
    for (let after: unknown = row?.pending === true ? null : undefined; after !== undefined; ) {
      const from = after;
      after = await pool.transaction(async (_client, query) => {
        await query("select pg_advisory_xact_lock($1)", locks.write);
        return fillBatch(query, each, from);
      });
    }
  }
}

/** Returns the key of the last record filled, or undefined if none was left. */
async function fillBatch(query: Query, each: Backfill, after: unknown): Promise<unknown> {
  const { tables, columns, unfilled } = each;
  const { rendering } = await readState(query);
  const [test, values] = after === null ? ["", []] : ["r.key > $1 and ", [after]];
  const stored = await query(
    `${selectRowSql(tables)} where ${test}${unfilled} order by r.key limit ${backfillBatch}`,
    ...values,
  );
  const encoded = stored.map((row) => encodeAdded(each, row, rendering));
  const typeOf = (name: string) => tables.resource.fields[name]?.column.replace("integer", "bigint");
  const arrays = columns.map((name, index) => `$${index + 2}::${typeOf(name)}[]`).join(", ");
  await query(
    `update ${tables.table} t set ${columns.map((name) => `${name} = g.${name}`).join(", ")}
     from unnest($1::bigint[], ${arrays}) g (key, ${columns.join(", ")}) where t.key = g.key`,
    stored.map(({ key }) => key),
    ...columns.map((_, index) => encoded.map((values) => values[index])),
  );
  return stored.at(-1)?.key;
}
