// Migrates a PostgreSQL database to the latest schema, under a lock: processes may start concurrently.
import { type Migration, newerSchema } from "../migrate.ts";
import type { ConnectionPool } from "./pool/pool.ts";

/** IDs of advisory locks; they only have to be distinct. */
export const locks = { migrate: 0x62_77_00_01, write: 0x62_77_00_02 } as const;

export async function migrate(pool: ConnectionPool, form: string, migrations: readonly Migration[]): Promise<void> {
  for (;;) {
    const done = await pool.transaction(async (_client, query) => {
      await query("select pg_advisory_xact_lock($1)", locks.migrate);
      await query("create table if not exists migration (number bigint primary key, name text not null)");
      const [row] = await query("select coalesce(max(number), 0) as last from migration");
      const last = Number(row?.last);
      if (last > migrations.length) throw newerSchema(last, migrations.length);
      const next = migrations[last];
      if (next === undefined) {
        await query("insert into setting (name, value) values ('form', $1) on conflict (name) do nothing", form);
        return true;
      }
      for (const statement of next.postgres.split(";\n")) if (statement.trim() !== "") await query(statement);
      await query("insert into migration (number, name) values ($1, $2)", last + 1, next.name);
      return false;
    });
    if (done) return;
  }
}
