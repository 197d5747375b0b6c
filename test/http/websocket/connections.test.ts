// WebSocket connections: limits, pings, stopping, and the form of news that a server sends.
import assert from "node:assert/strict";
import { manualPings, openMessages, rejectedMessages } from "../../support/clients/message-stream.ts";
import { isProblem } from "../../support/problem.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";
import { waitUntil } from "../../support/wait-until.ts";

const list = "/api/v2.1/calendar/ratings";

onEveryStore("connections", (test) => {
  test(
    "are accepted from pages of allowed origins, from the server's pages, and from clients that are no page",
    async (api) => {
      const headers = { authorization: `Bearer ${api.token}` };
      for (const origin of ["https://elsewhere.example", "https://app.example.com.elsewhere.example", "null"])
        isProblem(await rejectedMessages(api, `${list}/stream`, { ...headers, origin }), "request.origin");
      for (const more of [
        { origin: "https://app.example.com" },
        { origin: `http://127.0.0.1:${await api.port()}` },
        {},
      ])
        (await openMessages(api, `${list}/stream`, { headers: { ...headers, ...more } })).cut();
    },
    { corsOrigins: ["https://app.example.com"] },
  );

  test(
    "are limited per key, together with other streams",
    async (api) => {
      const authorization = `Bearer ${api.token}`;
      const events = await api.stream(`${list}/stream`);
      const messages = await openMessages(api, "/api/v1/news/stream");
      const rejected = await rejectedMessages(api, `${list}/stream`, { authorization });
      isProblem(rejected, "limit.streams");
      assert.equal(rejected.headers["retry-after"], "5");
      messages.cut();
      await waitUntil(() =>
        openMessages(api, `${list}/stream`).then(
          (again) => again.cut() === undefined,
          () => false,
        ),
      );
      events.cut();
    },
    { keyStreams: 2 },
  );

  test("count as a request when they are opened, and with every command that reads the log", async (api) => {
    const headers = { authorization: `Bearer ${await api.key({ rate: 3, burst: 3 })}` };
    const stream = await openMessages(api, `${list}/stream?since=start`, { headers });
    await api.has("ratings", [{ id: "a" }]);
    await stream.has(1);
    for (const count of [2, 3]) {
      stream.socket.send("replay");
      await stream.has(count);
    }
    stream.socket.send("replay");
    await stream.closed();
    assert.equal(stream.code, 4429);
    assert.equal(stream.messages.at(-1).data.code, "limit.rate");
  });

  const pings: (() => void)[] = [];

  test(
    "are closed if the client doesn't respond to a ping",
    async (api) => {
      const deaf = await openMessages(api, `${list}/stream?since=start`, { autoPong: false });
      const alive = await openMessages(api, `${list}/stream?since=start`);
      let pongs = 0;
      alive.socket.on("ping", () => pongs++);
      for (const ping of pings) ping();
      await waitUntil(() => pongs === 1);
      alive.socket.send("ping");
      await alive.has(1);
      for (const ping of pings) ping();
      await deaf.closed();
      assert.equal(deaf.code, 1006);
      await waitUntil(() => pongs === 2);
      alive.cut();
    },
    manualPings(pings),
  );

  test("end with a reason when the server stops, and are logged and counted once", async (api) => {
    const stream = await openMessages(api, `${list}/stream?since=start`);
    await api.has("ratings", [{ id: "a" }]);
    await stream.has(1);
    await api.drain();
    await stream.closed();
    assert.deepEqual([stream.code, stream.reason], [1012, "this server is stopping; reconnect"]);
    const lines = api.log.filter((line) => line.includes("/stream")).map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ status, key, url }) => ({ status, key, url })),
      [{ status: 101, key: "test-1", url: `${list}/stream?since=start` }],
    );
    assert.ok(lines[0].bytes > 100);
    isProblem(await rejectedMessages(api, `${list}/stream?token=${api.token}`), "server.unavailable");
  });

  test(
    "have the form of articles if a server sends it",
    async (api) => {
      const stream = await openMessages(api, "/api/v1/news/stream?since=start");
      await api.has("news", [
        {
          id: 7,
          title: "Ford raises outlook",
          body: "<p>Body</p>",
          teaser: "Teaser",
          url: "https://example.com/7",
          author: "Dana Whitlock",
          content_type: "story",
          tags: [{ name: "Cars" }],
          channels: [{ name: "Earnings" }],
          stocks: [{ name: "F", exchange: "NYSE", primary: true, cusip: "345370860" }, { name: "GM" }],
          image: [{ size: "thumb", url: "https://example.com/7.png" }],
          created: 1_768_478_000,
          updated: 1_768_478_100,
        },
      ]);
      const [message] = await stream.has(1);
      assert.equal(message.kind, "News/v1");
      assert.deepEqual(message.data.content, {
        id: 7,
        revision_id: Number(message.id.split(".")[1]),
        type: "story",
        title: "Ford raises outlook",
        body: "<p>Body</p>",
        teaser: "Teaser",
        url: "https://example.com/7",
        authors: ["Dana Whitlock"],
        tags: ["Cars"],
        channels: ["Earnings"],
        securities: [
          { symbol: "F", exchange: "NYSE", primary: true },
          { symbol: "GM", exchange: "", primary: false },
        ],
        image: "https://example.com/7.png",
        created_at: "2026-01-15T11:53:20.000Z",
        updated_at: "2026-01-15T11:55:00.000Z",
      });
      const calendar = await openMessages(api, `${list}/stream?since=start`);
      await api.has("ratings", [{ id: "a" }]);
      assert.equal((await calendar.has(1))[0].kind, "data/v2.1/calendar/ratings");
      stream.cut();
      calendar.cut();
    },
    { streamNewsForm: "story" },
  );
});
