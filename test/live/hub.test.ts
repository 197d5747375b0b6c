// The hub of a process: heartbeats, clients that don't read, draining, and metrics.
import assert from "node:assert/strict";
import { news } from "../../src/resources/news.ts";
import type { Api, ApiOptions } from "../support/clients/api.ts";
import { onEveryStore } from "../support/stores/every-store.ts";
import { waitUntil } from "../support/wait-until.ts";

const list = "/api/v2.1/calendar/ratings";

/** Heartbeats when a test says so. */
function manualHeartbeat(): { readonly options: ApiOptions; beat(): void } {
  let beat = () => {};
  return {
    beat: () => beat(),
    options: {
      every: (ms, callback) => {
        if (ms === 15_000) {
          beat = callback;
          return () => {};
        }
        const timer = setInterval(callback, ms);
        return () => clearInterval(timer);
      },
    },
  };
}

onEveryStore("the hub", (test) => {
  const heartbeat = manualHeartbeat();

  test(
    "sends a comment at intervals, with the position that a client has reached without events",
    async (api) => {
      const stream = await api.stream(`${list}/stream?parameters[tickers]=F`);
      await waitUntil(() => stream.lastId !== "");
      const before = stream.lastId;
      heartbeat.beat();
      await waitUntil(() => stream.comments.length === 1);
      assert.equal(stream.lastId, before);
      await api.has("ratings", [{ id: "a", ticker: "GM" }]);
      await api.has("news", [{ id: 1 }]);
      const { databaseId, position } = await api.store.state();
      await waitUntil(() => {
        heartbeat.beat();
        return stream.lastId === `${databaseId}.${position}`;
      });
      assert.deepEqual([...new Set(stream.comments)], ["heartbeat"]);
      assert.deepEqual(stream.events, []);
    },
    heartbeat.options,
  );

  const watched = manualHeartbeat();

  test(
    "disconnects a client that doesn't read, keeps little for it, and lets it continue where it stopped",
    async (api) => {
      const bodies = 60;
      const [slow, quick] = [
        await api.stream("/api/v2/news/stream?displayOutput=full"),
        await api.stream("/api/v2/news/stream"),
      ];
      slow.pause();
      const body = "x".repeat(200_000);
      for (let id = 1; id <= bodies; id++) await api.has("news", [{ id, title: `${id}`, body }]);
      await quick.has(bodies);
      const metric = () => metricOf(api, 'bellwire_stream_closed_total{reason="slow"}');
      await waitUntil(async () => {
        watched.beat();
        return (await metric()) === 1;
      }, "the slow client is disconnected");
      assert.equal(quick.isClosed, false);
      // Most events were left in the log instead of being buffered.
      const sent = await metricOf(api, 'bellwire_stream_events_total{resource="news",action="created"}');
      assert.ok(sent >= bodies && sent < 2 * bodies - 20, `${sent} events`);
      slow.resume();
      await slow.closed();
      const rest = await api.stream("/api/v2/news/stream?displayOutput=full", { "last-event-id": slow.lastId });
      await rest.has(bodies - slow.events.length);
      assert.deepEqual(
        [...slow.events, ...rest.events].map(({ data }) => data.id),
        Array.from({ length: bodies }, (_, at) => at + 1),
      );
    },
    { ...watched.options, metricsOpen: true },
  );

  test(
    "reads the log once for all subscribers",
    async (api) => {
      const urls = ["", "?tickers=F", "?tickers=F,GM", "?channels=Earnings", "?displayOutput=full"];
      const streams = await Promise.all(urls.map((query) => api.stream(`/api/v2/news/stream${query}`)));
      const reads = () => metricOf(api, 'bellwire_store_seconds_count{operation="recordChanges"}');
      await api.has("news", [{ id: 1, stocks: [{ name: "F" }], channels: [{ name: "Earnings" }] }]);
      for (const stream of streams) await stream.has(1);
      const before = await reads();
      await api.has("news", [{ id: 2, stocks: [{ name: "F" }], channels: [{ name: "Earnings" }] }]);
      for (const stream of streams) await stream.has(2);
      // Once for the commit; once more if the commit before it was noticed only now.
      assert.ok((await reads()) - before < urls.length);
      await api.store.remove(news, ["1"]);
      for (const stream of streams) assert.equal((await stream.has(3)).at(-1)?.event, "removed");
      assert.equal(await metricOf(api, 'bellwire_stream_subscribers{resource="news"}'), urls.length);
    },
    { metricsOpen: true },
  );

  test("ends every stream when the server stops, and clients know that they should reconnect", async (api) => {
    const stream = await api.stream(`${list}/stream`);
    await api.has("ratings", [{ id: "a" }]);
    await stream.has(1);
    await api.drain();
    await stream.closed();
    assert.deepEqual(stream.comments, ["closed: this server is stopping; reconnect"]);
    assert.equal(stream.retry, 1000);
    assert.equal((await api.stream(`${list}/stream`)).status, 503);
  });

  test("ends every stream when the database gets another time zone", async (api) => {
    const stream = await api.stream("/api/v2/news/stream?date=2026-01-15");
    await api.store.render({ zone: "Europe/Berlin" });
    await stream.closed();
    assert.deepEqual(stream.comments, ["closed: the settings of the database have changed; reconnect"]);
  });

  test("logs a stream when it ends, with its events", async (api) => {
    const stream = await api.stream(`${list}/stream`);
    await api.has("ratings", [{ id: "a" }]);
    await stream.has(1);
    stream.cut();
    await waitUntil(() => api.log.some((line) => line.includes(`"url":"${list}/stream"`)));
    const line = JSON.parse(api.log.find((each) => each.includes(`"url":"${list}/stream"`)) ?? "");
    assert.deepEqual([line.status, line.key], [200, "test-1"]);
    assert.ok(line.bytes > 100);
  });
});

async function metricOf(api: Api, name: string): Promise<number> {
  const { text } = await api.fetch("/metrics");
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}
