// The contents of every table of a database, for comparing two of them row by row.
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { isPostgres } from "../../../src/settings/setting.ts";

/** Rows as text, sorted, by table. Leaves out what differs between databases with the same records. */
export async function tablesIn(database: string): Promise<Record<string, string[]>> {
  return isPostgres(database) ? postgresTables(database) : sqliteTables(database);
}

const excluded = new Set(["migration", "setting", "version", "sqlite_sequence"]);

function sqliteTables(file: string): Record<string, string[]> {
  const db = new DatabaseSync(file);
  try {
    const names = db
      .prepare("select name from sqlite_schema where type = 'table' and name not glob '*_search*' order by name")
      .all()
      .map(({ name }) => String(name));
    // The words of the full-text index, with their positions.
    db.exec("create virtual table temp.found using fts5vocab (main, news_search, instance)");
    const tables = [...names.filter((name) => !excluded.has(name)), "temp.found"].map((name) => {
      const statement = db.prepare(`select * from ${name}`);
      statement.setReadBigInts(true);
      return [name, printed(statement.all())];
    });
    const indexes = db.prepare("select name, sql from sqlite_schema where type = 'index'").all();
    return { ...Object.fromEntries(tables), indexes: printed(indexes) };
  } finally {
    db.close();
  }
}

async function postgresTables(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query("select tablename from pg_tables where schemaname = current_schema()");
    const names = rows.map(({ tablename }) => String(tablename)).filter((name) => !excluded.has(name));
    const tables: Record<string, string[]> = {};
    for (const name of names.sort()) tables[name] = printed((await client.query(`select * from ${name}`)).rows);
    return tables;
  } finally {
    await client.end();
  }
}

const printed = (rows: readonly object[]): string[] =>
  rows
    .map((row) => JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value)))
    .sort((a, b) => (a < b ? -1 : 1));
