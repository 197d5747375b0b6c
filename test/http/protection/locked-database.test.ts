// Reads never wait for a write, whatever it waits for and however long it takes. [sqlite]
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { catalog } from "../../../src/resources/catalog.ts";
import { type Api, startApi } from "../../support/clients/api.ts";
import { counts, writer } from "../../support/clients/writing.ts";

async function service(t: TestContext): Promise<Api> {
  const api = await startApi();
  t.after(() => api.close());
  for (const { name } of catalog) await api.has(name, [{ id: name === "news" ? 1 : "1" }]);
  return api;
}

/** Holds the write lock as another process would. */
function lockOf(api: Api, t: TestContext): { release(): void } {
  const db = new DatabaseSync(api.file, { timeout: 30_000 });
  db.exec("begin immediate");
  const release = () => {
    if (db.isOpen) db.close();
  };
  t.after(release);
  return { release };
}

/** Whether the service is in a transaction. */
function isWriting(api: Api): boolean {
  const db = new DatabaseSync(api.file, { timeout: 0 });
  try {
    db.exec("begin immediate");
    return false;
  } catch {
    return true;
  } finally {
    db.close();
  }
}

describe("while another process holds the database lock", () => {
  test("POST, DELETE, and a new key wait for it, and every list, /livez, and /readyz is served", async (t) => {
    const api = await service(t);
    const { post, remove } = await writer(api);
    const admin = await api.key({ scopes: ["admin"] });
    const lock = lockOf(api, t);
    let written = 0;
    const writes = [
      post("/admin/v1/records/ratings", '[{"id":"2","date":"2024-11-05"}]'),
      remove("/admin/v1/records/earnings/1"),
      api.request("/admin/v1/keys", {
        method: "POST",
        body: '{"name":"new"}',
        headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
      }),
    ].map(async (write) => {
      const response = await write;
      written++;
      return response.status;
    });
    for (const { path, name } of catalog) {
      // Twice: from the database, and from the cache.
      for (const _ of [1, 2]) assert.equal((await api.fetch(`${path}?pageSize=5`)).status, 200, name);
      assert.equal((await api.fetch(`${path}?pageSize=5&page=2&updatedSince=0`)).status, 200, name);
    }
    for (const path of ["/livez", "/readyz"]) assert.equal((await api.request(path)).status, 200, path);
    assert.equal(written, 0);
    lock.release();
    assert.deepEqual(await Promise.all(writes), [200, 200, 201]);
  });
});

describe("while a large body is written", () => {
  test("lists are served in the middle of its transaction", async (t) => {
    const api = await service(t);
    const { post } = await writer(api);
    const ids = Array.from({ length: 3000 }, (_, n) => `r${n}`);
    let during = 0;
    // On a busy machine, a transaction may be over before this thread gets a turn.
    for (let attempt = 0; during === 0 && attempt < 20; attempt++) {
      const records = ids.map((id, n) => ({ id, date: "2024-11-05", ticker: `T${n % 50}`, notes: `${attempt}` }));
      let isDone = false;
      const writing = post("/admin/v1/records/ratings?atomic=true", JSON.stringify(records)).finally(() => {
        isDone = true;
      });
      for (let page = 1; !isDone; page++) {
        const isUnderWay = isWriting(api);
        assert.equal((await api.fetch(`/api/v2/news?page=${page}`)).status, 200);
        if (isUnderWay && !isDone) during++;
        // An injected request never yields to other events.
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.deepEqual((await writing).json, attempt === 0 ? counts(3000) : counts(0, 3000));
    }
    assert.ok(during > 0, "no list was served during a transaction");
  });
});
