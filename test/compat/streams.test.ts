// Streams honor the compatibility switch the way lists do: paths, names, values, and the form of records.
import assert from "node:assert/strict";
import { catalog } from "../../src/resources/catalog.ts";
import { compatTable } from "../../src/resources/compat/compat.ts";
import { recordsOf } from "../support/clients/api.ts";
import { openMessages, rejectedMessages } from "../support/clients/message-stream.ts";
import { isProblem } from "../support/problem.ts";
import { onEveryStore, sharingEveryStore } from "../support/stores/every-store.ts";
import { bothWays } from "./both-ways.ts";

const ratings = "/api/v2.1/calendar/ratings";

sharingEveryStore("streams of keys with the compatibility term", (test) => {
  for (const resource of catalog) {
    const compatPaths = compatTable.get(resource)?.paths.map(({ path }) => path) ?? [];

    test(`${resource.name}: sends records as the list returns them, at every path of the list`, async (api) => {
      const headers = { authorization: `Bearer ${await api.key({ compat: true, licenses: ["cusip"] })}` };
      const { strict } = await bothWays(api);
      const paths = [resource.path, ...compatPaths];
      const streams = await Promise.all(paths.map((path) => api.stream(`${path}/stream`, headers)));
      const sockets = await Promise.all(
        paths.map((path) => openMessages(api, `${path}/stream?since=start`, { headers })),
      );
      // Lists show primary guidance only, unless a request says otherwise.
      await api.has(
        resource.name,
        [{ id: resource.fields.id?.example, cusip: "03783310B", is_primary: "Y" }].map(known),
      );
      const answer = await api.request(resource.path, { headers });
      const [record] = recordsOf(answer.json);
      for (const stream of streams) {
        const [event] = await stream.has(1);
        assert.deepEqual(event?.data.record, record);
        stream.cut();
      }
      for (const socket of sockets) {
        const [message] = await socket.has(1);
        assert.deepEqual(message?.data.content, record);
        socket.cut();
      }
      for (const path of compatPaths) {
        const refused = await strict(`${path}/stream`);
        const isMessagesOnly = resource.messages?.path === `${path}/stream`;
        isProblem(refused, isMessagesOnly ? "request.upgrade" : "request.path");
        if (isMessagesOnly) assert.match(refused.json.detail, new RegExp(`at ${resource.path}/stream\\.$`));
        if (!isMessagesOnly) isProblem(await rejectedMessages(api, `${path}/stream`), "request.path");
      }

      function known(each: Record<string, unknown>) {
        return Object.fromEntries(Object.entries(each).filter(([name]) => name in resource.fields));
      }
    });
  }

  test("accept other names and values, and list what was changed", async (api) => {
    const headers = { authorization: `Bearer ${await api.key({ compat: true })}` };
    const stream = await api.stream(`${ratings}/stream?Tickers=NASDAQ:AAPL`, headers);
    assert.equal(stream.headers["x-adjusted-parameters"], "parameters[tickers]=AAPL");
    await api.has("ratings", [
      { id: "a", ticker: "F" },
      { id: "b", ticker: "AAPL" },
    ]);
    const [event] = await stream.has(1);
    assert.equal(event?.data.id, "b");
    const strict = await api.stream(`${ratings}/stream?parameters[tickers]=NASDAQ:AAPL`);
    assert.equal(strict.headers["x-hint"], "did you mean parameters[tickers]=AAPL?");
    const paged = await api.stream(`${ratings}/stream?pageSize=5000`, headers);
    await paged.closed();
    assert.match(paged.body, /to be absent, because a stream has no pages/);
    for (const each of [stream, strict]) each.cut();
  });
});

onEveryStore("streams of a server with the switch", (test) => {
  test(
    "are served that way to all keys",
    async (api) => {
      const stream = await api.stream("/calendar/ratings/stream?tickers=NASDAQ:AAPL");
      const socket = await openMessages(api, "/api/v1/calendar/ratings/stream?since=start&tickers=NASDAQ:AAPL");
      await api.has("ratings", [{ id: "a", ticker: "AAPL" }]);
      assert.equal((await stream.has(1))[0]?.data.id, "a");
      assert.equal((await socket.has(1))[0]?.data.id, "a");
    },
    { compat: true },
  );
});
