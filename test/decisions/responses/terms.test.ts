// Decision 040: the terms of a key determine its access, from one request to the next.
import assert from "node:assert/strict";
import type { Terms } from "../../../src/core/access/terms.ts";
import { generateKey, hashKey } from "../../../src/keys/key.ts";
import { type Api, type ApiResponse, recordsOf, resourceNamed, startApi, testNow } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";
import { waitUntil } from "../../support/wait-until.ts";

const requesterWith = async (api: Api, terms: Partial<Terms>) => {
  const key = await api.key(terms);
  return (url: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    api.request(url, { headers: { authorization: `Bearer ${key}`, ...headers } });
};

const ids = ({ status, text, json }: ApiResponse): unknown[] => {
  assert.equal(status, 200, text);
  return recordsOf(json).map(({ id }) => id);
};

onEveryStore("key terms", (test) => {
  test("an unlicensed resource gets a 403 that lists the licensed ones", async (api) => {
    const request = await requesterWith(api, { resources: ["ratings", "earnings"] });
    assert.equal((await request("/api/v2.1/calendar/ratings")).status, 200);
    assert.equal((await request("/api/v2.1/calendar/ratings/analysts")).status, 200);
    const rejected = await request("/api/v2/news");
    assert.deepEqual([rejected.status, rejected.json.code], [403, "key.resource"]);
    assert.equal(
      rejected.json.detail,
      'This requires a license for "news"; this key is licensed for ratings, earnings.',
    );
    assert.equal((await request("/api/v2/news/1")).json.code, "key.resource");
    // Before the parameters, after the format.
    assert.equal((await request("/api/v2/news?page=x")).json.code, "key.resource");
    assert.equal((await request("/api/v2/news?page=x", { accept: "image/png" })).json.code, "format.unacceptable");
  });

  test("removed calendar records are listed only for licensed resources", async (api) => {
    await api.has("ratings", [{ id: "r" }]);
    await api.has("dividends", [{ id: "d" }]);
    for (const [name, id] of [
      ["ratings", "r"],
      ["dividends", "d"],
    ] as const)
      await api.store.remove(resourceNamed(name), [id]);
    const request = await requesterWith(api, { resources: ["ratings"] });
    const url = "/api/v2.1/calendar-removed";
    assert.deepEqual(ids(await request(url)), ["r"]);
    assert.deepEqual(ids(await request(`${url}?type=ratings`)), ["r"]);
    assert.equal((await request(`${url}?type=dividends`)).json.code, "key.resource");
    assert.deepEqual((await api.ids(url)).toSorted(), ["d", "r"]);
    // A removal is a change like any other: it is visible after the delay.
    const delayed = await requesterWith(api, { delay: 15, resources: ["ratings"] });
    assert.deepEqual(ids(await delayed(url)), []);
    api.clock.now += 15 * 60;
    assert.deepEqual(ids(await delayed(url)), ["r"]);
    assert.deepEqual(ids(await delayed(`${url}?parameters[updated]=1`)), ["r"]);
  });

  test("writing and replication are limited to licensed resources", async (api) => {
    const key = await api.key({ scopes: ["write", "replicate"], resources: ["dividends"] });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const send = (url: string, method: string, body = "") => api.request(url, { method, headers, body });
    assert.equal((await send("/admin/v1/records/dividends", "POST", '[{"id":"d","date":"2026-01-02"}]')).status, 200);
    assert.equal((await send("/admin/v1/records/ratings", "POST", "[]")).json.code, "key.resource");
    assert.equal((await send("/admin/v1/records/ratings/r", "DELETE")).json.code, "key.resource");
    await api.has("ratings", [{ id: "r" }]);
    await api.has("dividends", [{ id: "e" }]);
    const feed = await api.request("/changes", { headers });
    assert.deepEqual(
      feed.json.changes.map(({ id }: { id: string }) => id),
      ["d", "e"],
    );
    assert.deepEqual([feed.json.next, feed.json.last], [3, 3]);
    // A page without visible entries still has a next position.
    const first = await api.request("/changes?after=1&limit=1", { headers });
    assert.deepEqual([first.json.changes, first.json.next], [[], 2]);
    assert.equal((await api.request("/changes?resource=ratings", { headers })).json.code, "key.resource");
    assert.equal((await api.request("/changes/records/ratings", { headers })).json.code, "key.resource");
    assert.equal((await api.request("/changes/records/dividends", { headers })).status, 200);
  });

  test("history starts on a day, or a number of days before today in the service's time zone", async (api) => {
    await api.has("ratings", [
      { id: "a", date: "2026-01-05" },
      { id: "b", date: "2026-01-06" },
      { id: "c", date: "2026-03-01" },
    ]);
    // The last second of the 5th and the first of the 6th, in New York.
    await api.has("news", [
      { id: 1, created: "2026-01-05T23:59:59-05:00" },
      { id: 2, created: "2026-01-06T00:00:00-05:00" },
    ]);
    const fixed = await requesterWith(api, { history: "2026-01-06" });
    const moving = await requesterWith(api, { history: "9d" });
    for (const request of [fixed, moving]) {
      assert.deepEqual(ids(await request("/api/v2.1/calendar/ratings")), ["c", "b"]);
      assert.deepEqual(ids(await request("/api/v2.1/calendar/ratings?parameters[date_from]=2020-01-01")), ["c", "b"]);
      assert.deepEqual(ids(await request("/api/v2.1/calendar/ratings?parameters[date]=2026-01-05")), []);
      assert.deepEqual(ids(await request("/api/v2/news")), [2]);
      assert.deepEqual(ids(await request("/api/v2/news/1")), []);
      assert.deepEqual(ids(await request("/api/v2/news/2")), [2]);
    }
    // Midnight in New York, and a cached response: it is valid only for its day.
    for (let time = 0; time < 3; time++) assert.deepEqual(ids(await moving("/api/v2/news")), [2]);
    api.clock.now = Date.parse("2026-01-16T00:00:00-05:00") / 1000 - 1;
    assert.deepEqual(ids(await moving("/api/v2/news")), [2]);
    api.clock.now++;
    assert.deepEqual(ids(await moving("/api/v2/news")), []);
    assert.deepEqual(ids(await fixed("/api/v2/news")), [2]);
  });

  test("a delay hides recent records, by the minute, from cached responses too", async (api) => {
    await api.has("news", [
      { id: 1, created: testNow - 15 * 60 },
      { id: 2, created: testNow - 15 * 60 + 1 },
    ]);
    await api.has("earnings", [
      { id: "a", updated: testNow - 15 * 60 },
      { id: "b", updated: testNow - 15 * 60 + 59 },
    ]);
    const request = await requesterWith(api, { delay: 15 });
    const both = async () => [
      ids(await request("/api/v2/news")),
      ids(await request("/api/v2.1/calendar/earnings")).toSorted(),
      ids(await request("/api/v2.1/calendar/earnings?parameters[updated]=1")),
    ];
    for (let time = 0; time < 3; time++) assert.deepEqual(await both(), [[1], ["a"], ["a"]]);
    api.clock.now += 59;
    assert.deepEqual(await both(), [[1], ["a"], ["a"]]);
    api.clock.now++;
    assert.deepEqual(await both(), [
      [2, 1],
      ["a", "b"],
      ["a", "b"],
    ]);
    // A changed record is hidden until its change becomes visible.
    await api.has("earnings", [{ id: "a", updated: api.clock.now }]);
    assert.deepEqual((await both())[1], ["b"]);
  });

  test("news filtered by last update is delayed by its update, so that a poller misses nothing", async (api) => {
    const minute = (n: number) => testNow - 3600 + n * 60;
    // Sorted by creation, the first is visible early; sorted by change, it comes after the second.
    await api.has("news", [
      { id: 1, created: minute(0), updated: minute(15) },
      { id: 2, created: minute(10), updated: minute(10) },
    ]);
    const request = await requesterWith(api, { delay: 15 });
    let since = 1;
    const met: unknown[] = [];
    for (let now = 0; now <= 40; now++) {
      api.clock.now = minute(now);
      const { json } = await request(`/api/v2/news?updatedSince=${since}`);
      for (const { id, updated } of json) {
        if (!met.includes(id)) met.push(id);
        since = Date.parse(updated) / 1000;
      }
      const listed = ids(await request("/api/v2/news"));
      assert.deepEqual(listed, [...(now >= 25 ? [2] : []), ...(now >= 15 ? [1] : [])], `at ${now}`);
    }
    assert.deepEqual(met, [2, 1]);
  });

  test("a change of terms in one process reaches every process", async (api) => {
    const request = await requesterWith(api, { resources: ["news"] });
    const { name } = (await api.store.listKeys()).at(-1) ?? assert.fail("no key");
    for (let time = 0; time < 3; time++) assert.equal((await request("/api/v2/news")).status, 200);
    const other = await startApi({ database: api.file, keyNames: "other" });
    try {
      await other.store.updateKey(name, { resources: ["ratings"] }, testNow);
      // Immediately on SQLite; on PostgreSQL once the notification has arrived.
      await waitUntil(async () => (await request("/api/v2/news")).status === 403);
    } finally {
      await other.close();
    }
  });

  test("a delayed key can continue from a page after the minute has passed, and its ETag changes with what it sees", async (api) => {
    await api.has(
      "news",
      Array.from({ length: 6 }, (_, index) => ({ id: index + 1, created: testNow - 3600 + index })),
    );
    const request = await requesterWith(api, { delay: 15 });
    const first = await request("/api/v2/news?pageSize=4");
    const [, next = ""] = /^<(.*)>/.exec(first.headers.link ?? "") ?? [];
    api.clock.now += 180;
    assert.deepEqual([...ids(first), ...ids(await request(next))], [6, 5, 4, 3, 2, 1]);
    const again = await request("/api/v2/news?pageSize=4", { "if-none-match": first.headers.etag ?? "" });
    assert.equal(again.status, 304);
    await api.has("news", [{ id: 7, created: api.clock.now }]);
    const hidden = await request("/api/v2/news?pageSize=4", { "if-none-match": first.headers.etag ?? "" });
    assert.equal(hidden.status, 304);
    api.clock.now += 16 * 60;
    const seen = await request("/api/v2/news?pageSize=4", { "if-none-match": first.headers.etag ?? "" });
    assert.deepEqual([seen.status, ids(seen)[0]], [200, 7]);
    const same = await request("/api/v2/news?pageSize=4", { "if-none-match": seen.headers.etag ?? "" });
    assert.equal(same.status, 304);
  });

  test("two keys with different terms never share a response", async (api) => {
    await api.has("news", [
      { id: 1, created: testNow - 86_400 * 10 },
      { id: 2, created: testNow - 60 },
    ]);
    const [whole, recent, delayed] = [
      await requesterWith(api, {}),
      await requesterWith(api, { history: "5d" }),
      await requesterWith(api, { delay: 15 }),
    ];
    const tags = new Set<string | undefined>();
    for (let time = 0; time < 3; time++) {
      for (const [request, expected] of [
        [whole, [2, 1]],
        [recent, [2]],
        [delayed, [1]],
      ] as const) {
        const response = await request("/api/v2/news");
        assert.deepEqual(ids(response), expected);
        tags.add(response.headers.etag);
      }
    }
    assert.equal(tags.size, 3);
  });

  test("a key works only from its networks, and from pages of its origins", async (api) => {
    const url = "/api/v2/news";
    const inside = await requesterWith(api, { networks: ["127.0.0.0/8", "::1/128"] });
    const outside = await requesterWith(api, { networks: ["192.0.2.0/24", "2001:db8::/32"] });
    for (let time = 0; time < 3; time++) assert.equal((await inside(url)).status, 200);
    assert.deepEqual([(await outside(url)).status, (await outside(url)).json.code], [403, "key.network"]);
    // Only configured proxies are trusted.
    assert.equal((await outside(url, { "x-forwarded-for": "192.0.2.7" })).json.code, "key.network");

    const paged = await requesterWith(api, { origins: ["https://example.com", "http://localhost:3000"] });
    assert.equal((await paged(url, { origin: "https://example.com" })).status, 200);
    assert.equal((await paged(url, { origin: "http://localhost:3000" })).status, 200);
    for (const origin of ["https://example.org", "https://example.com:444", "null", "https://EXAMPLE.com"])
      assert.equal((await paged(url, { origin })).json.code, "key.origin", origin);
    assert.equal((await paged(url)).json.code, "key.origin");
  });

  test("a change of terms applies from the next request, regardless of caches", async (api) => {
    await api.has("news", [{ id: 1, created: testNow - 60 }]);
    const request = await requesterWith(api, { resources: ["news"] });
    const { name } = (await api.store.listKeys()).at(-1) ?? assert.fail("no key");
    for (let time = 0; time < 3; time++) assert.deepEqual(ids(await request("/api/v2/news")), [1]);
    for (const [terms, status, found] of [
      [{ delay: 15 }, 200, []],
      [{ delay: 0, history: "2026-01-16" }, 200, []],
      [{ history: "" }, 200, [1]],
      [{ resources: ["ratings"] }, 403, undefined],
      [{ resources: [], networks: ["192.0.2.1"] }, 403, undefined],
      [{ networks: [], scopes: ["admin"] }, 403, undefined],
      [{ scopes: ["read"] }, 200, [1]],
      [{ expires: "2026-01-14" }, 401, undefined],
      [{ expires: "" }, 200, [1]],
    ] as const) {
      await api.store.updateKey(name, terms, testNow);
      for (let time = 0; time < 3; time++) {
        const response = await request("/api/v2/news");
        assert.equal(response.status, status, JSON.stringify(terms));
        if (found !== undefined) assert.deepEqual(ids(response), found, JSON.stringify(terms));
      }
    }
  });

  test("a rotated key is valid for its grace period and not a second longer", async (api) => {
    const old = await api.key({ name: "sold" });
    const status = async (key: string) => (await api.request(`/api/v2/news?token=${key}`)).status;
    for (let time = 0; time < 3; time++) assert.equal(await status(old), 200);
    const key = generateKey();
    await api.store.rotateKey("sold", { hash: hashKey(key), created: testNow, retires: testNow + 3600 });
    assert.deepEqual([await status(old), await status(key)], [200, 200]);
    api.clock.now += 3599;
    assert.deepEqual([await status(old), await status(key)], [200, 200]);
    api.clock.now++;
    assert.deepEqual([await status(old), await status(key)], [401, 200]);
    // Immediately, even if the clock of the revoking process is ahead of the server's.
    await api.store.revokeKey("sold", api.clock.now + 86_400);
    assert.deepEqual([await status(old), await status(key)], [401, 401]);
  });
});
