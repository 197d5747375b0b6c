// The operations that read, each on the state of the moment.

import type { Resource } from "../../../core/catalog/resource.ts";
import { reshapeNamed, type Shape } from "../../../core/record/projection.ts";
import { type Given, reshaped } from "../../rows/page-result.ts";
import { tableOf } from "../../sql/compile.ts";
import { totalSql } from "../../sql/count-index.ts";
import type { SqlRow } from "../connection.ts";
import { findKey, listKeys } from "../keys.ts";
import { rowsAfter, rowsOf } from "../rows.ts";
import { lastLine, readFacts } from "../state.ts";
import { lastChanged, oldestChange, readChanges } from "../write/change-log.ts";
import type { Connections } from "./connections.ts";
import type { ResourceNamed } from "./operations.ts";

type Values = readonly unknown[];

export const readOperations = (connections: Connections, catalog: readonly Resource[], named: ResourceNamed) => ({
  /** The first row of a statement. */
  row: (sql: string, values: Values): SqlRow | undefined => connections.reader.get(sql, ...values),
  /** The one row of a page, reshaped if that is wanted; what is not known here is reshaped by the caller. */
  page: (sql: string, values: Values, shape?: Shape): Given => {
    const row = connections.reader.get(sql, ...values);
    const table = shape && named(shape.table);
    const reshape = shape && table && reshapeNamed(shape, table);
    return reshape === undefined || table === undefined ? row : reshaped(row, table, reshape);
  },
  rows: (sql: string, values: Values): SqlRow[] => connections.reader.all(sql, ...values),
  facts: () => readFacts(connections.reader),
  count: (resource: string) =>
    Number(connections.reader.get(totalSql(named(resource), tableOf({ name: resource })))?.n),
  isEmpty: () =>
    catalog.every((each) => connections.reader.get(`select 1 from ${tableOf(each)} limit 1`) === undefined),
  rowsOf: (resource: string, ids: readonly string[]) => rowsOf(connections.reader, named(resource), ids),
  rowsAfter: (resource: string, after: string | number | undefined, limit: number) =>
    rowsAfter(connections.reader, named(resource), after, limit),
  changes: (after: number, limit: number, resource: string | undefined) =>
    readChanges(connections.reader, after, limit, resource),
  lastChange: () => lastLine(connections.reader),
  lastChanged: (resource: string) => lastChanged(connections.reader, resource),
  oldestChange: () => oldestChange(connections.reader),
  findKey: (hash: string) => findKey(connections.reader, hash),
  listKeys: () => listKeys(connections.reader),
  note: (name: string) =>
    connections.reader.get("select value from setting where name = ?", `note:${name}`)?.value as string | undefined,
});
