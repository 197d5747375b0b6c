// Key usage: counted for every response, however it is produced, stored by day, and visible to administrators.
import assert from "node:assert/strict";
import type { UsageRow } from "../../../src/store/store.ts";
import type { Api } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

const admin = async ({ key }: Api) => ({
  headers: { authorization: `Bearer ${await key({ name: "admin", scopes: ["admin"] })}` },
});

/** The usage of a key, by resource. */
async function used(api: Api, key: string, query = ""): Promise<Record<string, Omit<UsageRow, "key" | "resource">>> {
  const [found] = await Promise.all([api.request(`/admin/v1/usage?key=${key}${query}`, await administrator(api))]);
  assert.equal(found?.status, 200, found?.text);
  const rows = found?.json.usage as UsageRow[];
  return Object.fromEntries(rows.map(({ key: _, resource, ...row }) => [resource, row]));
}

const administrators = new WeakMap<Api, ReturnType<typeof admin>>();
function administrator(api: Api): ReturnType<typeof admin> {
  const known = administrators.get(api) ?? admin(api);
  administrators.set(api, known);
  return known;
}

onEveryStore("key usage", (test) => {
  test("counts requests, records, and bytes of fresh and cached responses, 304s, and HEAD", async (api) => {
    await api.has("ratings", [
      { id: "1", date: "2026-01-14" },
      { id: "2", date: "2026-01-15" },
    ]);
    const url = `/api/v2.1/calendar/ratings?token=${await api.key({ name: "reader" })}`;
    const { text, headers } = await api.request(url);
    for (let index = 0; index < 3; index++) await api.request(url);
    assert.equal((await api.request(url, { headers: { "if-none-match": String(headers.etag) } })).status, 304);
    assert.equal((await api.request(url, { method: "HEAD" })).status, 200);
    const bytes = Buffer.byteLength(text);
    const { ratings } = await used(api, "reader");
    assert.deepEqual(ratings, {
      ...{ day: "2026-01-15", requests: 6, errors: 0, limited: 0 },
      ...{ records: 4 * 2, bytes: 4 * bytes },
    });
  });

  test("counts rejections as errors, and rate limits separately; unknown tokens count for no key", async (api) => {
    const token = await api.key({ name: "limited", quota: 3, resources: ["news", "ratings"] });
    const request = async (url: string) => (await api.request(`${url}?token=${token}`)).status;
    assert.equal(await request("/api/v2/news"), 200);
    assert.equal((await api.request(`/api/v2/news?page=x&token=${token}`)).status, 400);
    assert.equal(await request("/api/v2.2/calendar/dividends"), 403);
    assert.equal(await request("/api/v2/news"), 429);
    assert.equal(await request("/api/v2.1/calendar/ratings"), 429);
    assert.equal((await api.request("/api/v2/news?token=nobody")).status, 401);
    const found = await used(api, "limited");
    const shown = Object.entries(found).map(([name, { requests, errors, limited }]) => [
      name,
      requests,
      errors,
      limited,
    ]);
    assert.deepEqual(shown.sort(), [
      ["dividends", 1, 1, 0],
      ["news", 3, 1, 1],
      ["ratings", 1, 0, 1],
    ]);
  });

  test("ends a day at midnight in the service's time zone", async (api) => {
    const url = `/api/v2/news?token=${await api.key({ name: "late" })}`;
    const midnight = Date.parse("2026-01-16T00:00:00-05:00") / 1000;
    api.clock.now = midnight - 1;
    await api.request(url);
    await used(api, "late");
    await api.request(url);
    api.clock.now = midnight;
    await api.request(url);
    await api.request(url);
    const found = await api.request("/admin/v1/usage?key=late", await administrator(api));
    assert.deepEqual(
      found.json.usage.map(({ day, requests }: UsageRow) => [day, requests]),
      [
        ["2026-01-15", 2],
        ["2026-01-16", 2],
      ],
    );
  });

  test("counts writes, the change feed, and admin requests too", async (api) => {
    const headers = {
      authorization: `Bearer ${await api.key({ name: "all", scopes: ["write", "replicate", "admin"] })}`,
    };
    await api.request("/admin/v1/records/news/1", { method: "DELETE", headers });
    await api.request("/changes", { headers });
    await api.request("/admin/v1/keys", { headers });
    const found = await used(api, "all");
    const requests = Object.entries(found).map(([name, row]) => [name, row.requests]);
    assert.deepEqual(requests.sort(), [
      ["admin", 1],
      ["news", 1],
      ["replicate", 1],
    ]);
  });

  test("covers the requested days, and reports errors in them", async (api) => {
    const rows = ["2025-12-31", "2026-01-01", "2026-01-15"].map((day) => ({
      ...{ day, key: "old", resource: "news" },
      ...{ requests: 1, records: 0, bytes: 0, errors: 0, limited: 0 },
    }));
    await api.store.addUsage(rows, api.clock.now);
    const days = async (query: string) => {
      const { json } = await api.request(`/admin/v1/usage?key=old${query}`, await administrator(api));
      return json.usage.map(({ day }: UsageRow) => day);
    };
    assert.deepEqual(await days(""), ["2025-12-31", "2026-01-01", "2026-01-15"]);
    assert.deepEqual(await days("&from=2026-01-01&to=2026-01-14"), ["2026-01-01"]);
    assert.deepEqual(await days("&to=2025-12-31"), ["2025-12-31"]);
    for (const [query, parameter, expected] of [
      ["from=yesterday", "from", "a day as YYYY-MM-DD"],
      ["from=2026-01-16", "from", "a day from 2025-01-15 to 2026-01-15: at most 366 days per request"],
      ["from=2020-01-01", "from", "a day from 2025-01-15 to 2026-01-15: at most 366 days per request"],
      ["to=2026-02-30", "to", "a day as YYYY-MM-DD"],
    ] as const) {
      const { status, json } = await api.request(`/admin/v1/usage?${query}`, await administrator(api));
      assert.equal(status, 400);
      assert.deepEqual(
        json.errors.map((each: { parameter: string; expected: string }) => [each.parameter, each.expected]),
        [[parameter, expected]],
      );
    }
  });

  test("is visible only to admin keys, and contains no key or hash", async (api) => {
    const token = await api.key();
    await api.request(`/api/v2/news?token=${token}`);
    const rejected = await api.request("/admin/v1/usage", { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual([rejected.status, rejected.json.code], [403, "key.scope"]);
    const { text } = await api.request("/admin/v1/usage", await administrator(api));
    const hashes = (await api.store.listKeys()).map(({ hash }) => hash);
    assert.ok(text.includes('"requests":'));
    for (const secret of [token, ...hashes]) assert.ok(!text.includes(secret));
  });
});
