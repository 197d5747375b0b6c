// Read operations of a thread.

import type { Resource } from "../../../core/catalog/resource.ts";
import { type ProjectionSpec, projectionFrom } from "../../../core/record/projection.ts";
import { projectPage, type ResultRow } from "../../rows/page-result.ts";
import { tableName } from "../../sql/compile.ts";
import { totalCountSql } from "../../sql/count-index.ts";
import { findKey, hasKey, listKeys } from "../access/keys.ts";
import { findLink, listLinks } from "../access/links.ts";
import type { SqlRow } from "../connection.ts";
import { rowsAfter, rowsOf } from "../rows.ts";
import { lastPosition, readStateInputs } from "../state.ts";
import { listDeliveries, listWebhooks } from "../webhooks.ts";
import {
  lastChangedAt,
  oldestPosition,
  readChanges,
  readRecordChanges,
  readRecordVersions,
  readRemovedRecords,
} from "../write/change-log.ts";
import type { Connections } from "./connections.ts";
import type { FindResource } from "./operations.ts";

type Values = readonly unknown[];

export const readOperations = (connections: Connections, catalog: readonly Resource[], findResource: FindResource) => ({
  /** The first row of a statement. */
  row: (sql: string, values: Values): SqlRow | undefined => connections.reader.get(sql, ...values),
  /** The single row of a page, projected if requested; projections unknown to this thread are left to the caller. */
  page: (sql: string, values: Values, shape?: ProjectionSpec): ResultRow => {
    const row = connections.reader.get(sql, ...values);
    const table = shape && findResource(shape.table);
    const reshape = shape && table && projectionFrom(shape, table);
    return reshape === undefined || table === undefined ? row : projectPage(row, table, reshape);
  },
  rows: (sql: string, values: Values): SqlRow[] => connections.reader.all(sql, ...values),
  /** All later reads of the thread are of the same snapshot, which begins with the first of them. */
  beginSnapshot: () => {
    connections.reader.db.exec("begin");
    connections.reader.get("select count(*) from setting");
  },
  stateInputs: () => readStateInputs(connections.reader),
  count: (resource: string) =>
    Number(connections.reader.get(totalCountSql(findResource(resource), tableName({ name: resource })))?.n),
  isEmpty: () =>
    catalog.every((each) => connections.reader.get(`select 1 from ${tableName(each)} limit 1`) === undefined),
  rowsOf: (resource: string, ids: readonly string[]) => rowsOf(connections.reader, findResource(resource), ids),
  rowsAfter: (resource: string, after: string | number | undefined, limit: number) =>
    rowsAfter(connections.reader, findResource(resource), after, limit),
  changes: (after: number, limit: number, resource: string | undefined) =>
    readChanges(connections.reader, after, limit, resource),
  recordChanges: (resource: string, after: number, limit: number) =>
    readRecordChanges(connections.reader, findResource(resource), after, limit),
  removedRecords: (resource: string, limit: number) =>
    readRemovedRecords(connections.reader, findResource(resource), limit),
  recordVersions: (after: number, upTo: number) => readRecordVersions(connections.reader, after, upTo),
  lastPosition: () => lastPosition(connections.reader),
  lastChangedAt: (resource: string) => lastChangedAt(connections.reader, resource),
  oldestPosition: () => oldestPosition(connections.reader),
  findKey: (hash: string) => findKey(connections.reader, hash),
  listKeys: () => listKeys(connections.reader),
  hasKey: () => hasKey(connections.reader),
  listWebhooks: () => listWebhooks(connections.reader),
  listDeliveries: (webhook: string, limit: number) => listDeliveries(connections.reader, webhook, limit),
  findLink: (hash: string) => findLink(connections.reader, hash),
  listLinks: (key: string | undefined) => listLinks(connections.reader, key),
  getMetadata: (name: string) =>
    connections.reader.get("select value from setting where name = ?", `note:${name}`)?.value as string | undefined,
});
