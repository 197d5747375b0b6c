// SQLite runs in threads: their pages equal those of a connection in this thread, and nothing that blocks one of them,
// such as a slow read or another process's lock, blocks anything else.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Resource } from "../../src/core/catalog/resource.ts";
import { type ParsedQuery, parseListQuery } from "../../src/core/query/planner.ts";
import { parseQuery } from "../../src/core/query/query-string.ts";
import { projectionOf } from "../../src/core/record/projection.ts";
import { openSqlite } from "../../src/open-sqlite.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { toPage } from "../../src/store/rows/page-result.ts";
import { compilePage } from "../../src/store/sql/compile.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { sqlite } from "../../src/store/sqlite/dialect.ts";
import { ReaderPool } from "../../src/store/sqlite/threads/reader-pool.ts";
import { openThreads } from "../../src/store/sqlite/threads/threads.ts";
import {
  BusyError,
  ExpensiveError,
  type Page,
  type PageOptions,
  type Store,
  StoreError,
  type StoreState,
} from "../../src/store/store.ts";
import { crowd, sample } from "../support/records/records.ts";
import { rowsOf } from "../support/requests/requests.ts";
import { together } from "./plans/query-plan-requests.ts";

const program = new URL("../../src/sqlite-thread.ts", import.meta.url);
let folder: string;
let file: string;
let store: Store;
let state: StoreState;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "bellwire-threads-"));
  file = join(folder, "records.db");
  store = openSqlite({ file });
  for (const resource of catalog) {
    const rows = rowsOf(resource, sample(crowd(resource, 300)));
    await store.put(
      resource,
      rows.map((row) => ({ row, stamped: false })),
    );
  }
  state = await store.state();
});
after(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Values of each parameter of a resource, individually and combined. */
function requestsOf(resource: Resource): ParsedQuery[] {
  const inputs = resource.rules.flatMap((rule) => Object.values(rule.parameters));
  const alone = inputs.flatMap(({ names, valid }) => valid.map((value) => `${names[0]}=${encodeURIComponent(value)}`));
  return ["", ...alone, ...together, "displayOutput=full&format=text", "simplify=true&fields=id,ticker"].flatMap(
    (text) => {
      const reading = parseListQuery(resource, parseQuery(text).query, { zone: state.rendering.zone });
      return "ok" in reading && reading.ok.ignored.length === 0 ? [reading.ok] : [];
    },
  );
}

const textOf = ({ records, ...rest }: Page) => ({ ...rest, records: Buffer.from(records).toString() });

describe("a page read by a reader thread", () => {
  for (const resource of catalog) {
    test(`of ${resource.name} equals the one read by a connection here, transformed or not, as text and as bytes`, async (t) => {
      const connection = new Connection(file, { readOnly: true });
      t.after(() => connection.close());
      let compared = 0;
      for (const { plan, view } of requestsOf(resource)) {
        const reshape = view.selectedFields || view.transforms.length > 0 ? projectionOf(resource, view) : undefined;
        const wishes: PageOptions[] = reshape === undefined ? [{}, { bytes: true }] : [{ reshape }];
        for (const wish of wishes) {
          const link = plan.where.find((condition) => condition.op === "linked");
          const path = link && ({ by: "link", link } as const);
          const { sql, parameters } = compilePage(plan, sqlite, { path, isPastEnd: false }, wish);
          const here = toPage(plan, connection.get(sql, ...parameters), reshape);
          assert.deepEqual(textOf(await store.page(plan, state, wish)), textOf(here));
          compared++;
        }
      }
      assert.ok(compared > 20, `${compared} pages`);
    });
  }
});

/** A pool of threads on the file, closed after the test. */
function poolFor(t: TestContext, { limitMs = 600_000, abandonMs = 600_000, from = program } = {}) {
  const pool = new ReaderPool({ program: from, file, limitMs, abandonMs });
  t.after(() => pool.close());
  const quickly = (sql: string) => pool.call("row", [sql, []], true) as Promise<{ n: number }>;
  const slowly = (sql: string) => pool.call("row", [sql, []], false) as Promise<{ n: number }>;
  /** Takes as long as another connection holds the lock. */
  const blocked = () => pool.call("setMetadata", ["blocked", "yes"], false);
  return { quickly, slowly, blocked };
}

/** Holds the file's write lock until it is released, or until the test ends. */
function lock(t: TestContext): () => void {
  // Calls of an earlier test may only now get the lock that it released.
  const db = new DatabaseSync(file, { timeout: 30_000 });
  db.exec("begin immediate");
  const release = () => {
    if (db.isOpen) db.close();
  };
  t.after(release);
  return release;
}

/** A thread that gets no processor for as long as the limit loses its read; the next one finds it ready. */
async function eventually<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isExpensive(error)) throw error;
    }
  }
}

const isExpensive = (error: unknown) => error instanceof ExpensiveError && /was canceled/.test(error.message);

describe("the reader pool", () => {
  test("returns each call its own result, however many run concurrently", async (t) => {
    const { quickly, slowly } = poolFor(t);
    const calls = Array.from({ length: 200 }, (_, n) => (n % 3 === 0 ? slowly : quickly)(`select ${n} as n`));
    assert.deepEqual(
      (await Promise.all(calls)).map(({ n }) => n),
      calls.map((_, n) => n),
    );
  });

  test("fails an invalid statement without failing its batch", async (t) => {
    const { quickly } = poolFor(t);
    const [first, second, third] = await Promise.allSettled([
      quickly("select 1 as n"),
      quickly("select no_such"),
      quickly("select 3 as n"),
    ]);
    assert.equal(first.status === "fulfilled" && first.value.n, 1);
    assert.match(String(second.status === "rejected" && second.reason), /no such column: no_such/);
    assert.equal(third.status === "fulfilled" && third.value.n, 3);
  });

  test("cancels a read that exceeds its time limit", async (t) => {
    const { slowly } = poolFor(t, { limitMs: -1 });
    await assert.rejects(slowly("select in_time()"), isExpensive);
    assert.equal((await slowly("select 1 as n")).n, 1);
  });

  test("serves fast reads while every other thread is blocked, and the others in order once it isn't", async (t) => {
    const release = lock(t);
    const { quickly, blocked } = poolFor(t);
    let done = 0;
    const waiting = Array.from({ length: 5 }, () => blocked().then(() => done++));
    for (let n = 0; n < 50; n++) assert.equal((await quickly(`select ${n} as n`)).n, n);
    assert.equal(done, 0);
    release();
    await Promise.all(waiting);
  });

  test("fails a read at its limit even if it can't be interrupted, and replaces its thread", async (t) => {
    const release = lock(t);
    const { slowly, blocked } = poolFor(t, { abandonMs: 300 });
    await Promise.all(Array.from({ length: 3 }, () => assert.rejects(blocked(), isExpensive)));
    // All three threads are still blocked.
    assert.equal((await eventually(() => slowly("select 1 as n"))).n, 1);
    release();
  });

  test("replaces a limited number of threads; reads that wait in vain are rejected as busy", async (t) => {
    const release = lock(t);
    const { quickly, slowly, blocked } = poolFor(t, { abandonMs: 300 });
    // Four are replaced, and three stay in the slots of the pool; one at a time would outlast SQLite's own timeout.
    for (const count of [3, 1, 3])
      await Promise.all(Array.from({ length: count }, () => assert.rejects(blocked(), isExpensive)));
    await assert.rejects(slowly("select 1 as n"), BusyError);
    assert.equal((await eventually(() => quickly("select 1 as n"))).n, 1);
    release();
    // The first one may still find the threads blocked.
    for (;;) {
      const row = await eventually(() => slowly("select 2 as n")).catch((error: unknown) =>
        assert.ok(error instanceof BusyError),
      );
      if (row?.n === 2) break;
    }
  });

  test("waits for a thread that starts its reads late, since it is not slow", async (t) => {
    const late = join(folder, "late.mjs");
    const body =
      "const zero = new Int32Array(new SharedArrayBuffer(4)); setInterval(() => Atomics.wait(zero, 0, 0, 80), 1);";
    writeFileSync(late, `import ${JSON.stringify(program.href)};\n${body}\n`);
    const { slowly } = poolFor(t, { from: pathToFileURL(late) });
    for (let n = 0; n < 5; n++) assert.equal((await slowly(`select ${n} as n`)).n, n);
  });

  test("fails with a retryable error if a thread has exited, and starts another", async (t) => {
    const from = new URL(
      `data:text/javascript,import { parentPort } from "node:worker_threads";
      parentPort.on("message", ({ calls }) => { if (calls) throw new Error("out of order"); });`,
    );
    // Code of another test file in this process may log warnings as well.
    const ended = /a SQLite thread ended: out of order/;
    const warned = new Promise<void>((resolve) => {
      process.on("warning", function hear({ message }) {
        if (!ended.test(message)) return;
        process.off("warning", hear);
        resolve();
      });
    });
    const { quickly } = poolFor(t, { from });
    const isLost = (error: unknown) => error instanceof StoreError && error.retry;
    await assert.rejects(quickly("select 1"), isLost);
    await assert.rejects(quickly("select 1"), isLost);
    await warned;
  });
});

describe("a reserved thread", () => {
  const reserve = (t: TestContext, from: URL, abandonMs: number) => {
    const threads = openThreads({ program: from, file, limitMs: 600_000, abandonMs, isSingleThread: true });
    const { call, close } = threads.reserve();
    t.after(async () => {
      await close();
      await threads.close();
    });
    return call;
  };

  test("is waited for while it starts, however long that takes", async (t) => {
    const late = join(folder, "starts-late.mjs");
    const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);";
    writeFileSync(late, `${wait}\nawait import(${JSON.stringify(program.href)});\n`);
    assert.deepEqual(await reserve(t, pathToFileURL(late), 1000)("row", "select 1 as n", []), { n: 1 });
  });

  test("fails a read at its limit", async (t) => {
    const release = lock(t);
    await assert.rejects(reserve(t, program, 100)("setMetadata", "reserved", "yes"), isExpensive);
    release();
  });
});

describe("while another process holds the lock", () => {
  test("a write waits for it, and reads don't wait for the write", async (t) => {
    const release = lock(t);
    let isWritten = false;
    const writing = store.setMetadata("waits", "yes").then(() => {
      isWritten = true;
    });
    for (const resource of catalog) {
      const [request] = requestsOf(resource);
      assert.ok((await store.page((request as ParsedQuery).plan)).count > 0);
    }
    assert.equal((await store.state()).databaseId, state.databaseId);
    assert.equal(isWritten, false);
    release();
    await writing;
    assert.equal(await store.getMetadata("waits"), "yes");
  });
});
