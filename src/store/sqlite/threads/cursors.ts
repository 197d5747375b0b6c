// Cursors over all records of a resource, in batches, from one consistent snapshot.
import type { Row } from "../../../core/record/row.ts";
import { decodeRow, type Tables, tablesOf } from "../../rows/row-encoding.ts";
import type { Connection, SqlRow } from "../connection.ts";
import { iterateRows } from "../rows.ts";
import type { Connections } from "./connections.ts";
import type { FindResource } from "./operations.ts";

/** Limits of a batch, so that memory use doesn't depend on the length of records. */
const batchRows = 500;
const batchLength = 262_144;

type Cursor = { readonly connection: Connection; readonly tables: Tables; readonly rows: Iterator<SqlRow> };

export function cursorOperations(connections: Connections, findResource: FindResource) {
  const cursors = new Map<number, Cursor>();
  let opened = 0;
  const close = (id: number): void => {
    const cursor = cursors.get(id);
    cursors.delete(id);
    if (cursor !== undefined) connections.closeCursor(cursor.connection);
  };
  return {
    openCursor: (resource: string, after?: string | number): number => {
      const connection = connections.openCursor();
      const tables = tablesOf(findResource(resource));
      cursors.set(++opened, { connection, tables, rows: iterateRows(connection, tables.resource, after) });
      return opened;
    },
    /** Returns the next rows; none at the end. */
    fetchRows: (id: number): Row[] => {
      const batch: Row[] = [];
      const cursor = cursors.get(id);
      let length = 0;
      while (cursor !== undefined && batch.length < batchRows && length < batchLength) {
        const { done, value } = cursor.rows.next();
        if (done) {
          close(id);
          break;
        }
        for (const each of Object.values(value)) length += typeof each === "string" ? each.length : 0;
        batch.push(decodeRow(cursor.tables, value));
      }
      return batch;
    },
    closeCursor: close,
  };
}
