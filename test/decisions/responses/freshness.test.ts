// Freshness: writes of another connection or process are in the next response of a running server.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { validateRecord } from "../../../src/core/record/validate.ts";
import { openSqlite } from "../../../src/open-sqlite.ts";
import type { Store } from "../../../src/store/store.ts";
import { bellwireWrites, fileOf, keyOn } from "../../commands/support/bellwire.ts";
import { type Api, resourceNamed, startApi, testNow } from "../../support/clients/api.ts";

/** A running service, and a second connection to its file. */
async function twoConnections(work: (api: Api, other: Store) => Promise<void>): Promise<void> {
  const api = await startApi();
  const other = openSqlite({ file: api.file });
  try {
    await work(api, other);
  } finally {
    await other.close();
    await api.close();
  }
}

async function put(store: Store, name: string, record: Record<string, unknown>): Promise<void> {
  const accepted = validateRecord(resourceNamed(name), record, testNow);
  assert.ok("row" in accepted);
  await store.put(resourceNamed(name), [accepted]);
}

describe("another connection to the same file", () => {
  test("adds, replaces, or removes a record, and the next response reflects it", () =>
    twoConnections(async (api, other) => {
      const titles = async () => (await api.get("/api/v2/news")).map((item: { title: string }) => item.title);
      assert.deepEqual(await titles(), []);
      await put(other, "news", { id: 1, title: "first", created: 1 });
      assert.deepEqual(await titles(), ["first"]);
      await put(other, "news", { id: 1, title: "second", created: 1 });
      assert.deepEqual(await titles(), ["second"]);
      await other.remove(resourceNamed("news"), ["1"]);
      assert.deepEqual(await titles(), []);
    }));

  test("changes a record, and the previous ETag no longer gets a 304", () =>
    twoConnections(async (api, other) => {
      await put(other, "earnings", { id: "a", date: "2024-11-05" });
      const { etag } = (await api.fetch("/api/v2.1/calendar/earnings")).headers;
      const again = () => api.fetch("/api/v2.1/calendar/earnings", { "if-none-match": String(etag) });
      assert.equal((await again()).status, 304);
      await put(other, "earnings", { id: "b", date: "2024-11-05" });
      const found = await again();
      assert.deepEqual([found.status, found.json.earnings.length], [200, 2]);
    }));

  test("creates or revokes a key, and the next request is authenticated accordingly", () =>
    twoConnections(async (api, other) => {
      const token = await api.key({ name: "partner" });
      assert.equal((await api.request(`/api/v2/news?token=${token}`)).status, 200);
      await other.revokeKey("partner", testNow);
      assert.equal((await api.request(`/api/v2/news?token=${token}`)).status, 401);
    }));

  test("changes a setting, and the next response is rendered with it", () =>
    twoConnections(async (api, other) => {
      await api.has("news", [{ id: 1, created: "2024-11-05T14:30:00Z" }]);
      assert.equal((await api.get("/api/v2/news"))[0].created, "Tue, 05 Nov 2024 09:30:00 -0500");
      await other.render({ zone: "Asia/Tokyo" });
      assert.equal((await api.get("/api/v2/news"))[0].created, "Tue, 05 Nov 2024 23:30:00 +0900");
      assert.deepEqual(await api.ids("/api/v2/news?date=2024-11-05"), [1]);
    }));
});

describe("another process", () => {
  test("runs import and keys, and the next response reflects both", async () => {
    const api = await startApi();
    try {
      const url = "/api/v2.1/calendar/ratings?parameters[tickers]=F";
      const first = await api.fetch(url);
      assert.equal(first.text, '{"ratings":[]}');
      const file = fileOf("ratings.ndjson", '{"id":"a","date":"2024-11-05","ticker":"F"}\n');
      await bellwireWrites(["import", "ratings", file, "--database", api.file]);
      assert.deepEqual(await api.ids(url), ["a"]);
      assert.equal((await api.fetch(url, { "if-none-match": String(first.headers.etag) })).status, 200);

      const token = await keyOn(api.file, "partner");
      assert.equal((await api.request(`${url}&token=${token}`)).status, 200);
      await bellwireWrites(["keys", "revoke", "partner", "--database", api.file]);
      assert.equal((await api.request(`${url}&token=${token}`)).status, 401);
    } finally {
      await api.close();
    }
  });
});
