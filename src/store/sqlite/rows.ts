// Reads whole records as rows: by ID, and in batches or all, ordered by ID.
import type { Resource } from "../../core/catalog/resource.ts";
import type { Row } from "../../core/record/row.ts";
import { decodeRow, selectRowSql, tablesOf } from "../rows/row-encoding.ts";
import type { Connection, SqlRow } from "./connection.ts";

export function rowsOf(connection: Connection, resource: Resource, ids: readonly string[]): Row[] {
  const values = ids.map((id) => resource.fields.id?.fromCsv(id));
  return select(connection, resource, "where r.id in (select value from json_each(?))", JSON.stringify(values));
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

/** Iterates over stored records on a connection that must not run anything else. */
export function iterateRows(connection: Connection, resource: Resource, after?: string | number): Iterator<SqlRow> {
  const tables = tablesOf(resource);
  const statement = connection.db.prepare(
    `${selectRowSql(tables)} ${after === undefined ? "" : "where r.id > ?"} order by r.id`,
  );
  // Packed keys don't fit a double.
  statement.setReadBigInts(true);
  return statement.iterate(...(after === undefined ? [] : [after])) as Iterator<SqlRow>;
}

function select(connection: Connection, resource: Resource, rest: string, ...values: (string | number)[]): Row[] {
  const tables = tablesOf(resource);
  return connection.allBigInt(`${selectRowSql(tables)} ${rest}`, ...values).map((row) => decodeRow(tables, row));
}
