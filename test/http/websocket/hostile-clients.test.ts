// Many random handshakes and messages of hostile clients, cut at any moment: no server error, and nothing left behind.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { catalog } from "../../../src/resources/catalog.ts";
import { runs, seed } from "../../support/budget.ts";
import type { Api } from "../../support/clients/api.ts";
import { openMessages } from "../../support/clients/message-stream.ts";
import { random } from "../../support/random.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";
import { waitUntil } from "../../support/wait-until.ts";

const clients = runs(400, 20_000);
const concurrent = 20;
/** Of the heap, after the first tenth: less than 500 bytes per client in a long run. */
const maxGrowth = 10_000_000;

type Pick = (below: number) => number;
const oneOf = <T>(pick: Pick, ...values: readonly T[]): T => values[pick(values.length)] as T;
const bytes = (pick: Pick, most: number): Buffer => Buffer.from(Array.from({ length: pick(most) }, () => pick(256)));

const paths = catalog.flatMap(({ path, messages }) => [`${path}/stream`, messages?.path ?? path, path]);

function target(pick: Pick, api: Api): string {
  const query = oneOf(
    pick,
    "",
    "?since=start",
    "?since=start",
    `?since=0a1b2c3d4e5f.${pick(99)}`,
    `?since=${"9".repeat(15)}.t1`,
    "?page=1&pagesize=x",
    "?tickers=%zz&%00=%ff",
    `?parameters[tickers]=${"A,".repeat(pick(400))}`,
    `?token=${api.token}`,
    `?token=${api.token}&token=${api.token}`,
    `?${"x&".repeat(pick(400))}`,
  );
  return `${oneOf(pick, ...paths)}${query}`;
}

/** Half of them valid. */
function opening(pick: Pick, api: Api): string {
  const line = (name: string, valid: string, ...others: string[]): string[] => {
    const value = pick(6) > 0 ? valid : oneOf(pick, "", ...others);
    return value === "" ? [] : [`${name}: ${value}`];
  };
  const lines = [
    ...line("Upgrade", "websocket", "h2c", "websocket, foo"),
    ...line("Connection", "Upgrade", "close", "keep-alive, Upgrade"),
    ...line("Authorization", `Bearer ${api.token}`, "Bearer bw_unknown", "Basic eA==", `Bearer ${"x".repeat(4000)}`),
    ...line("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==", "short", "=".repeat(24)),
    ...line("Sec-WebSocket-Version", "13", "8", "-1"),
    ...(pick(4) > 0
      ? []
      : oneOf(
          pick,
          ["Last-Event-ID: start"],
          [`Last-Event-ID: ${"y".repeat(pick(2000))}`],
          ["Sec-WebSocket-Protocol: ,,"],
          ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=999"],
          ["Content-Length: 4"],
          ["Transfer-Encoding: chunked"],
          ["Origin: null", "Accept: application/xml"],
          ["Host: other"],
        )),
  ];
  return `${oneOf(pick, "GET", "GET", "GET", "HEAD", "POST")} ${target(pick, api)} HTTP/1.1\r\nHost: localhost\r\n${lines.join("\r\n")}\r\n\r\n`;
}

function frame(pick: Pick): Buffer {
  const text = oneOf<string>(
    pick,
    "ping",
    "replay",
    '{"resume":"start"}',
    `{"resume":"0a1b2c3d4e5f.${pick(99)}"}`,
    '{"resume":5}',
    "[".repeat(pick(4000)),
    "x".repeat(4096 + pick(2)),
    "\xff\xfe",
  );
  const payload = pick(8) === 0 ? bytes(pick, 200) : Buffer.from(text, "latin1");
  const opcode = pick(4) > 0 ? 0x81 : oneOf(pick, 0x01, 0x80, 0x82, 0x88, 0x89, 0x8a, 0xc1, 0x8f);
  const mask = pick(8) > 0 ? 0x80 : 0;
  if (pick(20) === 0) return Buffer.from([opcode, mask | 127, 0x7f, ...Array.from({ length: 7 }, () => 0xff)]);
  const length = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 255];
  const head = Buffer.from([
    opcode,
    mask | (length[0] as number),
    ...length.slice(1),
    ...(mask === 0 ? [] : [0, 0, 0, 0]),
  ]);
  return Buffer.concat([head, payload]);
}

/** Sends everything, and leaves at some moment. */
async function attack(api: Api, pick: Pick, port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  let isClosed = false;
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    // The rest may be long.
    if (text.length < 2000) text += chunk;
  });
  socket
    .on("error", () => {})
    .on("close", () => {
      isClosed = true;
    });
  const frames = Array.from({ length: pick(8) }, () => (pick(6) === 0 ? bytes(pick, 60) : frame(pick)));
  const leaves = pick(4);
  socket.write(Buffer.concat([Buffer.from(opening(pick, api), "latin1"), ...(pick(2) === 0 ? frames.splice(0) : [])]));
  if (leaves > 0) await waitUntil(() => text !== "" || isClosed, "a response");
  if (frames.length > 0 && !isClosed) await new Promise((resolve) => socket.write(Buffer.concat(frames), resolve));
  if (leaves === 1) socket.end();
  if (leaves === 2) socket.resetAndDestroy();
  else socket.destroy();
  return text;
}

const metrics = async (api: Api): Promise<Map<string, number>> => {
  const { text } = await api.request("/metrics");
  const samples = text.split("\n").filter((line) => !line.startsWith("#") && line !== "");
  return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
};

async function isQuiet(api: Api): Promise<boolean> {
  const samples = await metrics(api);
  const open = [...samples].filter(([name]) => /^bellwire_(stream_subscribers|connections)\b/.test(name));
  // The request for the metrics is in flight.
  return open.every(([, value]) => value === 0) && samples.get("bellwire_answers_under_way") === 1;
}

function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

onEveryStore("hostile clients of streams", (test) => {
  test(
    `${clients} of them cause no server error, and leave no connection, subscriber, or memory behind`,
    async (api) => {
      await api.has("ratings", [{ id: "a" }]);
      await api.has("news", [{ id: 1 }]);
      const port = await api.port();
      const pick = random(seed);
      const counts = new Map<string, number>();
      const log = api.log as string[];
      let before = Number.POSITIVE_INFINITY;
      for (let done = 0; done < clients; done += concurrent) {
        const texts = await Promise.all(Array.from({ length: concurrent }, () => attack(api, pick, port)));
        for (const text of texts) {
          const status = text === "" ? "none" : (/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? text.slice(0, 100));
          counts.set(status, (counts.get(status) ?? 0) + 1);
          assert.match(status, /^(none|101|200|4\d\d)$/);
        }
        for (const line of log.splice(0)) assert.ok((JSON.parse(line).status ?? 0) < 500, line);
        if (done !== clients / 10) continue;
        await waitUntil(() => isQuiet(api), "all of them have left");
        before = heapUsed();
      }
      for (const status of ["101", "200", "400", "401"]) assert.ok(counts.has(status), `${[...counts]}`);
      await waitUntil(() => isQuiet(api), "all of them have left");
      log.splice(0);
      const growth = heapUsed() - before;
      assert.ok(growth < maxGrowth, `the heap has grown by ${growth} bytes`);
      // Every slot of the key is free again.
      const streams = await Promise.all(
        Array.from({ length: 10 }, () => openMessages(api, "/api/v2.1/calendar/ratings/stream?since=start")),
      );
      for (const stream of streams) {
        assert.equal((await stream.has(1))[0].data.id, "a");
        stream.cut();
      }
    },
    { metricsOpen: true },
  );
});
