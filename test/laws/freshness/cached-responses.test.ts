// Cached responses equal fresh ones, byte for byte and header for header, at any moment.
import assert from "node:assert/strict";
import fc from "fast-check";
import { catalog } from "../../../src/resources/catalog.ts";
import { runs } from "../../support/budget.ts";
import { type Api, type ApiResponse, startApi } from "../../support/clients/api.ts";
import { crowd, sample, seed } from "../../support/records/records.ts";
import { requests, rowsOf } from "../../support/requests/requests.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";
import { withWriter } from "../../support/stores/second-store.ts";

/** Everything that a client sees except the request ID. */
const seen = ({ status, text, headers: { "x-request-id": _, date: __, ...headers } }: ApiResponse) => ({
  status,
  text,
  headers,
});

/** Runs a function with a second service on the same database, without a cache. */
async function besides(api: Api, run: (uncached: Api) => Promise<void>): Promise<void> {
  const uncached = await startApi({ database: api.file, cacheBytes: 0, keyNames: "uncached" });
  try {
    await run(uncached);
  } finally {
    await uncached.close();
  }
}

onEveryStore("cached responses", (test, store) => {
  for (const resource of catalog) {
    test(`${resource.name}: repeated requests get the same responses as from a service without a cache`, async (api) => {
      const records = sample(crowd(resource, 120));
      await api.has(resource.name, records);
      await besides(api, async (uncached) => {
        const requestArbitrary = fc.record({
          url: requests(resource, records, rowsOf(resource, records)),
          encoding: fc.constantFrom("", "gzip", "br"),
          accept: fc.constantFrom("*/*", "application/json", ...(resource.formats.includes("xml") ? ["text/xml"] : [])),
        });
        const property = fc.asyncProperty(requestArbitrary, async ({ url, encoding, accept }) => {
          const headers = { authorization: `Bearer ${api.token}`, "accept-encoding": encoding, accept };
          const expected = seen(await uncached.request(url, { headers }));
          assert.equal(expected.status, 200, expected.text);
          for (let time = 0; time < 3; time++)
            assert.deepEqual(seen(await api.request(url, { headers })), expected, url);
          const known = { ...headers, "if-none-match": expected.headers.etag ?? "" };
          const unchanged = seen(await uncached.request(url, { headers: known }));
          assert.equal(unchanged.status, 304);
          assert.deepEqual(seen(await api.request(url, { headers: known })), unchanged, url);
        });
        await fc.assert(property, { seed, numRuns: runs(5, 40) });
      });
    });
  }

  // On PostgreSQL, another process sees a change within a second; the process that wrote sees it immediately.
  for (const by of store === "sqlite" ? ["this process", "another process"] : ["this process"]) {
    test(`a record imported by ${by} is in the very next response`, async (api) => {
      const [resource] = catalog.filter(({ name }) => name === "ratings");
      assert.ok(resource);
      const records = sample(crowd(resource, 30));
      await withWriter(api, resource, async (writeElsewhere) => {
        for (const [index, record] of records.entries()) {
          if (by === "this process") await api.has("ratings", [record]);
          else await writeElsewhere([record]);
          for (let time = 0; time < 3; time++) {
            const found = await api.ids("/api/v2.1/calendar/ratings?pagesize=1000");
            assert.equal(found.length, index + 1, `after ${index + 1} records, request ${time + 1}`);
          }
        }
      });
    });
  }

  test("a page that has just changed is read once, however many requests for it are concurrent", async (api) => {
    const url = "/api/v2.1/calendar/earnings";
    const reads = async () => {
      const { text } = await api.request("/metrics", { headers: { authorization: `Bearer ${admin}` } });
      return Number(/^bellwire_store_seconds_count\{operation="page"\} (\d+)$/m.exec(text)?.[1]);
    };
    const admin = await api.key({ name: "admin", scopes: ["admin"] });
    const record = { id: "a", date: "2024-11-05" };
    await api.has("earnings", [record]);
    for (let time = 0; time < 3; time++) await api.get(url);
    for (const notes of ["one", "two"]) {
      await api.has("earnings", [{ ...record, notes }]);
      const before = await reads();
      const bodies = await Promise.all(Array.from({ length: 20 }, () => api.get(url)));
      for (const { earnings } of bodies) assert.equal(earnings[0].notes, notes);
      assert.equal(await reads(), before + 1);
    }
  });

  test("a revoked or expired key gets nothing, however often it was used before", async (api) => {
    const url = "/api/v2.1/calendar/earnings";
    const statusWith = async (key: string) =>
      (await api.request(url, { headers: { authorization: `Bearer ${key}` } })).status;
    const revoked = await api.key({ name: "revoked" });
    const expiring = await api.key({ name: "expiring", expires: "2026-01-15" });
    for (const key of [revoked, expiring])
      for (let time = 0; time < 3; time++) assert.equal(await statusWith(key), 200);
    await api.store.revokeKey("revoked", api.clock.now);
    assert.equal(await statusWith(revoked), 401);
    assert.equal(await statusWith(expiring), 200);
    api.clock.now += 86_400;
    assert.equal(await statusWith(expiring), 401);
  });

  test("a cached response is read again if the time zone or the key's terms change", async (api) => {
    await api.has("news", [{ id: 1, created: "2024-11-06T03:00:00Z" }]);
    const url = "/api/v2/news?date=2024-11-05";
    for (let time = 0; time < 3; time++) assert.deepEqual(await api.ids(url), [1]);
    await api.store.render({ zone: "Europe/Berlin" });
    assert.deepEqual(await api.ids(url), []);

    const key = await api.key({ name: "narrowed" });
    const fetchStatus = async () => (await api.request(url, { headers: { authorization: `Bearer ${key}` } })).status;
    for (let time = 0; time < 3; time++) assert.equal(await fetchStatus(), 200);
    await api.store.updateKey("narrowed", { resources: ["ratings"] }, api.clock.now);
    assert.equal(await fetchStatus(), 403);
  });

  test("a key with a low rate limit is rejected when its burst is used up, whatever changes in between", async (api) => {
    const key = await api.key({ name: "few", rate: 0.001, burst: 4 });
    const statuses: number[] = [];
    for (let time = 0; time < 6; time++) {
      await api.has("earnings", [{ id: `e${time}`, date: "2024-11-05" }]);
      statuses.push(
        (await api.request("/api/v2.1/calendar/earnings", { headers: { authorization: `Bearer ${key}` } })).status,
      );
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429]);
  });

  test("each response has its own request ID, and the log has a line for each", async (api) => {
    const ids = new Set<string | undefined>();
    for (let time = 0; time < 5; time++) ids.add((await api.fetch("/api/v2/news")).headers["x-request-id"]);
    const own = { "x-request-id": "my-own" };
    assert.equal((await api.fetch("/api/v2/news", own)).headers["x-request-id"], "my-own");
    assert.equal(ids.size, 5);
    const logged = api.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request");
    for (const id of [...ids, "my-own"]) {
      const line = logged.find(({ request_id }) => request_id === id) ?? assert.fail(`no line for ${id}`);
      assert.deepEqual([line.status, line.url, line.bytes, line.key], [200, "/api/v2/news", 2, "test-1"]);
      assert.ok(line.ms >= 0 && line.ms < 60_000);
    }
  });

  test("a response in another encoding or format, or for another key, is a different one", async (api) => {
    await api.has(
      "news",
      Array.from({ length: 20 }, (_, index) => ({ id: index + 1, title: "x".repeat(200) })),
    );
    const url = "/api/v2/news?displayOutput=full";
    const kinds: Record<string, string>[] = [{}, { "accept-encoding": "gzip" }, { accept: "application/xml" }];
    for (let time = 0; time < 3; time++) {
      for (const headers of kinds) {
        const { headers: found } = await api.fetch(url, headers);
        assert.equal(found["content-encoding"], headers["accept-encoding"]);
        assert.match(found["content-type"] ?? "", headers.accept === undefined ? /json/ : /xml/);
      }
    }
    const { status } = await api.request(url, { headers: { authorization: "Bearer bw_wrong" } });
    assert.equal(status, 401);
  });
});
