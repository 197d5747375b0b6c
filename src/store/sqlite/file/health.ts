// Health check of a SQLite file: reads from it and writes to it.
import type { Resource } from "../../../core/catalog/resource.ts";
import { tableName } from "../../sql/compile.ts";
import { type Health, StoreError } from "../../store.ts";
import { Connection, isLocked } from "../connection.ts";

/** Uses a new connection, because one with cached pages wouldn't notice a damaged file. */
export function checkHealth(file: string, catalog: readonly Resource[]): Health {
  let connection: Connection | undefined;
  try {
    connection = new Connection(file, { readOnly: false, waitsForLocks: false });
    for (const resource of catalog) connection.get(`select id from ${tableName(resource)} order by key desc limit 1`);
    return { ready: true, checks: { database: "ok", ...checkWritable(connection) } };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { ready: false, checks: { database: error.message } };
  } finally {
    connection?.close();
  }
}

function checkWritable(connection: Connection): Record<string, string> {
  try {
    connection.run("insert or replace into setting (name, value) values ('note:probe', ?)", new Date().toISOString());
    return {};
  } catch (error) {
    // Another process is writing, so that writing works.
    if (isLocked(error)) return {};
    if (error instanceof StoreError) return { writing: error.message };
    throw error;
  }
}
