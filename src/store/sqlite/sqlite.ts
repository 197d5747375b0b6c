// The SQLite store: compiles plans and assembles pages on the main thread; SQLite itself runs in other threads.

import type { Resource } from "../../core/catalog/resource.ts";
import type { Plan } from "../../core/query/plan.ts";
import type { Row } from "../../core/record/row.ts";
import { toPage, toRecordPage } from "../rows/page-result.ts";
import { chooseAccessPath } from "../sql/access-path.ts";
import { compilePage, compileRecords } from "../sql/compile.ts";
import { dayCountsPage, dayCountsStatement } from "../sql/day-counts.ts";
import type { Compiled } from "../sql/dialect.ts";
import { isFastOnSqlite } from "../sql/index-scan.ts";
import type { Explanation, IncomingRow, Load, LoadOptions, Outcome, Store } from "../store.ts";
import { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
import { sqlite } from "./dialect.ts";
import { throttled } from "./file/health-throttle.ts";
import { beginLoad, checkSpace } from "./load/load.ts";
import { fileMetrics } from "./metrics.ts";
import type { CallThread } from "./threads/threads.ts";

export type SqliteOptions = DatabaseOptions & {
  /** Unix seconds; a test may pass its own clock. */
  readonly now?: () => number;
};

/** Rows per message to a thread: cloning more would block the event loop for too long. */
const maxRowsPerMessage = 250;

export function openSqlite(options: SqliteOptions): Store {
  const { file, now = () => Math.floor(Date.now() / 1000) } = options;
  const database = openDatabase(options);
  const { read, readQuickly, write, state } = database;
  return {
    prepare: database.prepare,
    state,
    // The file is local, so that its state is always current.
    staleness: () => undefined,
    ...pages(database),
    snapshot: async () => {
      const { call, close } = await database.reserve();
      try {
        await call("beginSnapshot");
      } catch (error) {
        await close();
        throw error;
      }
      return { ...pages({ read: call, readQuickly: call, state }), close };
    },
    put: (resource, rows, { log = true } = {}) => putRows(write, resource, rows, now(), log),
    // Readers aren't affected, and each commit writes almost every page of the indexes. Other processes wait for 30 s
    // (see busyTimeoutMs), but not in a queue: they try again every 100 ms.
    loading: { rebuilds: true, records: 100_000, seconds: 10, pauseMilliseconds: 200 },
    load: (resource, options) => loadInto(database, file, resource, now(), options),
    remove: (resource, ids) => write("remove", resource.name, ids, now()),
    scan: (resource, after) => allRows(write, resource, after),
    optimize: (resource) => write("optimize", resource.name),
    render: (settings) => write("render", settings),
    count: (resource) => read("count", resource.name),
    isEmpty: () => readQuickly("isEmpty"),
    rowsOf: (resource, ids) => read("rowsOf", resource.name, ids),
    rowsAfter: (resource, after, limit) => read("rowsAfter", resource.name, after, limit),
    ...changeLog(database),
    ...keys(database),
    ...links(database),
    // Not on the writer thread, which may be waiting for a lock: requests wait for these calls.
    syncLimits: (deltas) => readQuickly("syncLimits", deltas),
    addUsage: (rows, at, links) => readQuickly("addUsage", rows, at, links),
    usage: (query) => read("usage", query),
    lastUsed: () => read("lastUsed"),
    webhooks: {
      list: () => readQuickly("listWebhooks"),
      add: (webhook) => write("addWebhook", webhook),
      update: (id, version, changes) => write("changeWebhook", id, version, changes),
      remove: (id) => write("removeWebhook", id),
      save: (progress, deliveries) => write("saveDeliveries", progress, deliveries),
      deliveries: (id, limit) => readQuickly("listDeliveries", id, limit),
    },
    getMetadata: (name) => readQuickly("getMetadata", name),
    setMetadataIfAbsent: (name, value) => write("setMetadataIfAbsent", name, value),
    compareAndSetMetadata: (name, from, to) => write("compareAndSetMetadata", name, from, to),
    claimPeriodicJob: (name, everySeconds) => write("claimPeriodicJob", name, now(), everySeconds),
    setMetadata: (name, value) => write("setMetadata", name, value),
    health: throttled(() => readQuickly("health")),
    metrics: () => fileMetrics(file),
    close: database.close,
  };
}

const changeLog = ({
  read,
  readQuickly,
  write,
}: Database): Pick<
  Store,
  | "changes"
  | "recordChanges"
  | "removedRecords"
  | "recordVersions"
  | "lastPosition"
  | "lastChangedAt"
  | "oldestPosition"
  | "importChanges"
  | "pruneChanges"
> => ({
  changes: (after, limit, resource) => read("changes", after, limit, resource),
  recordChanges: (resource, after, limit) => read("recordChanges", resource.name, after, limit),
  removedRecords: (resource, limit) => read("removedRecords", resource.name, limit),
  recordVersions: (after, upTo) => read("recordVersions", after, upTo),
  lastPosition: () => readQuickly("lastPosition"),
  lastChangedAt: (resource) => readQuickly("lastChangedAt", resource.name),
  oldestPosition: () => readQuickly("oldestPosition"),
  importChanges: (changes, versions = []) => write("importChanges", changes, versions),
  pruneChanges: (cutoff, limit) => write("pruneChanges", cutoff, limit),
});

const keys = ({
  read,
  readQuickly,
  write,
}: Database): Pick<Store, "addKey" | "findKey" | "listKeys" | "hasKey" | "updateKey" | "rotateKey" | "revokeKey"> => ({
  addKey: (key) => write("addKey", key),
  findKey: (hash) => readQuickly("findKey", hash),
  listKeys: () => read("listKeys"),
  hasKey: () => readQuickly("hasKey"),
  updateKey: (name, terms, at) => write("updateKey", name, terms, at),
  rotateKey: (name, successor) => write("rotateKey", name, successor),
  revokeKey: (name, at) => write("revokeKey", name, at),
});

const links = ({
  read,
  readQuickly,
  write,
}: Database): Pick<Store, "addLink" | "findLink" | "listLinks" | "revokeLink"> => ({
  addLink: (link) => write("addLink", link),
  findLink: (hash) => readQuickly("findLink", hash),
  listLinks: (key) => read("listLinks", key),
  revokeLink: (id, at) => write("revokeLink", id, at),
});

/** Reads records by plan. */
function pages({
  read,
  readQuickly,
  state,
}: Pick<Database, "read" | "readQuickly" | "state">): Pick<Store, "page" | "records" | "explain"> {
  const hintsFor = (plan: Plan) =>
    chooseAccessPath(plan, sqlite, ({ sql, parameters }) => read("row", sql, parameters));
  const readDays = ({ sql, parameters }: Compiled) => read("rows", sql, parameters);
  return {
    page: async (plan, from, options) => {
      if (plan.resource.dayCountsOf !== undefined) {
        const { rendering } = from ?? (await state());
        return dayCountsPage(plan, rendering.zone, sqlite, readDays);
      }
      const { sql, parameters } = compilePage(plan, sqlite, await hintsFor(plan), options);
      const call = isFastOnSqlite(plan) ? readQuickly : read;
      return toPage(plan, await call("page", sql, parameters, options?.reshape?.spec), options?.reshape);
    },
    records: async (plan) => {
      const { sql, parameters } = compileRecords(plan, sqlite, await hintsFor(plan));
      return toRecordPage(plan, await read("rows", sql, parameters));
    },
    explain: async (plan) => {
      const compiled =
        plan.resource.dayCountsOf === undefined
          ? compilePage(plan, sqlite, await hintsFor(plan))
          : await dayCountsStatement(plan, (await state()).rendering.zone, sqlite, readDays);
      return toExplanation(compiled, await read("rows", `explain query plan ${compiled.sql}`, compiled.parameters));
    },
  };
}

function toExplanation({ sql, parameters }: Compiled, rows: readonly Readonly<Record<string, unknown>>[]): Explanation {
  const depth = new Map<unknown, number>([[0, -1]]);
  const steps = rows.map(({ id, parent, detail }) => {
    const level = (depth.get(parent) ?? -1) + 1;
    depth.set(id, level);
    return `${"  ".repeat(level)}${detail}`;
  });
  return { sql, parameters, steps };
}

async function loadInto(
  { lockWrites, state }: Database,
  file: string,
  resource: Resource,
  at: number,
  options: LoadOptions = {},
): Promise<Load> {
  await checkSpace(file, options.text ?? 0);
  const { call, unlock } = await lockWrites();
  try {
    return await beginLoad(call, async () => (await state()).rendering, resource, at, options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

let lastPutId = 0;

/** Sends a large batch in chunks, so that requests are served in between. */
async function putRows(
  write: CallThread,
  resource: Resource,
  rows: readonly IncomingRow[],
  at: number,
  log: boolean,
): Promise<readonly Outcome[]> {
  if (rows.length <= maxRowsPerMessage) return write("put", resource.name, rows, at, log);
  const id = ++lastPutId;
  let sent = 0;
  for (; rows.length - sent > maxRowsPerMessage; sent += maxRowsPerMessage)
    await write("stage", id, rows.slice(sent, sent + maxRowsPerMessage));
  return write("put", resource.name, rows.slice(sent), at, log, id);
}

/** Prefetches the next rows while the current ones are consumed. */
async function* allRows(call: CallThread, resource: Resource, after: string | number | undefined): AsyncGenerator<Row> {
  const cursor = await call("openCursor", resource.name, after);
  const fetch = () => {
    const rows = call("fetchRows", cursor);
    // If the consumer stops early, nobody awaits this promise.
    rows.catch(() => {});
    return rows;
  };
  try {
    for (let next = fetch(); ; ) {
      const rows = await next;
      if (rows.length === 0) return;
      next = fetch();
      yield* rows;
    }
  } finally {
    await call("closeCursor", cursor).catch(() => {});
  }
}
