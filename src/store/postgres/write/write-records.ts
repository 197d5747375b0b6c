// Writes records to PostgreSQL: finds which ones changed, then fills every table with COPY, in one transaction.
import type pg from "pg";
import type { Rendering } from "../../../core/catalog/field.ts";
import type { Resource } from "../../../core/catalog/resource.ts";
import type { Row } from "../../../core/record/row.ts";
import type { NewEntry } from "../../rows/record-history.ts";
import {
  decodeRow,
  type EncodedRow,
  encodeRow,
  hasHeavy,
  isUnchanged,
  joinEncoded,
  linksOf,
  passagesOf,
  type StoredRow,
  selectRowSql,
  storedRecord,
  type Tables,
  tablesOf,
} from "../../rows/row-encoding.ts";
import { CountDelta } from "../../sql/count-delta.ts";
import type { Change, IncomingRow, Outcome } from "../../store.ts";
import { fieldText, lexeme } from "../dialect.ts";
import type { Query } from "../pool/pool.ts";
import { addRemovals, applyRemovals, deleteRemovals, logVersions } from "./change-log.ts";
import { copyInto } from "./copy.ts";
import { writeCounts } from "./write-counts.ts";

/** A row to write, encoded for a rendering. */
export type EncodedIncoming = IncomingRow & { readonly encoded: EncodedRow };

type Pending = { readonly row: Row; readonly encoded: EncodedRow; readonly old?: StoredRow | undefined };

export type WriteOptions = {
  readonly rendering: Rendering;
  /** Timestamp for the change log; undefined to skip logging. */
  readonly at: number | undefined;
  /** Whether any record of the resource has been removed. */
  readonly hasRemovals: boolean;
};

/** Adds to the count delta, which the caller writes. If an ID occurs more than once, the last row wins. */
export async function writeRows(
  client: pg.PoolClient,
  query: Query,
  delta: CountDelta,
  incoming: readonly EncodedIncoming[],
  { rendering, at, hasRemovals }: WriteOptions,
): Promise<Outcome[]> {
  const { tables } = delta;
  const { resource } = tables;
  const found = await findStored(
    query,
    tables,
    incoming.map(({ encoded }) => encoded.id),
  );
  const pending = new Map<string, Pending>();
  const entries: NewEntry[] = [];
  const outcomes = incoming.map(({ row, stamped, encoded }): Outcome => {
    const id = String(row.id);
    const earlier = pending.get(id);
    const old = earlier?.old ?? found.get(id);
    const updated = earlier?.row.updated ?? (old === undefined ? undefined : Number(old.updated));
    if (updated !== undefined) {
      // An import timestamp alone isn't a change.
      const compared = stamped ? encodeRow(tables, { ...row, updated }, rendering) : encoded;
      const same =
        earlier === undefined ? isUnchanged(tables, old as StoredRow, compared) : equal(earlier.encoded, compared);
      if (same) return "unchanged";
    }
    pending.set(id, { row, encoded, old });
    const outcome = updated === undefined ? "created" : "updated";
    const before = earlier === undefined ? old && storedRecord(tables, old) : joinEncoded(earlier.encoded);
    entries.push({ id, kind: outcome, before });
    return outcome;
  });
  const written = [...pending.values()];
  await deleteStored(
    query,
    delta,
    written.flatMap(({ old }) => (old === undefined ? [] : [old])),
  );
  await insertRows(client, query, delta, written);
  if (at !== undefined) await logChanges(client, query, resource.name, entries, at);
  if (hasRemovals) {
    const created = [...pending].filter(([, { old }]) => old === undefined);
    await deleteRemovals(
      query,
      created.map(([id]) => ({ resource: resource.name, id })),
    );
  }
  return outcomes;
}

export async function removeRows(
  client: pg.PoolClient,
  query: Query,
  resource: Resource,
  ids: readonly string[],
  at: number,
): Promise<number> {
  const tables = tablesOf(resource);
  const found = await findStored(query, tables, ids);
  const delta = new CountDelta(tables);
  await deleteStored(query, delta, [...found.values()]);
  await writeCounts(query, delta);
  const entries = [...found].map(([id, old]) => ({ id, kind: "removed", before: storedRecord(tables, old) }) as const);
  await logChanges(client, query, resource.name, entries, at);
  await addRemovals(
    query,
    entries.map(({ id }) => ({ resource: resource.name, id, at })),
  );
  return found.size;
}

/** Rewrites rows for other rendering settings. Their values don't change, so nothing is logged. */
export async function rerender(
  client: pg.PoolClient,
  query: Query,
  resource: Resource,
  rows: readonly Row[],
  rendering: Rendering,
): Promise<void> {
  const tables = tablesOf(resource);
  const found = await findStored(
    query,
    tables,
    rows.map((row) => row.id as string | number),
  );
  const delta = new CountDelta(tables);
  await deleteStored(query, delta, [...found.values()]);
  await insertRows(
    client,
    query,
    delta,
    rows.map((row) => ({ row, encoded: encodeRow(tables, row, rendering) })),
  );
  // Counts change only if this version interprets a value differently.
  await writeCounts(query, delta);
}

const equal = (a: EncodedRow, b: EncodedRow): boolean =>
  a.hidden === b.hidden && a.fragments.join() === b.fragments.join() && a.heavy.join() === b.heavy.join();

export async function findStored(
  query: Query,
  tables: Tables,
  ids: readonly (string | number)[],
): Promise<Map<string, StoredRow>> {
  // The database rejects comparing a numeric ID with anything else.
  const numeric = tables.resource.fields.id?.column === "integer";
  const valid = numeric ? ids.filter((id) => /^\d{1,10}$/.test(String(id))) : ids;
  const rows = await query(`${selectRowSql(tables)} where r.id = any($1)`, valid);
  return new Map(rows.map((row) => [String(row.id), row]));
}

async function deleteStored(query: Query, delta: CountDelta, stored: readonly StoredRow[]): Promise<void> {
  if (stored.length === 0) return;
  for (const each of stored) delta.subtract(each);
  const { tables } = delta;
  const keys = stored.map(({ key }) => key);
  const { resource, table } = tables;
  if (tables.hasLinks) {
    const links = stored.flatMap((each) =>
      linksOf(resource, decodeRow(tables, each)).map((link) => [...link, each.key]),
    );
    const column = (index: number) => links.map((link) => link[index]);
    await query(
      `delete from ${table}_link l using unnest($1::text[], $2::text[], $3::bigint[]) d (kind, value, key)
       where l.kind = d.kind and l.value = d.value and l.key = d.key`,
      column(0),
      column(1),
      column(2),
    );
  }
  for (const side of [
    ...(tables.places.length > 0 ? [`${table}_search`] : []),
    ...(tables.heavy.length > 0 ? [`${table}_text`] : []),
    table,
  ]) {
    await query(`delete from ${side} where key = any($1)`, keys);
  }
}

async function insertRows(
  client: pg.PoolClient,
  query: Query,
  delta: CountDelta,
  rows: readonly Pending[],
): Promise<void> {
  if (rows.length === 0) return;
  for (const { encoded } of rows) delta.add(encoded);
  const { tables } = delta;
  const { resource, table } = tables;
  const keys = await keysFor(query, tables, rows);
  const columns = ["key", ...tables.columns, ...tables.fragments, "beside"];
  await copyInto(client, table, columns, rows, ({ encoded }, index) => [
    [keys[index], ...encoded.columns, ...encoded.fragments, encoded.hidden],
  ]);
  if (tables.heavy.length > 0) {
    await copyInto(client, `${table}_text`, ["key", ...tables.heavy], rows, ({ encoded }, index) =>
      hasHeavy(encoded) ? [[keys[index], ...encoded.heavy]] : [],
    );
  }
  if (tables.hasLinks) {
    await copyInto(client, `${table}_link`, ["kind", "value", "key"], rows, ({ row }, index) =>
      linksOf(resource, row).map(([kind, value]) => [kind, value, keys[index]]),
    );
  }
  if (tables.places.length > 0) {
    await copyInto(client, `${table}_search`, ["key", "words", ...tables.places], rows, ({ row }, index) => {
      const places = passagesOf(resource, row);
      const lexemes = new Set(places.flatMap((passages, place) => passages.flat().map((word) => lexeme(place, word))));
      return [[keys[index], [...lexemes].map((each) => `'${each}'`).join(" "), ...places.map(fieldText)]];
    });
  }
}

/** Packed keys are computed. Others are a block of the sequence, which nobody else advances during a write. */
async function keysFor(query: Query, { table }: Tables, rows: readonly Pending[]): Promise<(number | bigint)[]> {
  if (rows[0]?.encoded.key !== undefined) return rows.map(({ encoded }) => encoded.key ?? 0n);
  const [block] = await query(
    `select setval(name, nextval(name) + $2::bigint - 1) as last
     from (select pg_get_serial_sequence($1, 'key')::regclass as name offset 0) s`,
    table,
    rows.length,
  );
  const first = Number(block?.last) - rows.length + 1;
  return rows.map((_, index) => first + index);
}

async function logChanges(
  client: pg.PoolClient,
  query: Query,
  resource: string,
  entries: readonly NewEntry[],
  at: number,
): Promise<void> {
  await copyInto(client, "change", ["resource", "id", "kind", "at"], entries, ({ id, kind }) => [
    [resource, id, kind, at],
  ]);
  await logVersions(query, resource, entries);
}

/** Inserts entries with their positions, and advances the sequence past them. */
export async function insertChanges(client: pg.PoolClient, query: Query, changes: readonly Change[]): Promise<void> {
  await copyInto(
    client,
    "change",
    ["seq", "resource", "id", "kind", "at"],
    changes,
    ({ seq, resource, id, kind, at }) => [[seq, resource, id, kind, at]],
  );
  await query("select setval(pg_get_serial_sequence('change', 'seq'), (select max(seq) from change))");
  await applyRemovals(query, changes);
}
