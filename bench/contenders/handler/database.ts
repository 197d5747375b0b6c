// The handler's database through Kysely: PostgreSQL, or node:sqlite adapted to the driver that Kysely's SQLite dialect
// expects.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Kysely, PostgresDialect, type SqliteDatabase, SqliteDialect } from "kysely";
import pg from "pg";
import type { Tables } from "./tables.ts";

export type Database = { readonly db: Kysely<Tables>; readonly isPostgres: boolean };

export function openDatabase(address: string): Database {
  if (address.startsWith("postgres://")) {
    const pool = new pg.Pool({ connectionString: address, max: 10 });
    return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), isPostgres: true };
  }
  return {
    db: new Kysely<Tables>({ dialect: new SqliteDialect({ database: nodeSqlite(address) }) }),
    isPostgres: false,
  };
}

function nodeSqlite(file: string): SqliteDatabase {
  const database = new DatabaseSync(file);
  // As much page cache as Bellwire uses.
  database.exec("pragma journal_mode = wal; pragma cache_size = -32768");
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  const dressed = (statement: StatementSync) => ({
    reader: statement.columns().length > 0,
    all: (parameters: readonly unknown[]) => statement.all(...values(parameters)),
    run: (parameters: readonly unknown[]) => statement.run(...values(parameters)),
    iterate: (parameters: readonly unknown[]) => statement.iterate(...values(parameters)),
  });
  return { close: () => database.close(), prepare: (sql) => dressed(database.prepare(sql)) };
}
