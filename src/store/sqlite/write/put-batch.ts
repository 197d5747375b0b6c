// Writes, removes, or renders a batch of records with their counts. The caller opens the transaction.
import type { Resource } from "../../../core/catalog/resource.ts";
import type { NewEntry } from "../../rows/record-history.ts";
import { tablesOf } from "../../rows/row-encoding.ts";
import { tableName } from "../../sql/compile.ts";
import { CountDelta } from "../../sql/count-delta.ts";
import type { IncomingRow, Outcome, RenderingSettings } from "../../store.ts";
import type { Connection } from "../connection.ts";
import { readSettings, readState } from "../state.ts";
import { deleteRemovals, logChanges } from "./change-log.ts";
import { writeCounts } from "./write-counts.ts";
import { orderKeyOf, writeOrder } from "./write-order.ts";
import { bumpVersion, removeRow, renderRow, writeRow } from "./write-record.ts";

export function putRows(
  writer: Connection,
  resource: Resource,
  rows: readonly IncomingRow[],
  at: number,
  log: boolean,
): readonly Outcome[] {
  const { rendering } = readState(writer);
  const outcomes: Outcome[] = new Array(rows.length);
  const entries: NewEntry[] = [];
  withCountDelta(writer, resource, (delta) => {
    for (const index of writeOrder(rows.map(({ row }) => orderKeyOf(resource, row)))) {
      const incoming = rows[index] as IncomingRow;
      outcomes[index] = writeRow(writer, delta, incoming, rendering, entries);
    }
  });
  if (entries.length === 0) return outcomes;
  if (log) logChanges(writer, resource.name, entries, at);
  const created = entries.flatMap(({ id, kind }) => (kind === "created" ? [id] : []));
  deleteRemovals(writer, resource.name, created);
  bumpVersion(writer, resource.name);
  return outcomes;
}

/** Returns how many of them existed. */
export const removeRows = (writer: Connection, resource: Resource, ids: readonly string[], at: number): number =>
  withCountDelta(writer, resource, (delta) => ids.filter((id) => removeRow(writer, delta, id, at)).length);

/** Renders every record again if the settings differ; returns how many were rendered. */
export function renderAll(
  writer: Connection,
  catalog: readonly Resource[],
  settings: RenderingSettings,
  form: string,
): number {
  const before = readSettings(writer);
  const wanted = { zone: settings.zone ?? before.zone, cusip: settings.cusip ?? before.cusip, form };
  if (wanted.zone === before.zone && wanted.cusip === before.cusip && wanted.form === before.form) return 0;
  for (const [name, value] of Object.entries(wanted))
    writer.run("insert or replace into setting (name, value) values (?, ?)", name, value);
  const { rendering } = readState(writer);
  let rendered = 0;
  for (const resource of catalog) {
    withCountDelta(writer, resource, (delta) => {
      for (const id of allIds(writer, resource)) {
        renderRow(writer, delta, id, rendering);
        rendered++;
      }
    });
    bumpVersion(writer, resource.name);
  }
  return rendered;
}

function withCountDelta<T>(writer: Connection, resource: Resource, work: (delta: CountDelta) => T): T {
  const delta = new CountDelta(tablesOf(resource));
  const result = work(delta);
  writeCounts(writer, delta);
  return result;
}

/** Every ID, in batches: rows may be rewritten during the iteration, because their IDs don't change. */
function* allIds(connection: Connection, resource: Resource): Generator<string | number> {
  const table = tableName(resource);
  for (let last: unknown; ; ) {
    const after = last === undefined ? "" : "where id > ?";
    const batch = connection.all(
      `select id from ${table} ${after} order by id limit 1000`,
      ...(last === undefined ? [] : [last]),
    );
    for (const { id } of batch) yield id as string | number;
    if (batch.length === 0) return;
    last = batch.at(-1)?.id;
  }
}
