// The list of open streams for operators.
import assert from "node:assert/strict";
import type { Api, Body } from "../support/clients/api.ts";
import { openMessages } from "../support/clients/message-stream.ts";
import { onEveryStore } from "../support/stores/every-store.ts";
import { waitUntil } from "../support/wait-until.ts";

const list = "/api/v2.1/calendar/ratings";
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Reads the list with an administrator's key. */
async function operator(api: Api): Promise<(query?: string) => Promise<Body>> {
  const headers = bearer(await api.key({ name: "operator", scopes: ["admin"] }));
  return async (query = "") => (await api.request(`/admin/v1/streams${query}`, { headers })).json;
}

onEveryStore("the list of open streams", (test) => {
  test("shows who is connected, with which filters, and what was sent, over either transport", async (api) => {
    const read = await operator(api);
    assert.deepEqual((await read()).streams, []);
    const key = await api.key({ name: "acme" });
    const events = await api.stream(
      `${list}/stream?token=${key}&parameters%5Btickers%5D=F,GM&since=start`,
      bearer(key),
    );
    await waitUntil(() => events.lastId !== "", "the position of the stream");
    api.clock.now += 60;
    const messages = await openMessages(api, "/api/v1/news/stream?tickers=AAPL", {
      headers: bearer(await api.key({ name: "broker", delay: 15 })),
    });
    await waitUntil(async () => (await read()).open === 2, "both streams");
    await api.has("ratings", [{ id: "a", ticker: "F" }]);
    await events.has(1);
    const { now, open, closed, streams } = await read();
    assert.equal(now, "2026-01-15T12:01:00Z");
    assert.equal(open, 2);
    assert.deepEqual(
      closed,
      Object.fromEntries(
        ["draining", "expired", "revoked", "terms", "settings", "pruned", "slow"].map((reason) => [reason, 0]),
      ),
    );
    const about = { address: "127.0.0.1", phase: "live", behind: 0, unread: 0 };
    assert.deepEqual(
      streams.map(({ bytes, ...rest }: Body) => {
        assert.equal(typeof bytes, "number");
        return rest;
      }),
      [
        {
          ...{ resource: "ratings", key: "acme", transport: "events", filters: "parameters[tickers]=F,GM" },
          ...{ ...about, events: 1, opened: "2026-01-15T12:00:00Z", delay_minutes: 0 },
        },
        {
          ...{ resource: "news", key: "broker", transport: "messages", filters: "tickers=AAPL" },
          ...{ ...about, events: 0, opened: "2026-01-15T12:01:00Z", delay_minutes: 15 },
        },
      ],
    );
    assert.ok(streams[0].bytes > 0);
    assert.deepEqual(
      (await read("?key=broker")).streams.map((stream: Body) => stream.key),
      ["broker"],
    );
    assert.deepEqual(
      (await read("?resource=ratings&limit=1")).streams.map((stream: Body) => stream.key),
      ["acme"],
    );
    await api.store.revokeKey("acme", api.clock.now);
    await waitUntil(async () => (await read()).open === 1, "the stream of the revoked key has ended");
    assert.equal((await read()).closed.revoked, 1);
    messages.cut();
    await waitUntil(async () => (await read()).open === 0, "the other client has left");
  });

  test("lists clients that don't read first, and how far they are behind", async (api) => {
    const read = await operator(api);
    const quick = await api.stream("/api/v2/news/stream");
    const slow = await api.stream("/api/v2/news/stream?displayOutput=full");
    slow.pause();
    const body = "x".repeat(200_000);
    for (let id = 1; id <= 60; id++) await api.has("news", [{ id, title: `${id}`, body }]);
    await quick.has(60);
    // While it catches up, what was written may just have been taken by the socket.
    let found: Body = {};
    const isStuck = async () => {
      found = await read("?limit=1");
      return found.streams[0]?.unread > 0;
    };
    await waitUntil(isStuck, "the socket takes no more");
    const { open, streams } = found;
    assert.equal(open, 2);
    assert.equal(streams.length, 1);
    const [{ filters, phase, behind, unread }] = streams;
    assert.deepEqual([filters, phase], ["displayOutput=full", "catching up"]);
    assert.ok(behind > 10, `${behind} behind`);
    assert.ok(unread > 0, `${unread} unread`);
  });

  test("requires a key with the scope admin", async (api) => {
    const { status, json } = await api.fetch("/admin/v1/streams");
    assert.deepEqual([status, json.code], [403, "key.scope"]);
  });

  test("rejects a resource that doesn't exist", async (api) => {
    const headers = bearer(await api.key({ scopes: ["admin"] }));
    const { status, json } = await api.request("/admin/v1/streams?resource=rating", { headers });
    assert.equal(status, 400);
    assert.equal(json.errors[0].given, "rating");
  });
});
