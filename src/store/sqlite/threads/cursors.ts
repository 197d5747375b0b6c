// Every record of a resource, a batch at a time, from one consistent moment.
import type { Row } from "../../../core/record/row.ts";
import { recallStored, type Tables, tablesOf } from "../../rows/row-encoding.ts";
import type { Connection, SqlRow } from "../connection.ts";
import { storedRows } from "../rows.ts";
import type { Connections } from "./connections.ts";
import type { ResourceNamed } from "./operations.ts";

/** What ends a batch: memory stays the same however long the records are. */
const batchRows = 500;
const batchLength = 262_144;

type Cursor = { readonly connection: Connection; readonly tables: Tables; readonly rows: Iterator<SqlRow> };

export function cursorOperations(connections: Connections, named: ResourceNamed) {
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
      const tables = tablesOf(named(resource));
      cursors.set(++opened, { connection, tables, rows: storedRows(connection, tables.resource, after) });
      return opened;
    },
    /** The next rows; none at the end. */
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
        batch.push(recallStored(cursor.tables, value));
      }
      return batch;
    },
    closeCursor: close,
  };
}
