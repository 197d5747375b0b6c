// The store on SQLite: one writing connection, reading connections that it never blocks.
import { formOf } from "../../core/form.ts";
import type { Plan } from "../../core/plan.ts";
import type { Resource } from "../../core/resource.ts";
import type { Row } from "../../core/row.ts";
import { totalSql } from "../counts.ts";
import { daysPage, daysStatement } from "../days.ts";
import type { Compiled, Hints } from "../dialect.ts";
import { migrate } from "../migrate.ts";
import { pageOf, recordsOf } from "../page.ts";
import { tablesOf } from "../prepared.ts";
import { type CountLink, drivingLink } from "../selectivity.ts";
import { compilePage, compileRecords, tableOf } from "../sql.ts";
import { untold } from "../state.ts";
import type { Explanation, Incoming, Outcome, PutOptions, RenderingSettings, State, Store } from "../store.ts";
import { Tally } from "../tally.ts";
import { Connection } from "./connection.ts";
import { writeCounts } from "./counts.ts";
import { sqlite } from "./dialect.ts";
import { fileFamilies } from "./families.ts";
import { healthOf } from "./health.ts";
import { addKey, findKey, listKeys, revokeKey, rotateKey, updateKey } from "./keys.ts";
import {
  forgetChanges,
  forgetRemovals,
  lastChanged,
  oldestChange,
  readChanges,
  takeOverChanges,
  takeTurn,
} from "./log.ts";
import { type Read, readingThread } from "./reading-thread.ts";
import { readingRounds } from "./rounds.ts";
import { allRows, rowsAfter, rowsOf } from "./rows.ts";
import { settleSearch } from "./settle.ts";
import { sightOf } from "./sight.ts";
import { lastLine, readSettings, readState } from "./state.ts";
import { openUsage } from "./usage.ts";
import { moveVersion, removeRow, renderRow, writeRow } from "./write.ts";

export type SqliteOptions = {
  readonly file: string;
  readonly catalog: readonly Resource[];
  /** Unix seconds; a test may pass its own clock. */
  readonly now?: () => number;
  /** How long a read may take before it is stopped. */
  readonly statementSeconds?: number;
  /** Program of a thread in which pages are read; without one they are read in this thread. */
  readonly reading?: URL | undefined;
};

export function openSqlite(options: SqliteOptions): Store {
  const { file, catalog, now = () => Math.floor(Date.now() / 1000), statementSeconds = 60 } = options;
  const writer = new Connection(file, { readOnly: false });
  migrate(writer.db);
  const form = formOf(catalog);
  // Written to a new database alone: opening must not wait for another process that is writing.
  if (readSettings(writer).form === "")
    writer.run("insert or ignore into setting (name, value) values ('form', ?)", form);
  const limitMs = statementSeconds * 1000;
  const reader = new Connection(file, { readOnly: true, limitMs });
  const { close: closeUsage, ...usage } = openUsage(file, reader);
  const health = healthOf(file, catalog);
  const moved = sightOf(file, reader);
  const inRound = readingRounds();
  const readHere: Read = ({ sql, parameters }) => inRound(() => reader.get(sql, ...parameters));
  const thread = options.reading && readingThread(options.reading, { file, limitMs }, readHere);
  const read = thread?.read ?? readHere;
  let known: State | undefined;

  const state = (): State => {
    // Looked at before the state is read: what is committed meanwhile is seen next time.
    if (moved() || known === undefined) known = readState(reader);
    return known;
  };

  const hintsFor = async (plan: Plan): Promise<Hints> => {
    const count: CountLink = ({ kind, values }, limit) => {
      const marks = values.map(() => "?").join(", ");
      const some = `select 1 from ${tableOf(plan.resource)}_link where kind = ? and value in (${marks}) limit ${limit}`;
      return Number(reader.get(`select count(*) as n from (${some})`, kind, ...values)?.n);
    };
    return { driver: await drivingLink(plan, count) };
  };

  const askDays = async (compiled: Compiled) => reader.all(...spread(compiled));

  /** The version moves with a change alone: work that did nothing gives 0 or false. */
  const write = <T>(name: string, work: () => T): T =>
    writer.transaction(() => {
      const result = work();
      if (result !== 0 && result !== false) moveVersion(writer, name);
      return result;
    });

  const counting = <T>(resource: Resource, work: (tally: Tally) => T): T => {
    const tally = new Tally(tablesOf(resource));
    const result = work(tally);
    writeCounts(writer, tally);
    return result;
  };

  return {
    // A file is made ready when it is opened.
    prepare: async () => {},
    state,
    page: async (plan, from = state(), wish) => {
      if (plan.resource.daysOf !== undefined) return daysPage(plan, from.rendering.zone, sqlite, askDays);
      const compiled = compilePage(plan, sqlite, await hintsFor(plan), wish);
      return pageOf(plan, await read({ ...compiled, shape: wish?.reshape?.shape }), wish?.reshape);
    },
    records: async (plan) => recordsOf(plan, reader.all(...spread(compileRecords(plan, sqlite, await hintsFor(plan))))),
    explain: async (plan) =>
      explain(
        reader,
        plan.resource.daysOf === undefined
          ? compilePage(plan, sqlite, await hintsFor(plan))
          : await daysStatement(plan, state().rendering.zone, sqlite, askDays),
      ),

    put: async (resource, rows, options) => put(resource, rows, options),
    remove: async (resource, ids) =>
      write(resource.name, () =>
        counting(resource, (tally) => ids.filter((id) => removeRow(writer, tally, id, now())).length),
      ),
    all: (resource, after) => allRows(file, resource, after),
    settle: (resource) => settleSearch(writer, resource),
    count: async (resource) => Number(reader.get(totalSql(resource, tableOf(resource)))?.n),
    isEmpty: async () =>
      catalog.every((resource) => reader.get(`select 1 from ${tableOf(resource)} limit 1`) === undefined),
    rowsOf: async (resource, ids) => rowsOf(reader, resource, ids),
    rowsAfter: async (resource, after, limit) => rowsAfter(reader, resource, after, limit),
    changes: async (after, limit, resource) => readChanges(reader, after, limit, resource),
    lastChange: async () => lastLine(reader),
    lastChanged: async (resource) => lastChanged(reader, resource.name),
    oldestChange: async () => oldestChange(reader),
    addChanges: async (changes) =>
      writer.transaction(() => {
        takeOverChanges(writer, changes);
        for (const name of new Set(changes.map(({ resource }) => resource))) moveVersion(writer, name);
        moveVersion(writer, untold);
      }),
    forgetChanges: async (forgotten, most) =>
      writer.transaction(() => {
        const { lines, removals } = forgetChanges(writer, forgotten, most);
        if (removals > 0) moveVersion(writer, "removals");
        return lines + removals;
      }),
    render: async (settings) => render(settings),

    addKey: async (key) => write("keys", () => addKey(writer, key)),
    findKey: async (hash) => findKey(reader, hash),
    listKeys: async () => listKeys(reader),
    updateKey: async (name, terms, at) => write("keys", () => updateKey(writer, name, terms, at)),
    rotateKey: async (name, successor) => write("keys", () => rotateKey(writer, name, successor)),
    revokeKey: async (name, at) => write("keys", () => revokeKey(writer, name, at)),
    ...usage,
    note: async (name) =>
      reader.get("select value from setting where name = ?", `note:${name}`)?.value as string | undefined,
    claimNote: async (name, value) =>
      writer.run("insert or ignore into setting (name, value) values (?, ?)", `note:${name}`, value) > 0,
    swapNote: async (name, from, to) =>
      writer.run("update setting set value = ? where name = ? and value = ?", to, `note:${name}`, from) > 0,
    takeTurn: async (name, everySeconds) => takeTurn(writer, name, now(), everySeconds),
    setNote: async (name, value) => {
      writer.run("insert or replace into setting (name, value) values (?, ?)", `note:${name}`, value);
    },
    health: async () => {
      // By its own connection first: a store that is closed has no health.
      reader.get("select 1 from setting");
      return health();
    },
    families: () => fileFamilies(file),
    close: async () => {
      closeUsage();
      // Before the others: the last to close the file puts it in order, which needs one that may write.
      await thread?.close();
      reader.close();
      writer.close();
    },
  };

  function put(resource: Resource, rows: readonly Incoming[], { log = true }: PutOptions = {}): readonly Outcome[] {
    return writer.transaction(() => {
      const { rendering } = readState(writer);
      const outcomes: Outcome[] = new Array(rows.length);
      counting(resource, (tally) => {
        for (const index of writingOrder(resource, rows))
          outcomes[index] = writeRow(writer, tally, rows[index] as Incoming, rendering, log ? now() : undefined);
      });
      const created = rows.filter((_, index) => outcomes[index] === "created").map(({ row }) => String(row.id));
      forgetRemovals(writer, resource.name, created);
      if (outcomes.some((outcome) => outcome !== "unchanged")) {
        moveVersion(writer, resource.name);
        if (!log) moveVersion(writer, untold);
      }
      return outcomes;
    });
  }

  function render(settings: RenderingSettings): number {
    return writer.transaction(() => {
      const before = readSettings(writer);
      const wanted = { zone: settings.zone ?? before.zone, cusip: settings.cusip ?? before.cusip, form };
      if (wanted.zone === before.zone && wanted.cusip === before.cusip && wanted.form === before.form) return 0;
      for (const [name, value] of Object.entries(wanted)) {
        writer.run("insert or replace into setting (name, value) values (?, ?)", name, value);
      }
      const { rendering } = readState(writer);
      let rendered = 0;
      for (const resource of catalog) {
        counting(resource, (tally) => {
          for (const id of idsOf(writer, resource)) {
            renderRow(writer, tally, id, rendering);
            rendered++;
          }
        });
        moveVersion(writer, resource.name);
      }
      moveVersion(writer, untold);
      return rendered;
    });
  }
}

/**
 * The order in which rows are written: that of their lists, so that a page is read from one place of the file, and since
 * the search index is much faster with growing keys. A batch that holds an id twice is written as it came: the later one
 * must win.
 */
function writingOrder({ order }: Resource, rows: readonly Incoming[]): number[] {
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
  return indexes.sort((a, b) => compare((rows[a] as Incoming).row, (rows[b] as Incoming).row));
}

const spread = ({ sql, parameters }: Compiled): [string, ...unknown[]] => [sql, ...parameters];

function explain(connection: Connection, { sql, parameters }: Compiled): Explanation {
  const rows = connection.all(`explain query plan ${sql}`, ...parameters);
  const depth = new Map<unknown, number>([[0, -1]]);
  const steps = rows.map(({ id, parent, detail }) => {
    const level = (depth.get(parent) ?? -1) + 1;
    depth.set(id, level);
    return `${"  ".repeat(level)}${detail}`;
  });
  return { sql, parameters, steps };
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
