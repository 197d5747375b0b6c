// A slow SQLite read is canceled: its process serves nothing meanwhile.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { parseListQuery } from "../../src/core/query/planner.ts";
import { parseQuery } from "../../src/core/query/query-string.ts";
import { validateRecord } from "../../src/core/record/validate.ts";
import { zone } from "../../src/core/value/time-zone.ts";
import { createLog } from "../../src/http/observe/log.ts";
import { buildServer } from "../../src/http/server.ts";
import { generateKey, hashKey } from "../../src/keys/key.ts";
import { openSqlite } from "../../src/open-sqlite.ts";
import { catalog } from "../../src/resources/catalog.ts";
import type { IncomingRow } from "../../src/store/store.ts";
import { resourceNamed } from "../support/clients/api.ts";

const folder = mkdtempSync(join(tmpdir(), "bellwire-slow-"));
const file = join(folder, "slow.db");
const news = resourceNamed("news");
const count = 3000;

before(async () => {
  const store = openSqlite({ file });
  const rows = Array.from({ length: count }, (_, at) => {
    const record = { id: at + 1, created: 1_700_000_000 + at, title: "common words" };
    const more = at % 2 === 0 ? { stocks: [{ name: "EVEN" }] } : { author: "odd" };
    const accepted = validateRecord(news, { ...record, ...more }, 0);
    assert.ok("row" in accepted);
    return accepted as IncomingRow;
  });
  await store.put(news, rows);
  await store.close();
});
after(() => rmSync(folder, { recursive: true, force: true }));

const planOf = (query: string) => {
  const found = zone("UTC");
  assert.ok(found);
  const reading = parseListQuery(news, parseQuery(query).query, { zone: found });
  assert.ok("ok" in reading, JSON.stringify(reading));
  return reading.ok.plan;
};

/** Many records match each condition, and none matches all: no count shows that nothing matches. */
const far = "topics=common&tickers=EVEN&authors=odd";

describe("a slow read", () => {
  test("is canceled, reported as such, and not retried", async () => {
    const store = openSqlite({ file, statementSeconds: 0, abandonSeconds: 600 });
    try {
      for (const way of ["page", "records"] as const) {
        await assert.rejects(store[way](planOf(far)), (error: Error & { retry?: boolean }) => {
          assert.deepEqual([error.name, error.retry], ["StoreError", false]);
          assert.match(error.message, /canceled after 0 seconds/);
          return true;
        });
      }
      // The connection is still usable.
      assert.equal((await store.page(planOf("pageSize=5"))).count, 5);
    } finally {
      await store.close();
    }
  });

  test("completes within its time limit", async () => {
    const store = openSqlite({ file });
    try {
      assert.equal((await store.page(planOf(far))).count, 0);
    } finally {
      await store.close();
    }
  });
});

describe("a request with a slow read", () => {
  test("is rejected as too expensive, and the next one is served normally", async (t) => {
    const store = openSqlite({ file, statementSeconds: 0, abandonSeconds: 600 });
    const log: string[] = [];
    const server = await buildServer({
      catalog,
      store,
      log: createLog("warn", { write: (line) => log.push(line) }),
      openapi: {},
    });
    t.after(async () => {
      server.closeConnections();
      await server.app.close();
      await store.close();
    });
    const key = generateKey();
    await store.addKey({ name: "slow", hash: hashKey(key), licenses: [], expires: "", created: 0 });
    const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
    const request = (query: string) =>
      fetch(`http://127.0.0.1:${port}/api/v2/news?${query}`, { headers: { authorization: `Bearer ${key}` } });
    const found = await request(far);
    assert.deepEqual(
      [found.status, ((await found.json()) as { code: string }).code, found.headers.has("retry-after")],
      [503, "server.expensive", false],
    );
    assert.equal(log.filter((line) => line.includes("canceled after 0 seconds")).length, 1);
    assert.equal((await request("pageSize=5")).status, 200);
  });
});
