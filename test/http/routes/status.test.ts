// Monitoring: metrics that count every response once, and the server status.
import assert from "node:assert/strict";
import inject from "light-my-request";
import { createLog } from "../../../src/http/observe/log.ts";
import { buildServer } from "../../../src/http/server.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { StoreError } from "../../../src/store/store.ts";
import { type Api, startApi } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

const asAdmin = async (api: Api) => ({ authorization: `Bearer ${await api.key({ scopes: ["admin"] })}` });

/** Samples of a /metrics response, by name and labels. */
async function metricsOf(api: Api, headers: Record<string, string>): Promise<Map<string, number>> {
  const { status, text, headers: received } = await api.request("/metrics", { headers });
  assert.equal(status, 200, text);
  assert.equal(received["content-type"], "text/plain; version=0.0.4; charset=utf-8");
  const samples = new Map<string, number>();
  const described = new Set<string>();
  for (const line of text.trimEnd().split("\n")) {
    const [, about] = /^# (?:HELP|TYPE) (\w+) \S/.exec(line) ?? [];
    if (about !== undefined) {
      described.add(about);
      continue;
    }
    const [, name = "", value] = /^([a-z_]+(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? assert.fail(line);
    assert.ok(Number.isFinite(Number(value)), line);
    const family = name.replace(/\{.*/, "");
    assert.ok(
      described.has(family) || described.has(family.replace(/_(bucket|sum|count)$/, "")),
      `${family} is not described`,
    );
    assert.ok(!samples.has(name), `${name} occurs twice`);
    samples.set(name, Number(value));
  }
  return samples;
}

onEveryStore("metrics", (test, store) => {
  test("count every response once, by use, resource, and status, cached or not", async (api) => {
    const headers = await asAdmin(api);
    await api.has("ratings", [
      { id: "a", ticker: "F", date: "2026-01-05" },
      { id: "b", ticker: "GM", date: "2026-01-06" },
    ]);
    for (let time = 0; time < 5; time++) await api.get("/api/v2.1/calendar/ratings");
    const { headers: first } = await api.fetch("/api/v2.1/calendar/ratings");
    await api.fetch("/api/v2.1/calendar/ratings", { "if-none-match": String(first.etag) });
    await api.fetch("/api/v2.1/calendar/ratings?pagesize=x");
    await api.request("/api/v2.1/calendar/ratings", {
      method: "HEAD",
      headers: { authorization: `Bearer ${api.token}` },
    });
    await api.request("/api/v2.1/calendar/ratings");
    await api.request("/nothing/here");
    const samples = await metricsOf(api, headers);
    const counted = (use: string, resource: string, status: number) =>
      samples.get(`bellwire_request_seconds_count{use="${use}",resource="${resource}",status="${status}"}`);
    assert.equal(counted("read", "ratings", 200), 7, "five, one for the tag, and one HEAD");
    assert.equal(counted("read", "ratings", 304), 1);
    assert.equal(counted("read", "ratings", 400), 1);
    assert.equal(counted("read", "ratings", 401), 1);
    assert.equal(counted("other", "", 404), 1);
    assert.equal(counted("read", "news", 200), undefined);
    assert.equal(
      samples.get('bellwire_records_total{use="read",resource="ratings",status="200"}'),
      12,
      "a HEAD sends none",
    );
    const [hits, misses] = [samples.get("bellwire_cache_hits_total"), samples.get("bellwire_cache_misses_total")];
    assert.equal((hits ?? 0) + (misses ?? 0), 8);
    assert.ok((hits ?? 0) >= 5, `${hits} of 8 from memory`);
    const bytes = samples.get('bellwire_sent_bytes_total{use="read",resource="ratings",status="200"}');
    assert.equal(bytes, 6 * Number(first["content-length"]), "a HEAD sends nothing");
    assert.equal(
      samples.get('bellwire_request_seconds_bucket{use="read",resource="ratings",status="200",le="+Inf"}'),
      7,
    );
  });

  test("count writes, the change feed, and admin endpoints separately", async (api) => {
    const headers = await asAdmin(api);
    const writer = {
      authorization: `Bearer ${await api.key({ scopes: ["write"] })}`,
      "content-type": "application/json",
    };
    const replica = { authorization: `Bearer ${await api.key({ scopes: ["replicate"] })}` };
    const created = "2026-01-10T08:00:00Z";
    const body = JSON.stringify([
      { id: 1, title: "x", created },
      { id: 2, title: "y", created },
    ]);
    assert.equal((await api.request("/admin/v1/records/news", { method: "POST", headers: writer, body })).status, 200);
    assert.equal((await api.request("/changes?after=0", { headers: replica })).status, 200);
    await metricsOf(api, headers);
    const samples = await metricsOf(api, headers);
    assert.equal(samples.get('bellwire_records_total{use="write",resource="news",status="200"}'), 2);
    assert.equal(samples.get('bellwire_records_total{use="replicate",resource="",status="200"}'), 2);
    assert.equal(samples.get('bellwire_request_seconds_count{use="admin",resource="",status="200"}'), 1);
    assert.equal(samples.get('bellwire_resource_records{resource="news"}'), 2);
    assert.equal(samples.get('bellwire_resource_changed_timestamp_seconds{resource="news"}'), api.clock.now);
    assert.ok((samples.get('bellwire_store_seconds_count{operation="put"}') ?? 0) >= 1);
    const database =
      store === "sqlite"
        ? 'bellwire_database_bytes{part="database"}'
        : /^bellwire_database_connections\{server=".*",state="idle"\}$/;
    assert.ok(
      [...samples.keys()].some((name) => (typeof database === "string" ? name === database : database.test(name))),
    );
  });

  test("require a key with the scope admin, in the header, unless they are public", async (api) => {
    const codeFor = async (headers: Record<string, string>) => (await api.request("/metrics", { headers })).json.code;
    assert.equal(await codeFor({}), "key.missing");
    assert.equal(await codeFor({ authorization: `Bearer ${api.token}` }), "key.scope");
    const open = await startApi({ database: api.file, keyNames: "open", metricsOpen: true });
    try {
      assert.ok((await metricsOf(open, {})).size > 20);
    } finally {
      await open.close();
    }
  });

  test("are served without the database, except for those read from it", async (api) => {
    const away = async () => Promise.reject(new StoreError("away"));
    const { app, handle } = await buildServer({
      catalog,
      store: { ...api.store, state: away, count: away, lastChangedAt: away },
      log: createLog("silent"),
      openapi: {},
      info: { version: "0.0.0", started: 0, database: "sqlite", metricsOpen: true },
      unavailableReason: () => "The database is not available.",
    });
    await app.ready();
    const { statusCode, payload } = await inject(handle, { url: "/metrics" });
    assert.equal(statusCode, 200);
    assert.match(payload, /^bellwire_processes 1$/m);
    assert.doesNotMatch(payload, /bellwire_resource_records/);
    await app.close();
  });

  test("are served as text to clients that accept text", async (api) => {
    const headers = await asAdmin(api);
    const statusFor = async (accept: string) =>
      (await api.request("/metrics", { headers: { ...headers, accept } })).status;
    const prometheus = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1";
    assert.equal(await statusFor(prometheus), 200);
    assert.equal(await statusFor("text/plain"), 200);
    assert.equal(await statusFor("application/json"), 406);
  });
});

onEveryStore("the server status", (test, store) => {
  test("includes version, record counts, freshness, and cache savings", async (api) => {
    const headers = await asAdmin(api);
    await api.has("news", [{ id: 1, title: "x", created: "2026-01-10T08:00:00Z" }]);
    await api.has("earnings", [
      { id: "a", ticker: "F", date: "2026-02-03" },
      { id: "b", ticker: "F", date: "2025-11-03" },
    ]);
    api.clock.now += 60;
    for (let time = 0; time < 4; time++) await api.get("/api/v2/news");
    const { status, json, headers: received } = await api.request("/admin/v1/status?odd=1", { headers });
    assert.equal(status, 200);
    assert.equal(received["cache-control"], "no-store");
    assert.equal(received["x-ignored-parameters"], "odd");
    const { resources, cache, ...rest } = json;
    assert.deepEqual(rest, {
      version: "0.0.0",
      started: "2026-01-15T12:00:00Z",
      now: "2026-01-15T12:01:00Z",
      database: { kind: store },
      zone: "America/New_York",
      mirror: null,
    });
    assert.deepEqual(resources.slice(0, 2), [
      { name: "news", records: 1, newest: "2026-01-10T08:00:00Z", changed: "2026-01-15T12:00:00Z" },
      { name: "ratings", records: 0, newest: null, changed: null },
    ]);
    const [earnings] = resources.filter(({ name }: { name: string }) => name === "earnings");
    assert.deepEqual(earnings, { name: "earnings", records: 2, newest: "2026-02-03", changed: "2026-01-15T12:00:00Z" });
    assert.equal(cache.hits + cache.misses, 4);
    assert.ok(cache.hits >= 2 && cache.bytes > 0, JSON.stringify(cache));
  });

  test("requires a key with the scope admin", async (api) => {
    const { status, json } = await api.fetch("/admin/v1/status");
    assert.deepEqual([status, json.code], [403, "key.scope"]);
  });
});
