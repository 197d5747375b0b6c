// Many records in one transaction, with what is counted of them. The caller holds the transaction.
import type { Resource } from "../../../core/catalog/resource.ts";
import type { Row } from "../../../core/record/row.ts";
import { tablesOf } from "../../rows/row-encoding.ts";
import { tableOf } from "../../sql/compile.ts";
import { Tally } from "../../sql/count-delta.ts";
import type { IncomingRow, Outcome, RenderingSettings } from "../../store.ts";
import type { Connection } from "../connection.ts";
import { readSettings, readState } from "../state.ts";
import { forgetRemovals } from "./change-log.ts";
import { writeCounts } from "./write-counts.ts";
import { moveVersion, removeRow, renderRow, writeRow } from "./write-record.ts";

export function putRows(
  writer: Connection,
  resource: Resource,
  rows: readonly IncomingRow[],
  at: number,
  log: boolean,
): readonly Outcome[] {
  const { rendering } = readState(writer);
  const outcomes: Outcome[] = new Array(rows.length);
  counting(writer, resource, (tally) => {
    for (const index of writingOrder(resource, rows))
      outcomes[index] = writeRow(writer, tally, rows[index] as IncomingRow, rendering, log ? at : undefined);
  });
  const created = rows.filter((_, index) => outcomes[index] === "created").map(({ row }) => String(row.id));
  forgetRemovals(writer, resource.name, created);
  if (outcomes.some((outcome) => outcome !== "unchanged")) moveVersion(writer, resource.name);
  return outcomes;
}

/** How many of them were there. */
export const removeRows = (writer: Connection, resource: Resource, ids: readonly string[], at: number): number =>
  counting(writer, resource, (tally) => ids.filter((id) => removeRow(writer, tally, id, at)).length);

/** Renders every record again if the settings differ; returns how many there are. */
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
    counting(writer, resource, (tally) => {
      for (const id of idsOf(writer, resource)) {
        renderRow(writer, tally, id, rendering);
        rendered++;
      }
    });
    moveVersion(writer, resource.name);
  }
  return rendered;
}

function counting<T>(writer: Connection, resource: Resource, work: (tally: Tally) => T): T {
  const tally = new Tally(tablesOf(resource));
  const result = work(tally);
  writeCounts(writer, tally);
  return result;
}

/**
 * The order in which rows are written: that of their lists, so that a page is read from one place of the file, and since
 * the search index is much faster with growing keys. A batch that holds an id twice is written as it came: the later one
 * must win.
 */
function writingOrder({ order }: Resource, rows: readonly IncomingRow[]): number[] {
  const indexes = rows.map((_, index) => index);
  if (new Set(rows.map(({ row }) => row.id)).size < rows.length) return indexes;
  const columns = order.map(({ column }) => column);
  const compare = (a: Row, b: Row): number => {
    for (const column of columns) {
      const [x, y] = [a[column] ?? "", b[column] ?? ""];
      if (x !== y) return x < y ? -1 : 1;
    }
    return 0;
  };
  return indexes.sort((a, b) => compare((rows[a] as IncomingRow).row, (rows[b] as IncomingRow).row));
}

/** Every id, a batch at a time: rows may be rewritten while this goes on, since their ids stay. */
function* idsOf(connection: Connection, resource: Resource): Generator<string | number> {
  const table = tableOf(resource);
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
