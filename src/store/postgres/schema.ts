// Brings a PostgreSQL database to what the catalog calls for: migrations, then values for the columns that they added.

import type { Resource } from "../../core/catalog/resource.ts";
import { formOf } from "../../core/record/schema-hash.ts";
import type { Migration } from "../migrate.ts";
import { type FoundColumns, verifySchema } from "../schema/verify.ts";
import { backfill } from "./backfill.ts";
import { migrate } from "./migrate.ts";
import type { Database } from "./pool/pool.ts";

export async function upgrade(
  database: Database,
  catalog: readonly Resource[],
  migrations: readonly Migration[],
): Promise<void> {
  await migrate(database, formOf(catalog), migrations);
  const columns = await database.keep(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = current_schema()`,
  );
  verifySchema(catalog, migrations, columns as unknown as FoundColumns);
  await backfill(database, catalog, migrations);
}
