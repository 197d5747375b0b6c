// Streams of lists: what is sent, from which position, and what is rejected.
import assert from "node:assert/strict";
import { ratings } from "../../../src/resources/ratings.ts";
import type { Api } from "../../support/clients/api.ts";
import type { StreamEvent } from "../../support/clients/event-stream.ts";
import { isProblem } from "../../support/problem.ts";
import { onEveryStore, sharingEveryStore } from "../../support/stores/every-store.ts";

const list = "/api/v2.1/calendar/ratings";

const seen = (events: readonly StreamEvent[]) => events.map(({ event, data }) => `${event} ${data.id}`);

/** The bytes of the record as a list returns it. */
async function listed(api: Api, url: string): Promise<string> {
  const { text } = await api.fetch(url);
  return text.slice(text.indexOf("[") + 1, text.lastIndexOf("]"));
}

sharingEveryStore("streams", (test) => {
  test("a record is sent when it is created, updated, and removed", async (api) => {
    const stream = await api.stream(`${list}/stream`);
    assert.equal(stream.status, 200);
    assert.equal(stream.headers["content-type"], "text/event-stream");
    assert.equal(stream.headers["cache-control"], "no-store, no-transform");
    await api.has("ratings", [{ id: "a", ticker: "F" }]);
    const [created] = await stream.has(1);
    const record = await listed(api, list);
    const at = api.clock.now;
    assert.equal(created?.text, `{"action":"created","id":"a","resource":"ratings","at":${at},"record":${record}}`);
    await api.has("ratings", [{ id: "a", ticker: "GM" }]);
    await stream.has(2);
    await api.store.remove(ratings, ["a"]);
    const [, updated, removed] = await stream.has(3);
    assert.equal(updated?.event, "updated");
    assert.equal(updated?.data.record.ticker, "GM");
    assert.equal(removed?.text, `{"action":"removed","id":"a","resource":"ratings","at":${at}}`);
    assert.equal(stream.retry, 3000);
    stream.cut();
  });

  test("records have the fields, text, and transforms that the list would have", async (api) => {
    for (const [name, url, record] of [
      ["news", "/api/v2/news", { id: 7, body: "<p>Body</p>", teaser: "Teaser" }],
      ["news", "/api/v2/news?displayOutput=full", { id: 7, body: "<p>Other</p>", teaser: "Teaser" }],
      ["news", "/api/v2/news?displayOutput=full&format=text", { id: 7, body: "<p>Text &amp; more</p>" }],
      ["ratings", `${list}?fields=id,ticker,pt_pct_change`, { id: "a", pt_current: "12", pt_prior: "10" }],
      ["ratings", `${list}?fields=*&simplify=true`, { id: "a", pt_current: "15", pt_prior: "10" }],
    ] as const) {
      const [path, query = ""] = url.split("?");
      const stream = await api.stream(`${path}/stream?${query}`);
      await api.has(name, [record]);
      const [event] = await stream.has(1);
      assert.ok(event?.text.endsWith(`,"record":${await listed(api, url)}}`), `${url}: ${event?.text}`);
      stream.cut();
    }
  });

  test("a record that moves into the filter is created, and one that moves out is removed", async (api) => {
    await api.has("ratings", [
      { id: "a", ticker: "F" },
      { id: "b", ticker: "GM" },
    ]);
    const stream = await api.stream(`${list}/stream?parameters[tickers]=F`);
    await api.has("ratings", [{ id: "a", ticker: "TM" }]);
    await api.has("ratings", [{ id: "b", ticker: "F" }]);
    await api.has("ratings", [{ id: "b", ticker: "F", notes: "x" }]);
    await api.has("ratings", [{ id: "c", ticker: "TM" }]);
    await api.store.remove(ratings, ["b"]);
    assert.deepEqual(seen(await stream.has(4)), ["removed a", "created b", "updated b", "removed b"]);
    stream.cut();
  });

  test("a stream that was cut continues after its last event, whichever way the position is sent", async (api) => {
    const first = await api.stream(`${list}/stream`);
    await api.has("ratings", [{ id: "a" }]);
    const [event] = await first.has(1);
    first.cut();
    await api.has("ratings", [{ id: "b" }]);
    await api.has("ratings", [{ id: "b", notes: "x" }]);
    const url = `${list}/stream`;
    for (const [path, headers] of [
      [`${url}?since=${event?.id}`, {}],
      [url, { "last-event-id": event?.id ?? "" }],
      [`${url}?since=start`, { "last-event-id": event?.id ?? "" }],
    ] as const) {
      const stream = await api.stream(path, headers);
      const [created, updated] = await stream.has(2);
      assert.deepEqual([created?.event, created?.data.record.notes], ["created", ""]);
      assert.deepEqual([updated?.event, updated?.data.record.notes], ["updated", "x"]);
      stream.cut();
    }
    const all = await api.stream(`${url}?since=start`);
    assert.deepEqual(seen(await all.has(3)), ["created a", "created b", "updated b"]);
    all.cut();
  });

  test("a stream that was cut before its first event has a position too", async (api) => {
    const first = await api.stream(`${list}/stream`);
    first.cut();
    await api.has("ratings", [{ id: "a" }]);
    const second = await api.stream(`${list}/stream`, { "last-event-id": first.lastId });
    assert.deepEqual(seen(await second.has(1)), ["created a"]);
    second.cut();
  });

  test("a list has the position of its stream, also from the cache and with 304", async (api) => {
    await api.has("ratings", [{ id: "a" }]);
    const position = async (headers = {}) => (await api.fetch(list, headers)).headers["x-stream-position"];
    const first = await position();
    for (let time = 0; time < 3; time++) assert.equal(await position(), first);
    await api.has("news", [{ id: 1 }]);
    const etag = (await api.fetch(list)).headers.etag ?? "";
    const second = await position({ "if-none-match": etag });
    assert.notEqual(second, first);
    assert.equal(await position(), second);
    await api.has("ratings", [{ id: "b" }]);
    const stream = await api.stream(`${list}/stream?since=${second}`);
    assert.deepEqual(seen(await stream.has(1)), ["created b"]);
    stream.cut();
    assert.equal((await api.fetch("/api/v2.1/calendar/ratings/firms")).headers["x-stream-position"], undefined);
  });

  test("pages and orders are rejected, along with every other invalid parameter", async (api) => {
    const expected = "to be absent, because a stream has no pages and no order";
    const since = "start, or the position of an event or a list";
    assert.deepEqual(await api.errors("/api/v2/news/stream?page=0&pageSize=5&sort=id:asc&dateFrom=x&since=5"), [
      { parameter: "page", given: "0", expected },
      { parameter: "pageSize", given: "5", expected },
      { parameter: "dateFrom", given: "x", expected: "a day as YYYY-MM-DD" },
      { parameter: "sort", given: "id:asc", expected },
      { parameter: "since", given: "5", expected: since },
    ]);
    assert.deepEqual(await api.errors("/api/v2.1/calendar/earnings/stream?parameters[date_sort]=date:asc&pagesize=1"), [
      { parameter: "pagesize", given: "1", expected },
      { parameter: "parameters[date_sort]", given: "date:asc", expected },
    ]);
    const { status, json } = await api.fetch(`${list}/stream`, { "last-event-id": "5" });
    assert.deepEqual([status, json.errors], [400, [{ parameter: "Last-Event-ID", given: "5", expected: since }]]);
  });

  test("other methods, formats, and keys are rejected like those of the list", async (api) => {
    assert.equal((await api.request(`${list}/stream`)).json.code, "key.missing");
    const other = { authorization: `Bearer ${await api.key({ resources: ["news"] })}` };
    assert.equal((await api.fetch(`${list}/stream`, other)).json.code, "key.resource");
    assert.equal((await api.fetch(`${list}/stream`, { accept: "application/json" })).json.code, "format.unacceptable");
    const posted = await api.request(`${list}/stream`, { method: "POST" });
    assert.deepEqual([posted.status, posted.headers.allow], [405, "GET, HEAD"]);
    const head = await api.request(`${list}/stream`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${api.token}` },
    });
    assert.deepEqual([head.status, head.headers["content-type"], head.text], [200, "text/event-stream", ""]);
  });

  test("browsers may read it from an allowed origin, and unknown parameters are named", async (api) => {
    const stream = await api.stream("/api/v2/news/stream?colour=red", { origin: "https://example.com" });
    assert.equal(stream.headers["access-control-allow-origin"], "*");
    assert.equal(stream.headers["x-ignored-parameters"], "colour");
    stream.cut();
  });

  test("updates and removals of unknown records reach everyone who could have seen them", async (api) => {
    await api.has("ratings", [{ id: "a", ticker: "F" }]);
    const seq = (await api.store.lastPosition()) + 1;
    const line = { resource: "ratings", at: 5 } as const;
    const since = (await api.fetch(list)).headers["x-stream-position"];
    await api.store.importChanges([
      { ...line, seq, id: "a", kind: "updated" },
      { ...line, seq: seq + 1, id: "b", kind: "removed" },
    ]);
    for (const [ticker, expected] of [
      ["F", ["updated a", "removed b"]],
      ["GM", ["removed b"]],
    ] as const) {
      const stream = await api.stream(`${list}/stream?parameters[tickers]=${ticker}&since=${since}`);
      assert.deepEqual(seen(await stream.has(expected.length)), expected);
      stream.cut();
    }
  });
});

onEveryStore("the number of streams", (test) => {
  test(
    "is limited per key, and a closed stream makes room for another",
    async (api) => {
      const open = [await api.stream(`${list}/stream`), await api.stream("/api/v2/news/stream")];
      const rejected = await api.stream(`${list}/stream`);
      assert.equal(rejected.status, 429);
      await rejected.closed();
      assert.match(JSON.parse(rejected.body).detail, /^This key has 2 open streams, which is the limit\./);
      const other = await api.stream(`${list}/stream`, { authorization: `Bearer ${await api.key()}` });
      assert.equal(other.status, 200);
      open[0]?.cut();
      for (;;) {
        const again = await api.stream(`${list}/stream`);
        again.cut();
        if (again.status === 200) break;
      }
    },
    { keyStreams: 2 },
  );
});

onEveryStore("the start of a stream", (test) => {
  test("a position that the log no longer has gets a 410 that explains how to start over", async (api) => {
    await api.has("ratings", [{ id: "a" }, { id: "b" }, { id: "c" }]);
    const { databaseId, position } = await api.store.state();
    await api.store.pruneChanges({ upTo: position - 1 }, 100);
    for (const [since, reason] of [
      [`${databaseId}.${position - 2}`, "Changes after this position have expired from the change log."],
      [`${databaseId}.${position + 1}`, "This position belongs to another database"],
      [`elsewhere.${position}`, "This position belongs to another database"],
    ] as const) {
      const gone = await api.fetch(`${list}/stream?since=${since}`);
      isProblem(gone, "stream.gone");
      assert.match(gone.json.detail, new RegExp(`^${reason}.* read ${list}, then open the stream with since`));
    }
    const stream = await api.stream(`${list}/stream?since=start`);
    assert.deepEqual(seen(await stream.has(1)), ["created c"]);
    stream.cut();
  });
});
