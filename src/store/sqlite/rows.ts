// Whole records of SQLite as rows: by id, and some at a time or all in the order of the ids.
import type { Resource } from "../../core/catalog/resource.ts";
import type { Row } from "../../core/record/row.ts";
import { recallStored, selectStored, tablesOf } from "../rows/row-encoding.ts";
import type { Connection, SqlRow } from "./connection.ts";

export function rowsOf(connection: Connection, resource: Resource, ids: readonly string[]): Row[] {
  const asked = ids.map((id) => resource.fields.id?.fromText(id));
  return select(connection, resource, "where r.id in (select value from json_each(?))", JSON.stringify(asked));
}

export function rowsAfter(
  connection: Connection,
  resource: Resource,
  after: string | number | undefined,
  limit: number,
): Row[] {
  const [test, values] = after === undefined ? ["", []] : ["where r.id > ? ", [after]];
  return select(connection, resource, `${test}order by r.id limit ?`, ...values, limit);
}

/** Every record as it is stored, from a connection that does nothing else meanwhile. */
export function storedRows(connection: Connection, resource: Resource, after?: string | number): Iterator<SqlRow> {
  const tables = tablesOf(resource);
  const statement = connection.db.prepare(
    `${selectStored(tables)} ${after === undefined ? "" : "where r.id > ?"} order by r.id`,
  );
  // Packed keys do not fit a double.
  statement.setReadBigInts(true);
  return statement.iterate(...(after === undefined ? [] : [after])) as Iterator<SqlRow>;
}

function select(connection: Connection, resource: Resource, rest: string, ...values: (string | number)[]): Row[] {
  const tables = tablesOf(resource);
  return connection.allWide(`${selectStored(tables)} ${rest}`, ...values).map((row) => recallStored(tables, row));
}
