// Upgrades a PostgreSQL database for the catalog: migrations, then a backfill of the columns they added.
import type { Resource } from "../../core/catalog/resource.ts";
import { schemaHash } from "../../core/record/schema-hash.ts";
import type { Migration } from "../migrate.ts";
import { type FoundColumns, verifySchema } from "../schema/verify.ts";
import { backfill } from "./backfill.ts";
import { migrate } from "./migrate.ts";
import type { ConnectionPool } from "./pool/pool.ts";

export async function upgrade(
  pool: ConnectionPool,
  catalog: readonly Resource[],
  migrations: readonly Migration[],
): Promise<void> {
  await migrate(pool, schemaHash(catalog), migrations);
  const columns = await pool.queryInBackground(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = current_schema()`,
  );
  verifySchema(catalog, migrations, columns as unknown as FoundColumns);
  await backfill(pool, catalog, migrations);
}
