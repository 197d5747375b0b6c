// Bulk files equal their lists, are generated once per snapshot, and are served in ranges, to keys that see everything.
import assert from "node:assert/strict";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parquetReadObjects } from "hyparquet";
import * as arrow from "parquet-wasm";
import { bulkFileName } from "../../src/core/output/bulk.ts";
import type { WireRecord } from "../../src/core/record/row.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { type Api, type ApiResponse, recordsOf, testNow } from "../support/clients/api.ts";
import { crowd, sample } from "../support/records/records.ts";
import { urlOf, widest } from "../support/requests/requests.ts";
import { onEveryStore, sharingEveryStore } from "../support/stores/every-store.ts";

type Get = (file: string, headers?: Record<string, string>, method?: string) => Promise<ApiResponse>;

async function reader(api: Api, terms: object = {}): Promise<Get> {
  const key = await api.key({ scopes: ["bulk"], ...terms });
  return (file, headers = {}, method = "GET") =>
    api.request(`/api/v2.1/bulk/${file}`, { method, headers: { authorization: `Bearer ${key}`, ...headers } });
}

const linesOf = ({ bytes }: ApiResponse): string[] => gunzipSync(bytes).toString().split("\n").slice(0, -1);
const sorted = (lines: readonly string[]): string[] => [...lines].sort();

/** -0 is written as 0. */
const sameNumber = (found: unknown, text: unknown): boolean =>
  text === "" ? found === undefined || found === null : found === Number(text);

/** All records of a list, with every field that it can return. */
async function listOf(api: Api, resource: (typeof catalog)[number]): Promise<WireRecord[]> {
  const hasMore = Object.values(resource.fields).some(({ shown }) => shown === "on request" || shown === "with *");
  const pairs = widest(resource);
  return recordsOf((await api.fetch(urlOf(resource, hasMore ? [...pairs, ["fields", "*"]] : pairs))).json);
}

sharingEveryStore("bulk files", (test) => {
  for (const resource of catalog) {
    test(`of ${resource.name} have the records of the list, in both formats`, async (api) => {
      await api.has(resource.name, sample(crowd(resource, 60)));
      const list = await listOf(api, resource);
      const get = await reader(api);
      const text = await get(bulkFileName(resource, "ndjson.gz"));
      assert.equal(text.status, 200, text.text);
      assert.equal(text.headers["content-type"], "application/gzip");
      assert.deepEqual(sorted(linesOf(text)), sorted(list.map((record) => JSON.stringify(record))));
      const table = await get(bulkFileName(resource, "parquet"));
      const bytes = arrow.writeParquet(arrow.readParquet(table.bytes));
      const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
      const ids = (values: readonly unknown[]) => sorted(values.map(String));
      assert.deepEqual(ids(rows.map(({ id }) => id)), ids(list.map(({ id }) => id)));
      const shown = Object.keys(resource.fields).filter((name) => resource.fields[name]?.shown !== "never");
      assert.deepEqual(Object.keys(rows[0] ?? {}).sort(), shown);
      const decimals = Object.keys(resource.fields).filter((name) => resource.fields[name]?.kind === "decimal");
      for (const row of rows) {
        const record = list.find(({ id }) => String(id) === String(row.id));
        for (const name of decimals)
          assert.ok(sameNumber(row[name], record?.[name]), `${name}: ${row[name]} and ${record?.[name]}`);
      }
    });
  }
});

onEveryStore("a bulk file", (test) => {
  test("is generated once per snapshot, for any number of requests, and replaced when records change", async (api) => {
    await api.has("ratings", [{ id: "a" }]);
    const get = await reader(api);
    const [first, ...more] = await Promise.all(Array.from({ length: 5 }, () => get("ratings.ndjson.gz")));
    for (const each of more) assert.deepEqual([each.headers.etag, each.bytes], [first?.headers.etag, first?.bytes]);
    assert.match(first?.headers.etag ?? "", /^"[0-9a-f]{32}"$/);
    const modified = first?.headers["last-modified"];
    assert.equal((await get("ratings.ndjson.gz", { "if-none-match": first?.headers.etag ?? "" })).status, 304);
    assert.equal((await get("ratings.ndjson.gz", { "if-modified-since": modified ?? "" })).status, 304);
    const other = { "if-none-match": '"another"', "if-modified-since": modified ?? "" };
    assert.equal((await get("ratings.ndjson.gz", other)).status, 200);
    await api.has("news", [{ id: 1 }]);
    assert.equal((await get("ratings.ndjson.gz")).headers["last-modified"], modified);
    await api.has("ratings", [{ id: "b" }]);
    const second = await get("ratings.ndjson.gz");
    assert.equal(linesOf(second).length, 2);
    assert.notEqual(second.headers.etag, first?.headers.etag);
  });

  test(
    "of an earlier snapshot is served until it reaches the configured age",
    async (api) => {
      await api.has("ratings", [{ id: "a" }]);
      const get = await reader(api);
      const { etag } = (await get("ratings.parquet")).headers;
      await api.has("ratings", [{ id: "b" }]);
      assert.equal((await get("ratings.parquet")).headers.etag, etag);
      api.clock.now = testNow + 3599;
      assert.equal((await get("ratings.parquet")).headers.etag, etag);
      api.clock.now++;
      assert.notEqual((await get("ratings.parquet")).headers.etag, etag);
    },
    { bulkSeconds: 3600 },
  );

  test("is generated although a process that was killed left its lock", async (api) => {
    await api.has("ratings", [{ id: "a" }]);
    const get = await reader(api);
    await get("ratings.parquet");
    const { databaseId } = await api.store.state();
    const lock = join(api.bulkDirectory, `${databaseId}-ratings.parquet.lock`);
    writeFileSync(lock, "");
    utimesSync(lock, new Date(0), new Date(0));
    await api.has("ratings", [{ id: "b" }]);
    assert.equal((await get("ratings.parquet")).status, 200);
    assert.equal(readdirSync(api.bulkDirectory).length, 1);
  });

  test("is served in ranges, resumed if it is the same, and described by HEAD", async (api) => {
    await api.has("ratings", [{ id: "a" }, { id: "b" }]);
    const get = await reader(api);
    const { bytes: whole, headers } = await get("ratings.parquet");
    const size = whole.length;
    assert.equal(headers["content-disposition"], 'attachment; filename="ratings.parquet"');
    assert.deepEqual([headers["accept-ranges"], headers["content-length"]], ["bytes", String(size)]);
    const head = await get("ratings.parquet", { range: "bytes=0-9" }, "HEAD");
    assert.deepEqual([head.status, head.headers["content-length"], head.bytes.length], [200, String(size), 0]);
    for (const [range, start, end] of [
      ["bytes=0-3", 0, 4],
      ["bytes=4-", 4, size],
      ["bytes=-8", size - 8, size],
      [`bytes=${size - 1}-${size + 100}`, size - 1, size],
    ] as const) {
      const part = await get("ratings.parquet", { range, "if-range": headers.etag ?? "" });
      assert.equal(part.status, 206);
      assert.equal(part.headers["content-range"], `bytes ${start}-${end - 1}/${size}`);
      assert.deepEqual(part.bytes, whole.subarray(start, end));
    }
    for (const sent of [
      { range: "bytes=0-3", "if-range": '"another"' },
      { range: "bytes=0-1,3-4" },
      { range: "bytes=3-1" },
      { range: "lines=1-2" },
    ])
      assert.deepEqual((await get("ratings.parquet", sent)).bytes, whole);
    const beyond = await get("ratings.parquet", { range: `bytes=${size}-` });
    assert.deepEqual([beyond.status, beyond.headers["content-range"]], [416, `bytes */${size}`]);
  });

  test("is for keys with the scope that may read the resource and see all of it", async (api) => {
    const codeFor = async (terms: object, file = "news.parquet") => (await (await reader(api, terms))(file)).json.code;
    assert.equal(await codeFor({ scopes: ["read"] }), "key.scope");
    assert.equal(await codeFor({ resources: ["ratings"] }), "key.resource");
    assert.equal(await codeFor({ history: "30d" }), "key.scope");
    assert.equal(await codeFor({ delay: 15 }), "key.scope");
    assert.equal(await codeFor({}, "weather.parquet"), "request.path");
    assert.equal(await codeFor({}, "news.csv"), "request.path");
    const url = `/api/v2.1/bulk/news.parquet?token=${await api.key({ scopes: ["bulk"] })}`;
    assert.equal((await api.request(url)).json.code, "key.header");
  });
});
