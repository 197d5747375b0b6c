// Whether a file can be read and written, by doing both.
import type { Resource } from "../../../core/catalog/resource.ts";
import { tableOf } from "../../sql/compile.ts";
import { type Health, StoreError } from "../../store.ts";
import { Connection, isLocked } from "../connection.ts";

/** On a connection that holds no page in memory: another one would not notice what has become of the file. */
export function look(file: string, catalog: readonly Resource[]): Health {
  let connection: Connection | undefined;
  try {
    connection = new Connection(file, { readOnly: false, patient: false });
    for (const resource of catalog) connection.get(`select id from ${tableOf(resource)} order by key desc limit 1`);
    return { ready: true, checks: { database: "ok", ...writing(connection) } };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { ready: false, checks: { database: error.message } };
  } finally {
    connection?.close();
  }
}

function writing(connection: Connection): Record<string, string> {
  try {
    connection.run("insert or replace into setting (name, value) values ('note:probe', ?)", new Date().toISOString());
    return {};
  } catch (error) {
    // Another process writes at this moment, so that writing works.
    if (isLocked(error)) return {};
    if (error instanceof StoreError) return { writing: error.message };
    throw error;
  }
}
