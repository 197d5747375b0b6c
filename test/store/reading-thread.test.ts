// The thread that reads: it gives what is read here, and what it can't do, or not in time, is read here.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { parseQuery } from "../../src/core/query.ts";
import { read, type Understood } from "../../src/core/read.ts";
import { reshapeOf } from "../../src/core/reshape.ts";
import type { Resource } from "../../src/core/resource.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { pageOf } from "../../src/store/page.ts";
import { compilePage } from "../../src/store/sql.ts";
import { sqlite } from "../../src/store/sqlite/dialect.ts";
import {
  defaultThreadLimits,
  type Read,
  type ReadingThread,
  readingThread,
} from "../../src/store/sqlite/reading-thread.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { type Page, type State, type Store, StoreError, type Wish } from "../../src/store/store.ts";
import { crowd, sample } from "../support/records.ts";
import { rowsOf } from "../support/requests.ts";
import { together } from "./query-plan-requests.ts";

const program = new URL("../../src/reading.ts", import.meta.url);
let folder: string;
let file: string;
let store: Store;
let state: State;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "bellwire-thread-"));
  file = join(folder, "records.db");
  store = openSqlite({ file, catalog });
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

const select = (sql: string) => ({ sql, parameters: [], shape: undefined });
const notHere: Read = async ({ sql }) => assert.fail(`read here: ${sql}`);

/** Runs with a thread that has begun, and ends it. */
async function withThread(
  work: (thread: ReadingThread) => Promise<void>,
  { readHere = notHere, limitMs = 600_000, from = program, lateMs = 60_000 } = {},
): Promise<void> {
  const thread = readingThread(from, { file, limitMs }, readHere, { ...defaultThreadLimits, lateMs });
  await thread.ready;
  try {
    await work(thread);
  } finally {
    await thread.close();
  }
}

/** What each parameter of a resource may say, one at a time, and what it may say together. */
function requestsOf(resource: Resource): Understood[] {
  const inputs = resource.rules.flatMap((rule) => Object.values(rule.inputs));
  const alone = inputs.flatMap(({ names, good }) => good.map((value) => `${names[0]}=${encodeURIComponent(value)}`));
  return ["", ...alone, ...together, "displayOutput=full&format=text", "simplify=true&fields=id,ticker"].flatMap(
    (text) => {
      const reading = read(resource, parseQuery(text).query, { zone: state.rendering.zone });
      return "ok" in reading && reading.ok.ignored.length === 0 ? [reading.ok] : [];
    },
  );
}

const textOf = ({ records, ...rest }: Page) => ({ ...rest, records: Buffer.from(records).toString() });

describe("the thread that reads", () => {
  for (const resource of catalog) {
    test(`gives the pages of ${resource.name} that are read here, reshaped or not, as text and as bytes`, async () => {
      let compared = 0;
      await withThread(async (thread) => {
        for (const { plan, view } of requestsOf(resource)) {
          const reshape = view.only || view.changes.length > 0 ? reshapeOf(resource, view) : undefined;
          const wishes: Wish[] = reshape === undefined ? [{}, { bytes: true }] : [{ reshape }];
          for (const wish of wishes) {
            const compiled = compilePage(
              plan,
              sqlite,
              { driver: plan.where.find((condition) => condition.op === "linked") },
              wish,
            );
            const row = await thread.read({ ...compiled, shape: wish.reshape?.shape });
            // Done there: nothing is left to be done here.
            if (reshape !== undefined && Number(row?.told ?? 0) === 0) assert.notEqual(row?.tail, undefined);
            assert.deepEqual(textOf(pageOf(plan, row, reshape)), textOf(await store.page(plan, state, wish)));
            compared++;
          }
        }
      });
      assert.ok(compared > 20, `${compared} pages`);
    });
  }

  test("answers what is asked at once in the order of the asking", async () => {
    await withThread(async ({ read }) => {
      const asked = Array.from({ length: 50 }, (_, n) => read(select(`select ${n} as n`)));
      assert.deepEqual(
        (await Promise.all(asked)).map((row) => row?.n),
        asked.map((_, n) => n),
      );
    });
  });

  test("more kinds of statements than are remembered are each read as they were asked", async () => {
    await withThread(async ({ read }) => {
      for (let at = 0; at < 2400; at += 40) {
        // Each of 1,200, twice.
        const numbers = Array.from({ length: 40 }, (_, index) => (at + index) % 1200);
        const rows = await Promise.all(numbers.map((n) => read(select(`select ${n} as n`))));
        assert.deepEqual(
          rows.map((row) => row?.n),
          numbers,
        );
      }
    });
  });

  test("a statement that fails fails alone", async () => {
    await withThread(async ({ read }) => {
      const asked = [read(select("select 1 as n")), read(select("select no_such")), read(select("select 3 as n"))];
      const [first, second, third] = await Promise.allSettled(asked);
      assert.equal(first?.status === "fulfilled" && first.value?.n, 1);
      assert.match(String(second?.status === "rejected" && second.reason), /no such column: no_such/);
      assert.equal(third?.status === "fulfilled" && third.value?.n, 3);
    });
  });

  test("a statement that takes too long is stopped, and not asked again", async () => {
    const stopped = (error: unknown) =>
      error instanceof StoreError && !error.retry && /was canceled/.test(error.message);
    await withThread(async ({ read }) => assert.rejects(read(select("select in_time()")), stopped), { limitMs: -1 });
  });

  test("what is asked before the thread has begun is read here", async () => {
    const thread = readingThread(program, { file, limitMs: 1000 }, async ({ sql }) => ({ here: sql }));
    assert.deepEqual(await thread.read(select("select 1 as n")), { here: "select 1 as n" });
    await thread.close();
  });

  test("what is asked while the thread is long at another is read here", async () => {
    const here: string[] = [];
    const readHere: Read = async ({ sql }) => {
      here.push(sql);
      return undefined;
    };
    await withThread(
      async ({ read }) => {
        // In one turn, so that the answer to the first can't have come.
        const [long] = await Promise.all([read(select("select 1 as n")), read(select("select 2"))]);
        assert.deepEqual(here, ["select 2"]);
        assert.equal(long?.n, 1);
        assert.equal((await read(select("select 3 as n")))?.n, 3);
      },
      // Any time is too long.
      { readHere, lateMs: -1 },
    );
  });

  test("with too much on its way, the rest is read here", async () => {
    let here = 0;
    const readHere: Read = async () => {
      here++;
      return undefined;
    };
    await withThread(
      async ({ read }) => void (await Promise.all(Array.from({ length: 100 }, () => read(select("select 1"))))),
      { readHere },
    );
    assert.equal(here, 36);
  });

  test("when the thread has ended, whoever waits is told to ask again, and all is read here", async () => {
    const from = new URL(
      `data:text/javascript,import { parentPort } from "node:worker_threads";
      parentPort.on("message", () => { throw new Error("out of order"); });
      parentPort.postMessage({ rows: [] });`,
    );
    // Another file's code in this process may have something to warn of as well.
    const ended = /the thread that reads has ended.*out of order/;
    const warned = new Promise<void>((resolve) => {
      process.on("warning", function hear({ message }) {
        if (!ended.test(message)) return;
        process.off("warning", hear);
        resolve();
      });
    });
    const readHere: Read = async () => ({ here: 1 });
    await withThread(
      async ({ read }) => {
        const isLost = (error: unknown) => error instanceof StoreError && error.retry;
        await assert.rejects(read(select("select 1")), isLost);
        assert.deepEqual(await read(select("select 1")), { here: 1 });
        await warned;
      },
      { readHere, from },
    );
  });
});

test("a process that ends the thread before it has begun waits for that", async () => {
  const script = `
    const { readingThread } = await import(${JSON.stringify(new URL("../../src/store/sqlite/reading-thread.ts", import.meta.url).href)});
    const thread = readingThread(new URL(${JSON.stringify(program.href)}), { file: ${JSON.stringify(file)}, limitMs: 1000 }, () => {});
    await thread.close();
    console.log("closed");`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  assert.equal(stdout, "closed\n");
});
