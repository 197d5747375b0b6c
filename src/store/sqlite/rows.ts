// Whole records of SQLite as rows: by id, and some at a time in the order of the ids.
import type { Resource } from "../../core/resource.ts";
import type { Row } from "../../core/row.ts";
import { recallStored, selectStored, tablesOf } from "../prepared.ts";
import type { Connection } from "./connection.ts";

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

function select(connection: Connection, resource: Resource, rest: string, ...values: (string | number)[]): Row[] {
  const tables = tablesOf(resource);
  return connection.allWide(`${selectStored(tables)} ${rest}`, ...values).map((row) => recallStored(tables, row));
}
