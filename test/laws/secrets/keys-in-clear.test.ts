// A key is shown once, when it is created. A real server gets thousands of requests with keys in every place that clients
// might use, and logs everything; then no key is in a log line, response, metric, table, or command output.
import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { generateKey } from "../../../src/keys/key.ts";
import { bellwireWrites, keyOn, serving } from "../../commands/support/bellwire.ts";
import { runs } from "../../support/budget.ts";
import { read } from "../../support/clients/listening.ts";
import { seed } from "../../support/records/records.ts";
import { postgresDatabase, sqliteDatabase, stores } from "../../support/stores/stores.ts";
import { everythingIn, keyTraces } from "./key-traces.ts";
import { brokenRequests, type KeyedRequest, requestWith } from "./keyed-requests.ts";

const requestCount = runs(800, 4000);
/** Concurrent connections. */
const lanes = 8;

type Received = { readonly status: number; readonly head: string; readonly text: string };

/** Sends URLs and headers as they are, and decompresses responses. */
function client(base: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: lanes });
  const send = ({ url, method = "GET", headers = {}, body }: KeyedRequest): Promise<Received> =>
    new Promise((resolve, reject) => {
      const sent = request(base, { agent, method, path: url, headers });
      sent.once("error", reject);
      sent.once("response", (response) => {
        buffer(response).then((bytes) => {
          const packed = response.headers["content-encoding"];
          const unpack = packed === "gzip" ? gunzipSync : packed === "br" ? brotliDecompressSync : Buffer.from;
          const text = (bytes.length === 0 ? bytes : unpack(bytes)).toString("utf8");
          resolve({ status: response.statusCode ?? 0, head: response.rawHeaders.join("\n"), text });
        }, reject);
      });
      sent.end(body);
    });
  return { send, close: () => agent.destroy() };
}

type Client = ReturnType<typeof client>;

/** Keys of every kind: valid ones, a rotated one, a revoked one, one with restrictive terms, and unknown ones. */
async function keysOf({ send }: Client, admin: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${admin}`, "content-type": "application/json" };
  const made = async (url: string, terms: object): Promise<string> => {
    const { status, text } = await send({ url, method: "POST", headers, body: JSON.stringify(terms) });
    assert.equal(status, 201, text);
    return (JSON.parse(text) as { key: string }).key;
  };
  const keys = [
    await made("/admin/v1/keys", { name: "reader" }),
    await made("/admin/v1/keys", { name: "writer", scopes: ["read", "write", "replicate"] }),
    // Exceeded however slow the machine is, unlike limits per second or minute, and even if a new day begins meanwhile.
    await made("/admin/v1/keys", { name: "limited", rate: 5, quota: 8 }),
    await made("/admin/v1/keys", { name: "elsewhere", networks: ["10.0.0.0/8"] }),
    await made("/admin/v1/keys", { name: "narrow", resources: ["news"], history: "30d", delay_minutes: 15 }),
    await made("/admin/v1/keys", { name: "replaced" }),
    await made("/admin/v1/keys/replaced/rotate", { grace_hours: 1 }),
    await made("/admin/v1/keys", { name: "revoked" }),
  ];
  assert.equal((await send({ url: "/admin/v1/keys/revoked", method: "DELETE", headers })).status, 200);
  const link = await send({
    ...{ url: "/admin/v1/links", method: "POST", headers },
    body: JSON.stringify({ url: "/api/v2/news?pagesize=2", key: "reader" }),
  });
  const linkToken = (JSON.parse(link.text) as { url: string }).url.split("/")[2] as string;
  return [...keys, linkToken, generateKey(), generateKey()];
}

/** Thousands of requests, concurrently, with malformed ones in between. */
async function sendAll(
  there: Client,
  port: number,
  keys: readonly string[],
  look: (received: Received, cause: unknown) => void,
) {
  const [admin = ""] = keys;
  const some = fc
    .constantFrom(...keys)
    // Half of all are authenticated: early rejections reveal little.
    .chain((key) => fc.constantFrom(key, admin).chain((good) => requestWith(key, good)));
  const requests = fc.sample(some, { seed, numRuns: requestCount })[Symbol.iterator]();
  const lane = async () => {
    for (const keyed of requests) look(await there.send(keyed), keyed);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  for (const bytes of keys.flatMap(brokenRequests)) {
    const socket = connect(port, "127.0.0.1", () => void socket.write(bytes));
    const { status, headers, text } = await read(socket);
    look({ status, head: JSON.stringify(headers), text }, bytes.slice(0, 200));
  }
}

const databases = { sqlite: sqliteDatabase, postgres: postgresDatabase } as const;

for (const store of stores) {
  describe(`plaintext keys [${store}]`, () => {
    test("are nowhere after thousands of requests that contain them", async (t) => {
      const { name: database, release } = await databases[store]();
      const admin = await keyOn(database, "admin", ["read", "write", "replicate", "admin"]);
      const server = await serving(["--database", database, "--no-demo", "--log-level", "trace"]);
      const there = client(server.url);
      const keys = [admin, ...(await keysOf(there, admin))];
      const traceIn = keyTraces(keys);
      const statuses: Record<number, number> = {};
      const look = ({ status, head, text }: Received, cause: unknown) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        const words = () => `${JSON.stringify(cause)} returned ${status} with a key: ${head}\n${text}`;
        const found = traceIn(`${head}\n${text}`);
        if (found !== undefined) assert.fail(words().slice(0, 5000));
      };
      const headers = { authorization: `Bearer ${admin}`, "content-type": "application/json" };
      const news = Array.from({ length: 30 }, (_, at) => ({ id: at + 1, title: "x", created: 1_700_000_000 + at }));
      const body = JSON.stringify(news);
      assert.equal((await there.send({ url: "/admin/v1/records/news", method: "POST", headers, body })).status, 200);

      await sendAll(there, Number(new URL(server.url).port), keys, look);
      for (const url of [
        "/metrics",
        "/admin/v1/status",
        "/admin/v1/keys",
        "/admin/v1/usage",
        "/admin/v1/streams",
        "/readyz",
      ])
        look(await there.send({ url, headers }), url);
      t.diagnostic(`seed ${seed}; responses by status: ${JSON.stringify(statuses)}`);
      for (const status of [200, 400, 401, 403, 404, 405, 429]) assert.ok(status in statuses, `none was ${status}`);
      assert.ok(!(500 in statuses), "there was a fault");
      there.close();

      const { status, stdout, stderr } = await server.stop();
      assert.equal(status, 0);
      const lines = stderr.trimEnd().split("\n");
      assert.ok(lines.length > requestCount, `${lines.length} lines were logged`);
      assert.ok(
        lines.some((line) => line.includes("bw_…")),
        "no key came as far as the log",
      );
      for (const line of [...lines, stdout]) assert.equal(traceIn(line), undefined, line);

      const held = await everythingIn(database);
      assert.match(held.api_key ?? "", /reader/);
      assert.match(held.usage ?? "", /news/);
      for (const [table, text] of Object.entries(held)) assert.equal(traceIn(text), undefined, `${table} holds a key`);
      for (const args of [["keys", "list"], ["keys", "show", "replaced"], ["keys", "usage"], ["config"]])
        assert.equal(traceIn(await bellwireWrites([...args, "--database", database])), undefined, args.join(" "));
      await release();
    });
  });
}

test("would be found in every encoding", () => {
  const key = generateKey();
  const traceIn = keyTraces([generateKey(), key]);
  const percent = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
  for (const text of [
    ...[key, key.toLowerCase(), key.slice(0, 20), key.slice(19), `x${key}x`, percent, encodeURIComponent(percent)],
    ...["", "a", "ab"].map((start) => Buffer.from(`${start}${key}:`).toString("base64")),
    ...[Buffer.from(`?${key}`).toString("base64url"), Buffer.from(key).toString("hex")],
  ])
    assert.notEqual(traceIn(`some ${text} text`), undefined, text);
  assert.equal(traceIn(`${generateKey()} ${key.slice(0, 12)} bw_… %zz %41`), undefined);
});
