// Hostile WebSocket clients: malformed handshakes and frames, floods, and clients that don't read.
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import type { Api } from "../../support/clients/api.ts";
import { manualPings, openMessages } from "../../support/clients/message-stream.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";
import { waitUntil } from "../../support/wait-until.ts";

const path = "/api/v2.1/calendar/ratings/stream";

const handshake = (lines: readonly string[], target = path): string =>
  [`GET ${target} HTTP/1.1`, "Host: localhost", "Connection: Upgrade", "Upgrade: websocket", ...lines, "", ""].join(
    "\r\n",
  );

const valid = ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"];

/** Sends bytes, and collects what comes back until the connection is closed. */
async function send(api: Api, bytes: string): Promise<{ text: () => string; socket: Socket; closed: Promise<void> }> {
  const socket = connect(await api.port(), "127.0.0.1");
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.write(bytes, "latin1");
  return { text: () => text, socket, closed };
}

const metric = async (api: Api, sample: string): Promise<string | undefined> =>
  (await api.request("/metrics")).text
    .split("\n")
    .find((line) => line.startsWith(sample))
    ?.split(" ")
    .at(-1);

onEveryStore("hostile WebSocket clients", (test) => {
  test("malformed handshakes are rejected without an upgrade", async (api) => {
    const authorization = `Authorization: Bearer ${api.token}`;
    for (const [lines, expected] of [
      [[authorization], "400 Bad Request"],
      [[authorization, "Sec-WebSocket-Key: short", "Sec-WebSocket-Version: 13"], "400 Bad Request"],
      [[authorization, valid[0] as string, "Sec-WebSocket-Version: 7"], "400 Bad Request"],
      [[authorization, ...valid, "Sec-WebSocket-Protocol: ,,"], "400 Bad Request"],
      [[authorization, ...valid, "Host: other"], "400 Bad Request"],
      [valid, "401 Unauthorized"],
    ] as const) {
      const { text, closed } = await send(api, handshake(lines));
      await closed;
      assert.ok(text().startsWith(`HTTP/1.1 ${expected}\r\n`), `${lines}: ${text()}`);
      assert.match(text(), /\r\ncontent-type: application\/problem\+json/i);
    }
    const { text, closed } = await send(
      api,
      handshake([authorization, valid[0] as string, "Sec-WebSocket-Version: 7"]),
    );
    await closed;
    assert.match(text(), /\r\nsec-websocket-version: 13, 8\r\n/i);
  });

  test("an upgrade that is pipelined after another request, or has a body, does no harm", async (api) => {
    const authorization = `Authorization: Bearer ${api.token}`;
    const list = `GET /api/v2/news HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`;
    const pipelined = await send(api, `${list}${handshake([authorization, ...valid])}`);
    await pipelined.closed;
    const body = await send(api, `${handshake([authorization, ...valid, "Content-Length: 4"])}ping`);
    await waitUntil(() => body.text() !== "");
    assert.match(body.text(), /^HTTP\/1\.1 200 OK\r\n/);
    body.socket.destroy();
    assert.equal((await api.fetch("/api/v2/news")).status, 200);
  });

  test("a flood of commands closes the connection", async (api) => {
    await api.has("ratings", [{ id: "a" }]);
    const stream = await openMessages(api, path);
    for (let time = 0; time < 200; time++) stream.socket.send("replay");
    await stream.closed();
    assert.deepEqual([stream.code, stream.reason], [1008, "too many commands at once"]);
  });

  const timers: (() => void)[] = [];

  test(
    "a client that doesn't read is disconnected, and most of its messages are left in the log",
    async (api) => {
      const bodies = 60;
      const stream = await openMessages(api, "/api/v1/news/stream?displayOutput=full&since=start");
      stream.socket.pause();
      const body = "x".repeat(200_000);
      for (let id = 1; id <= bodies; id++) await api.has("news", [{ id, title: `${id}`, body }]);
      const sent = () => metric(api, 'bellwire_stream_events_total{resource="news",action="created"}');
      await waitUntil(async () => Number(await sent()) >= 1);
      await waitUntil(async () => {
        for (const ping of timers) ping();
        return (await metric(api, 'bellwire_stream_closed_total{reason="slow"}')) === "1";
      });
      assert.ok(Number(await sent()) < bodies - 20, `${await sent()} events`);
      stream.cut();
    },
    { ...manualPings(timers), metricsOpen: true },
  );
});
