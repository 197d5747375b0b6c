// Every worker serves the metrics and the open streams of all workers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { waitUntil } from "../../support/wait-until.ts";
import { freshDatabase, keyOn, type Serving, serving } from "../support/bellwire.ts";

let server: Serving;
let key = "";

before(async () => {
  const database = freshDatabase();
  key = await keyOn(database, "all", ["read", "admin"]);
  server = await serving(["--database", database, "--no-demo", "--log-level", "silent", "--workers", "3"]);
});

after(async () => {
  const { status, stderr } = await server.stop();
  assert.deepEqual([status, stderr], [0, ""]);
});

test("three workers are counted as one service, whichever worker responds", async () => {
  const headers = { authorization: `Bearer ${key}`, connection: "close" };
  const text = async (path: string) => (await fetch(`${server.url}${path}`, { headers })).text();
  for (let time = 0; time < 12; time++) assert.equal(await text("/api/v2/news"), "[]");
  for (let time = 0; time < 4; time++) {
    let metrics = "";
    // A worker that is too busy to reply within a second is left out.
    await waitUntil(async () => {
      metrics = await text("/metrics");
      return /^bellwire_processes 3$/m.test(metrics);
    }, "three processes are counted");
    assert.match(metrics, /^bellwire_request_seconds_count\{use="read",resource="news",status="200"\} 12$/m);
    assert.match(metrics, /^bellwire_info\{[^}]*\} 1$/m);
    await waitUntil(async () => {
      const { cache } = JSON.parse(await text("/admin/v1/status"));
      return cache.hits + cache.misses === 12;
    }, "the responses of all are counted");
  }
  const stream = await fetch(`${server.url}/api/v2/news/stream`, { headers });
  for (let time = 0; time < 4; time++)
    await waitUntil(async () => {
      const { open, streams } = JSON.parse(await text("/admin/v1/streams"));
      return open === 1 && streams[0].key === "all";
    }, "the stream is listed, whichever worker has it");
  await stream.body?.cancel();
});

test("any number of requests are served with the metrics of all workers at once", async () => {
  const headers = { authorization: `Bearer ${key}` };
  const metrics = async () => (await fetch(`${server.url}/metrics`, { headers })).text();
  for (const text of await Promise.all(Array.from({ length: 60 }, metrics)))
    assert.match(text, /^bellwire_processes [123]$/m);
});
