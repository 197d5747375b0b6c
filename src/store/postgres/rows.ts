// Reads whole records from PostgreSQL: by ID, in batches ordered by ID, all in one snapshot, and before and after changes.
import type { Resource } from "../../core/catalog/resource.ts";
import type { Row } from "../../core/record/row.ts";
import { entryVersionsSql, recordChanges } from "../rows/record-history.ts";
import { decodeRow, selectRowSql, tablesOf } from "../rows/row-encoding.ts";
import type { RecordChange } from "../store.ts";
import type { ConnectionPool, Query } from "./pool/pool.ts";
import { readChanges } from "./write/change-log.ts";
import { findStored } from "./write/write-records.ts";

export async function rowsOf(query: Query, resource: Resource, ids: readonly string[]): Promise<Row[]> {
  const tables = tablesOf(resource);
  return [...(await findStored(query, tables, ids)).values()].map((row) => decodeRow(tables, row));
}

export async function rowsAfter(
  query: Query,
  resource: Resource,
  after: string | number | undefined,
  limit: number,
): Promise<Row[]> {
  return (await batches(query, resource, after, limit).next()).value ?? [];
}

export async function readRecordChanges(
  query: Query,
  resource: Resource,
  after: number,
  limit: number,
): Promise<readonly RecordChange[]> {
  const entries = await readChanges(query, after, limit, resource.name);
  if (entries.length === 0) return [];
  const current = await rowsOf(query, resource, [...new Set(entries.map(({ id }) => id))]);
  const last = entries.at(-1)?.seq ?? after;
  const versions = await query(entryVersionsSql("$1", "$2", "$3"), resource.name, after, last);
  return recordChanges(resource, entries, current, versions);
}

/** Rows may be rewritten during the iteration, since their IDs don't change. */
export async function* batches(
  query: Query,
  resource: Resource,
  from?: string | number,
  size = 1000,
): AsyncGenerator<Row[], undefined> {
  const tables = tablesOf(resource);
  for (let last: unknown = from; ; ) {
    const after = last === undefined ? "" : "where r.id > $2";
    const rows = await query(
      `${selectRowSql(tables)} ${after} order by r.id limit $1`,
      size,
      ...(last === undefined ? [] : [last]),
    );
    if (rows.length === 0) return;
    yield rows.map((row) => decodeRow(tables, row));
    last = rows.at(-1)?.id;
  }
}

/** In one snapshot, so that an export is consistent during writes. */
export async function* allRows(pool: ConnectionPool, resource: Resource, after?: string | number): AsyncGenerator<Row> {
  const session = await pool.session({});
  try {
    await session.query("begin transaction isolation level repeatable read, read only");
    for await (const batch of batches(session.query, resource, after)) yield* batch;
  } finally {
    await session.end();
  }
}
