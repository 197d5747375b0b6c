// The store on SQLite. Plans are compiled and pages put together here; SQLite itself runs in other threads.

import type { Resource } from "../../core/catalog/resource.ts";
import type { Plan } from "../../core/query/plan.ts";
import type { Row } from "../../core/record/row.ts";
import { pageOf, recordsOf } from "../rows/page-result.ts";
import { accessPath } from "../sql/access-path.ts";
import { compilePage, compileRecords } from "../sql/compile.ts";
import { daysPage, daysStatement } from "../sql/day-counts.ts";
import type { Compiled } from "../sql/dialect.ts";
import { isCheap } from "../sql/index-scan.ts";
import type { Explanation, IncomingRow, Outcome, Store } from "../store.ts";
import { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
import { sqlite } from "./dialect.ts";
import { throttled } from "./file/health-throttle.ts";
import { fileFamilies } from "./metrics.ts";
import type { CallThread } from "./threads/threads.ts";

export type SqliteOptions = DatabaseOptions & {
  /** Unix seconds; a test may pass its own clock. */
  readonly now?: () => number;
};

/** Rows sent to a thread at once: cloning more would keep this one from its requests. */
const sentRows = 250;

export function openSqlite(options: SqliteOptions): Store {
  const { file, now = () => Math.floor(Date.now() / 1000) } = options;
  const database = openDatabase(options);
  const { read, readQuickly, write, state } = database;
  return {
    prepare: database.prepare,
    state,
    // The file is here: its state is read from it.
    staleness: () => undefined,
    ...pages(database),
    put: (resource, rows, { log = true } = {}) => putRows(write, resource, rows, now(), log),
    remove: (resource, ids) => write("remove", resource.name, ids, now()),
    scan: (resource, after) => allRows(write, resource, after),
    optimize: (resource) => write("settle", resource.name),
    render: (settings) => write("render", settings),
    count: (resource) => read("count", resource.name),
    isEmpty: () => readQuickly("isEmpty"),
    rowsOf: (resource, ids) => read("rowsOf", resource.name, ids),
    rowsAfter: (resource, after, limit) => read("rowsAfter", resource.name, after, limit),
    ...changeLog(database),
    ...keys(database),
    // Not by the thread that writes: it may wait for a lock, and requests wait for these.
    syncLimits: (spending) => readQuickly("exchange", spending),
    addUsage: (rows, at) => readQuickly("addUsage", rows, at),
    usage: (asked) => read("usage", asked),
    lastUsed: () => read("lastUsed"),
    getMetadata: (name) => readQuickly("note", name),
    setMetadataIfAbsent: (name, value) => write("claimNote", name, value),
    compareAndSetMetadata: (name, from, to) => write("swapNote", name, from, to),
    claimPeriodicJob: (name, everySeconds) => write("takeTurn", name, now(), everySeconds),
    setMetadata: (name, value) => write("setNote", name, value),
    health: throttled(() => readQuickly("health")),
    metrics: () => fileFamilies(file),
    close: database.close,
  };
}

const changeLog = ({
  read,
  readQuickly,
  write,
}: Database): Pick<
  Store,
  "changes" | "lastPosition" | "lastChangedAt" | "oldestPosition" | "importChanges" | "pruneChanges"
> => ({
  changes: (after, limit, resource) => read("changes", after, limit, resource),
  lastPosition: () => readQuickly("lastChange"),
  lastChangedAt: (resource) => readQuickly("lastChanged", resource.name),
  oldestPosition: () => readQuickly("oldestChange"),
  importChanges: (changes) => write("addChanges", changes),
  pruneChanges: (forgotten, most) => write("forgetChanges", forgotten, most),
});

const keys = ({
  read,
  readQuickly,
  write,
}: Database): Pick<Store, "addKey" | "findKey" | "listKeys" | "updateKey" | "rotateKey" | "revokeKey"> => ({
  addKey: (key) => write("addKey", key),
  findKey: (hash) => readQuickly("findKey", hash),
  listKeys: () => read("listKeys"),
  updateKey: (name, terms, at) => write("updateKey", name, terms, at),
  rotateKey: (name, successor) => write("rotateKey", name, successor),
  revokeKey: (name, at) => write("revokeKey", name, at),
});

/** How records are read by plans. */
function pages({ read, readQuickly, state }: Database): Pick<Store, "page" | "records" | "explain"> {
  const hintsFor = (plan: Plan) => accessPath(plan, sqlite, ({ sql, parameters }) => read("row", sql, parameters));
  const readDays = ({ sql, parameters }: Compiled) => read("rows", sql, parameters);
  return {
    page: async (plan, from, wish) => {
      if (plan.resource.daysOf !== undefined) {
        const { rendering } = from ?? (await state());
        return daysPage(plan, rendering.zone, sqlite, readDays);
      }
      const { sql, parameters } = compilePage(plan, sqlite, await hintsFor(plan), wish);
      const call = isCheap(plan) ? readQuickly : read;
      return pageOf(plan, await call("page", sql, parameters, wish?.reshape?.shape), wish?.reshape);
    },
    records: async (plan) => {
      const { sql, parameters } = compileRecords(plan, sqlite, await hintsFor(plan));
      return recordsOf(plan, await read("rows", sql, parameters));
    },
    explain: async (plan) => {
      const compiled =
        plan.resource.daysOf === undefined
          ? compilePage(plan, sqlite, await hintsFor(plan))
          : await daysStatement(plan, (await state()).rendering.zone, sqlite, readDays);
      return explanationOf(compiled, await read("rows", `explain query plan ${compiled.sql}`, compiled.parameters));
    },
  };
}

function explanationOf({ sql, parameters }: Compiled, rows: readonly Readonly<Record<string, unknown>>[]): Explanation {
  const depth = new Map<unknown, number>([[0, -1]]);
  const steps = rows.map(({ id, parent, detail }) => {
    const level = (depth.get(parent) ?? -1) + 1;
    depth.set(id, level);
    return `${"  ".repeat(level)}${detail}`;
  });
  return { sql, parameters, steps };
}

let puts = 0;

/** A large transaction is sent in pieces, and requests are handled in between. */
async function putRows(
  write: CallThread,
  resource: Resource,
  rows: readonly IncomingRow[],
  at: number,
  log: boolean,
): Promise<readonly Outcome[]> {
  if (rows.length <= sentRows) return write("put", resource.name, rows, at, log);
  const id = ++puts;
  let sent = 0;
  for (; rows.length - sent > sentRows; sent += sentRows) await write("stage", id, rows.slice(sent, sent + sentRows));
  return write("put", resource.name, rows.slice(sent), at, log, id);
}

/** The next rows are fetched while these are used. */
async function* allRows(call: CallThread, resource: Resource, after: string | number | undefined): AsyncGenerator<Row> {
  const cursor = await call("openCursor", resource.name, after);
  const fetch = () => {
    const rows = call("fetchRows", cursor);
    // Whoever stops early does not wait for them.
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
