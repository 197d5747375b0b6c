// Decision 045: the page's settings before anyone signs in, and the key that only the demo includes.
import assert from "node:assert/strict";
import { hashKey, isKey, pageKey } from "../../../src/keys/key.ts";
import { type Api, testNow } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

const settings = async (api: Api) => {
  const { status, json, headers } = await api.request("/page.json");
  assert.deepEqual([status, headers["cache-control"]], [200, "no-store"]);
  return json;
};

/** As the demo does. */
async function addPageKey(api: Api, expires = ""): Promise<string> {
  const key = pageKey((await api.store.state()).databaseId);
  await api.store.addKey({
    name: "page",
    hash: hashKey(key),
    licenses: [],
    scopes: ["read"],
    created: testNow,
    expires,
  });
  return key;
}

onEveryStore("page.json", (test) => {
  test("version, time zone, day, and resources are public, and contain no key", async (api) => {
    const { version, zone, today, resources, ...rest } = await settings(api);
    assert.deepEqual([version, zone, today, rest], ["0.0.0", "America/New_York", "2026-01-15", { empty: true }]);
    await api.has("ratings", [{ id: "a" }]);
    assert.ok(!("empty" in (await settings(api))));
    assert.deepEqual(resources.slice(0, 2), [
      { name: "news", title: "News", path: "/api/v2/news" },
      { name: "ratings", title: "Analyst ratings", path: "/api/v2.1/calendar/ratings" },
    ]);
    assert.equal(resources.length, 7);
  });

  test("the day is that of the service's time zone", async (api) => {
    api.clock.now = Date.UTC(2026, 0, 16, 3) / 1000;
    assert.equal((await settings(api)).today, "2026-01-15");
  });

  test("the demo's settings contain a key that can only read", async (api) => {
    const made = await addPageKey(api);
    const { key } = await settings(api);
    assert.equal(key, made);
    assert.ok(isKey(key));
    const headers = { authorization: `token ${key}` };
    assert.equal((await api.request("/api/v2/news", { headers })).status, 200);
    assert.equal((await api.request("/changes", { headers })).status, 403);
    assert.equal((await api.request("/admin/v1/records/news", { method: "POST", headers, body: "[]" })).status, 403);
    assert.equal((await api.request("/api/v2/news?cusips=307833103", { headers })).json.code, "key.license");
  });

  test("a revoked or expired key is no longer included", async (api) => {
    await addPageKey(api, "2026-01-15");
    assert.ok("key" in (await settings(api)));
    api.clock.now += 86_400;
    assert.ok(!("key" in (await settings(api))));
    api.clock.now -= 86_400;
    assert.ok(await api.store.revokeKey("page", testNow));
    assert.ok(!("key" in (await settings(api))));
  });

  test("only the name of the database determines the key, and other names have other keys", async () => {
    assert.equal(pageKey("4f1d2c3b5a69"), pageKey("4f1d2c3b5a69"));
    assert.notEqual(pageKey("4f1d2c3b5a69"), pageKey("4f1d2c3b5a68"));
  });
});
