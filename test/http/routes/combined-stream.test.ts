// The stream of several resources: their events, exact resume, and the terms of the key.
import assert from "node:assert/strict";
import { ratings } from "../../../src/resources/ratings.ts";
import type { StreamEvent } from "../../support/clients/event-stream.ts";
import { isProblem } from "../../support/problem.ts";
import { sharingEveryStore } from "../../support/stores/every-store.ts";

const url = "/api/v1/stream";
const seen = (events: readonly StreamEvent[]) =>
  events.map(({ event, data }) => `${event} ${data.resource} ${data.id}`);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

sharingEveryStore("the combined stream", (test) => {
  test("sends the changes of all resources, with records as the lists return them", async (api) => {
    const stream = await api.stream(url);
    assert.equal(stream.status, 200);
    assert.equal(stream.headers["content-type"], "text/event-stream");
    await api.has("ratings", [{ id: "a", ticker: "F" }]);
    await stream.has(1);
    await api.has("news", [{ id: 7, title: "Title" }]);
    await stream.has(2);
    await api.store.remove(ratings, ["a"]);
    await stream.has(3);
    assert.deepEqual(seen(stream.events), ["created ratings a", "created news 7", "removed ratings a"]);
    const single = await api.stream("/api/v2/news/stream?since=start");
    await single.has(1);
    assert.equal(stream.events[1]?.text, single.events.at(-1)?.text);
    stream.cut();
    single.cut();
  });

  test("resumes after any of its events, or after the position of a list, without a gap or a duplicate", async (api) => {
    const start = String((await api.fetch("/api/v2/news")).headers["x-stream-position"]);
    const stream = await api.stream(`${url}?resources=ratings,news`);
    for (const id of [1, 2, 3, 4]) {
      await api.has(id % 2 === 0 ? "news" : "ratings", [{ id: id % 2 === 0 ? id : `r${id}` }]);
      await stream.has(id);
    }
    stream.cut();
    const all = seen(stream.events);
    assert.equal(all.length, 4);
    for (const [at, { id }] of stream.events.slice(0, -1).entries()) {
      const resumed = await api.stream(`${url}?resources=ratings,news`, { "last-event-id": id });
      await resumed.has(3 - at);
      assert.deepEqual(seen(resumed.events).toSorted(), all.slice(at + 1).toSorted());
      resumed.cut();
    }
    const fromList = await api.stream(`${url}?since=${start}`);
    await fromList.has(4);
    assert.deepEqual(seen(fromList.events).toSorted(), all.toSorted());
    fromList.cut();
  });

  test("has the resources that were named, else those that the key may read", async (api) => {
    const headers = bearer(await api.key({ resources: ["news", "earnings"] }));
    const stream = await api.stream(url, headers);
    await api.has("ratings", [{ id: "b" }]);
    await api.has("earnings", [{ id: "c" }]);
    await stream.has(1);
    assert.deepEqual(seen(stream.events), ["created earnings c"]);
    stream.cut();
    const news = await api.stream(`${url}?resources=news`, headers);
    await api.has("earnings", [{ id: "d" }]);
    await api.has("news", [{ id: 9 }]);
    await news.has(1);
    assert.deepEqual(seen(news.events), ["created news 9"]);
    news.cut();
    const refused = await api.fetch(`${url}?resources=news,ratings`, headers);
    isProblem(refused, "key.resource");
  });

  test("is listed for operators once for each of its resources, with their events", async (api) => {
    const stream = await api.stream(
      `${url}?resources=news,ratings`,
      bearer(await api.key({ name: "combined-listed" })),
    );
    await api.has("news", [{ id: 21 }]);
    await stream.has(1);
    const admin = bearer(await api.key({ scopes: ["admin"] }));
    const { json } = await api.fetch("/admin/v1/streams?key=combined-listed", admin);
    const events = json.streams.map((each: { resource: string; events: number }) => `${each.resource} ${each.events}`);
    assert.deepEqual(events.toSorted(), ["news 1", "ratings 0"]);
    stream.cut();
  });

  test("ends when the key is revoked, or loses one of the resources, and closes once", async (api) => {
    const revoked = await api.stream(url, bearer(await api.key({ name: "combined-revoked" })));
    const changed = await api.stream(url, bearer(await api.key({ name: "combined-changed" })));
    await api.store.revokeKey("combined-revoked", api.clock.now);
    await api.store.updateKey("combined-changed", { resources: ["news"] }, api.clock.now);
    await Promise.all([revoked.closed(), changed.closed()]);
    assert.deepEqual(revoked.comments, ["closed: the key has been revoked"]);
    assert.deepEqual(changed.comments, ["closed: the terms of the key have changed; reconnect"]);
  });

  test("counts as one request and one open stream of the key", async (api) => {
    const key = await api.key({ name: "combined-once", rate: 2, burst: 2 });
    const stream = await api.stream(url, bearer(key));
    assert.equal(stream.headers["x-ratelimit-remaining"], "1");
    stream.cut();
  });

  test("rejects invalid resources and positions, and lists ignored parameters", async (api) => {
    const invalid = await api.fetch(`${url}?resources=news,prices&since=x`);
    isProblem(invalid, "request.parameters");
    assert.match(invalid.text, /received|news,prices/);
    assert.match(invalid.text, /"since"/);
    isProblem(await api.fetch(`${url}?since=elsewhere.news:5`), "stream.gone");
    isProblem(await api.fetch(url, bearer("bw_unknown")), "key.unknown");
    const stream = await api.stream(`${url}?tickers=F`);
    assert.equal(stream.headers["x-ignored-parameters"], "tickers");
    stream.cut();
  });
});
