// Streams over WebSocket: what is sent, resuming, replaying, and what is rejected.
import assert from "node:assert/strict";
import { ratings } from "../../../src/resources/ratings.ts";
import type { Body } from "../../support/clients/api.ts";
import { heldUntilResumed, manualHolds, openMessages, rejectedMessages } from "../../support/clients/message-stream.ts";
import { isProblem } from "../../support/problem.ts";
import { onEveryStore, sharingEveryStore } from "../../support/stores/every-store.ts";
import { waitUntil } from "../../support/wait-until.ts";

const list = "/api/v2.1/calendar/ratings";

const seen = (messages: readonly Body[]) => messages.map(({ data }) => `${data.action} ${data.id}`);

sharingEveryStore("messages", (test) => {
  test("a record is sent when it is created, updated, and removed", async (api) => {
    const stream = await openMessages(api, `${list}/stream`);
    await api.has("ratings", [{ id: "a", ticker: "F" }]);
    const [created] = await stream.has(1);
    const { databaseId, position } = await api.store.state();
    assert.deepEqual(created, {
      id: `${databaseId}.${position}`,
      api_version: "websocket/v1",
      kind: "data/v2.1/calendar/ratings",
      data: {
        action: "created",
        id: "a",
        timestamp: "2026-01-15T12:00:00.000Z",
        content: (await api.get(list)).ratings[0],
      },
    });
    await api.has("ratings", [{ id: "a", ticker: "GM" }]);
    await api.store.remove(ratings, ["a"]);
    const [, updated, deleted] = await stream.has(3);
    assert.deepEqual([updated.data.action, updated.data.content.ticker], ["updated", "GM"]);
    assert.deepEqual([deleted.data.action, deleted.data.id, deleted.data.content], ["deleted", "a", { id: "a" }]);
    stream.cut();
  });

  test("every list has a stream at its own path and at the one that existing clients use", async (api) => {
    for (const [name, path, kind] of [
      ["news", "/api/v1/news/stream", "news"],
      ["news", "/api/v2/news/stream", "news"],
      ["dividends", "/api/v2.1/calendar/dividends/stream", "data/v2.1/calendar/dividends"],
      ["dividends", "/api/v2.2/calendar/dividends/stream", "data/v2.1/calendar/dividends"],
      ["conference-calls", "/api/v2.1/calendar/conference-calls/stream", "data/v2.1/calendar/conference-calls"],
      ["economics", "/api/v2.1/calendar/economics/stream", "data/v2.1/calendar/economics"],
    ] as const) {
      const stream = await openMessages(api, `${path}?since=start`);
      const id = name === "news" ? 7 : "a";
      await api.has(name, [{ id }]);
      const [created] = await stream.has(1);
      assert.deepEqual([created.kind, created.data.id], [kind, id], path);
      stream.cut();
    }
  });

  test("filters are those of the list, with or without brackets, and ISINs", async (api) => {
    const stock = (name: string, isin: string) => ({ name, isin });
    await api.has("news", [
      { id: 1, stocks: [stock("F", "US3453708600")], channels: [{ name: "Earnings" }] },
      { id: 2, stocks: [stock("GM", "US37045V1008")], channels: [{ name: "M&A" }] },
    ]);
    await api.has("ratings", [
      { id: "a", ticker: "F", isin: "US3453708600" },
      { id: "b", ticker: "GM", isin: "US37045V1008" },
    ]);
    for (const [url, expected] of [
      ["/api/v1/news/stream?tickers=F", ["created 1"]],
      ["/api/v1/news/stream?isins=us37045v1008", ["created 2"]],
      ["/api/v1/news/stream?channels=M%26A", ["created 2"]],
      [`${list}/stream?tickers=GM`, ["created b"]],
      [`${list}/stream?parameters[tickers]=F`, ["created a"]],
      [`${list}/stream?isins=US3453708600,US0000000000`, ["created a"]],
    ] as const) {
      const stream = await openMessages(api, `${url}&since=start`);
      assert.deepEqual(seen(await stream.has(1)), expected, url);
      stream.cut();
    }
  });

  test("replay repeats the last hundred messages of the filter, then the stream goes on", async (api) => {
    const records = Array.from({ length: 260 }, (_, at) => ({ id: `r${100 + at}`, ticker: at % 2 ? "F" : "GM" }));
    await api.has("ratings", records);
    const stream = await openMessages(api, `${list}/stream?tickers=F`);
    stream.socket.send("replay");
    const expected = records.filter(({ ticker }) => ticker === "F").map(({ id }) => `created ${id}`);
    assert.deepEqual(seen(await stream.has(100)), expected.slice(-100));
    await api.has("ratings", [{ id: "x", ticker: "F" }]);
    assert.equal(seen(await stream.has(101)).at(-1), "created x");
    stream.cut();
    const quiet = await openMessages(api, `${list}/stream?tickers=TM`);
    quiet.socket.send("replay");
    quiet.socket.send("ping");
    await api.has("ratings", [{ id: "y", ticker: "TM" }]);
    const [pong, message] = await quiet.has(2);
    assert.deepEqual([pong, message.data.id], ["pong", "y"]);
    quiet.cut();
  });

  test("other messages get an error that names what was expected, and the stream goes on", async (api) => {
    const stream = await openMessages(api, `${list}/stream`);
    stream.socket.send("subscribe");
    assert.deepEqual(await stream.has(1), [
      {
        api_version: "websocket/v1",
        kind: "error",
        data: {
          code: "request.malformed",
          detail: 'Expected ping, replay, or {"resume":"<id>"}; got "subscribe".',
        },
      },
    ]);
    await api.has("ratings", [{ id: "a" }]);
    assert.equal((await stream.has(2))[1].data.id, "a");
    stream.cut();
  });

  test("a position that isn't one, or is gone, gets an error and ends the connection", async (api) => {
    for (const [resume, code, reason, detail] of [
      ["5", 4400, "Invalid parameters", 'resume: expected the ID of a message; got "5".'],
      ["elsewhere.5", 4410, "Position no longer available", "This position belongs to another database"],
    ] as const) {
      const stream = await openMessages(api, `${list}/stream`);
      stream.socket.send(JSON.stringify({ resume }));
      await stream.closed();
      assert.deepEqual([stream.code, stream.reason], [code, reason]);
      assert.ok(stream.messages[0].data.detail.startsWith(detail), stream.messages[0].data.detail);
    }
  });

  test("binary messages and long ones end the connection", async (api) => {
    for (const [message, code] of [
      [Buffer.from("ping"), 1003],
      ["x".repeat(5000), 1009],
    ] as const) {
      const stream = await openMessages(api, `${list}/stream`);
      stream.socket.send(message);
      await stream.closed();
      assert.equal(stream.code, code);
    }
  });

  test("a handshake is rejected like a request, with a problem", async (api) => {
    const authorization = `Bearer ${api.token}`;
    const other = await api.key({ resources: ["news"] });
    isProblem(await rejectedMessages(api, `${list}/stream`), "key.missing");
    isProblem(await rejectedMessages(api, `${list}/stream?token=wrong`), "key.unknown");
    isProblem(await rejectedMessages(api, `${list}/stream?token=${other}`), "key.resource");
    isProblem(await rejectedMessages(api, "/api/v3/news/stream", { authorization }), "request.path");
    assert.deepEqual((await rejectedMessages(api, list, { authorization })).json, { ratings: [] });
    isProblem(await rejectedMessages(api, `${list}/stream?x=${"y".repeat(16_384)}`, { authorization }), "request.url");
    const rejected = await rejectedMessages(api, `${list}/stream?pagesize=5&importance=x`, { authorization });
    isProblem(rejected, "request.parameters");
    assert.deepEqual(
      rejected.json.errors.map(({ parameter }: Body) => parameter),
      ["pagesize", "importance"],
    );
  });

  test("browsers' WebSocket works with a token in the query", async (api) => {
    const socket = new WebSocket(`ws://127.0.0.1:${await api.port()}/api/v1/news/stream?token=${api.token}`);
    const messages: string[] = [];
    socket.addEventListener("message", ({ data }) => messages.push(data));
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    socket.send("ping");
    await api.has("news", [{ id: 7 }]);
    await waitUntil(() => messages.length === 2);
    assert.equal(messages[0], "pong");
    assert.equal(JSON.parse(messages[1] ?? "").data.content.id, 7);
    socket.close(1000);
  });

  test("revoking a key closes its connections", async (api) => {
    const name = "short-lived";
    const key = await api.key({ name });
    const stream = await openMessages(api, `${list}/stream?since=start`, {
      headers: { authorization: `token ${key}` },
    });
    await api.has("ratings", [{ id: "a" }]);
    await stream.has(1);
    await api.store.revokeKey(name, api.clock.now);
    await stream.closed();
    assert.deepEqual([stream.code, stream.reason], [1008, "the key has been revoked"]);
  });

  test("revoking a key right after the handshake closes its connection, which sends nothing yet", async (api) => {
    const name = "revoked-at-once";
    const headers = { authorization: `token ${await api.key({ name })}` };
    const stream = await openMessages(api, `${list}/stream`, { headers });
    await api.store.revokeKey(name, api.clock.now);
    await stream.closed();
    assert.deepEqual([stream.code, stream.reason], [1008, "the key has been revoked"]);
    assert.deepEqual(stream.messages, []);
  });
});

onEveryStore("a connection that is cut", (test) => {
  test(
    "resumes exactly after the last message, while records arrive",
    async (api) => {
      const total = 60;
      const received: string[] = [];
      let last = (await api.fetch(list)).headers["x-stream-position"];
      const write = (async () => {
        for (let at = 0; at < total; at++) await api.has("ratings", [{ id: `r${at}`, ticker: at % 2 ? "F" : "GM" }]);
      })();
      while (received.length < total / 2) {
        const stream = await openMessages(api, `${list}/stream?tickers=F`);
        stream.socket.send(JSON.stringify({ resume: last }));
        const some = [...(await stream.has(Math.min(7, total / 2 - received.length)))];
        stream.cut();
        received.push(...seen(some));
        last = some.at(-1).id;
      }
      await write;
      const since = (await openMessages(api, `${list}/stream?tickers=F&since=start`)).has(total / 2);
      assert.deepEqual(received, seen(await since));
      assert.equal(new Set(received).size, total / 2);
    },
    heldUntilResumed,
  );

  const holds: (() => void)[] = [];

  test(
    "are held back until half a second after a client has answered a ping, so that it has time to resume",
    async (api) => {
      const stream = await openMessages(api, `${list}/stream`, { autoPong: false });
      await api.has("ratings", [{ id: "a" }]);
      stream.socket.send("ping");
      await stream.has(1);
      assert.deepEqual([stream.messages, holds.length], [["pong"], 0]);
      stream.socket.pong();
      await waitUntil(() => holds.length === 1, "a hold of limited time");
      holds[0]?.();
      await stream.has(2);
      assert.deepEqual(seen(stream.messages.slice(1)), ["created a"]);
      stream.cut();
    },
    manualHolds(holds),
  );
});
