// A client that sends many requests at once delays only itself.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fairQueue } from "../../../src/http/protection/connection-queue.ts";
import { limitKeyConcurrency } from "../../../src/http/protection/key-concurrency.ts";
import { gatedServer } from "../../support/clients/gated-server.ts";
import { waitUntil } from "../../support/wait-until.ts";

describe("a key that sends many requests at once", () => {
  test("does not delay another key", async (t) => {
    const { api, gate, keyConcurrency, get } = await gatedServer(t);
    const [many, few] = [await api.key(), await api.key()];
    const url = "/api/v2.1/calendar/ratings";
    gate.hold("page 1");
    const flood = Array.from({ length: 40 }, (_, index) => get(`${url}?page=1&pageSize=${index + 1}`, many));
    await waitUntil(() => keyConcurrency.waiting === 39, "one request of the key is in flight, the others wait");
    assert.equal((await get(`${url}?page=2`, few)).status, 200);
    assert.equal(keyConcurrency.waiting, 39);
    gate.release("page 1");
    for (const { status } of await Promise.all(flood)) assert.equal(status, 200);
  });
});

describe("a page that two keys request after its data has changed", () => {
  const url = "/api/v2.1/calendar/ratings";

  test("is read for the first key to leave its queue, not for the first to send a request", async (t) => {
    const { api, gate, keyConcurrency, get } = await gatedServer(t);
    await api.has("ratings", [{ id: "a" }]);
    const [many, few] = [await api.key(), await api.key()];
    // From the second time on it is cached.
    for (let times = 0; times < 2; times++) assert.equal((await get(url, few)).status, 200);
    await api.has("ratings", [{ id: "b" }]);
    gate.hold("page 1");
    const slow = get(`${url}?page=1`, many);
    await gate.began("page 1");
    const finished: string[] = [];
    const want = async (name: string, key: string): Promise<void> => {
      const { json } = await get(url, key);
      assert.equal(json.ratings.length, 2);
      finished.push(name);
    };
    const ofMany = want("many", many);
    await waitUntil(() => keyConcurrency.waiting === 1, "it waits behind its own key's slow page");
    const ofFew = want("few", few);
    await waitUntil(() => finished.length > 0, "the other key is served");
    assert.deepEqual([finished, keyConcurrency.waiting], [["few"], 1]);
    gate.release("page 1");
    await Promise.all([slow, ofMany, ofFew]);
    assert.equal(gate.begun.filter((each) => each === "page 0").length, 3);
  });

  test("is read once if both are being served", async (t) => {
    const { api, gate, get } = await gatedServer(t);
    await api.has("ratings", [{ id: "a" }]);
    const keys = [await api.key(), await api.key(), await api.key()];
    for (let times = 0; times < 2; times++) await get(url, keys[0] ?? "");
    await api.has("ratings", [{ id: "b" }]);
    gate.hold("page 0");
    const wanted = keys.map(async (key) => (await get(url, key)).json.ratings.length);
    await gate.began("page 0", 3);
    gate.release("page 0");
    assert.deepEqual(await Promise.all(wanted), [2, 2, 2]);
    assert.equal(gate.begun.filter((each) => each === "page 0").length, 3);
  });
});

describe("a request whose client disconnected while it was queued", () => {
  test("is not executed, and the next one of its key is", async (t) => {
    const { api, gate, connections, keyConcurrency, get } = await gatedServer(t);
    const key = await api.key();
    gate.hold("page 0");
    const first = get("/api/v2.1/calendar/ratings?page=0", key);
    await gate.began("page 0");
    const leaving = new AbortController();
    const left = get("/api/v2.1/calendar/ratings?page=1", key, leaving.signal);
    await waitUntil(() => keyConcurrency.waiting === 1, "it waits");
    const last = get("/api/v2.1/calendar/ratings?page=2", key);
    await waitUntil(() => keyConcurrency.waiting === 2, "both wait");
    const { open } = connections;
    leaving.abort();
    await assert.rejects(left, { name: "AbortError" });
    await waitUntil(() => connections.open === open - 1, "the server has noticed");
    gate.release("page 0");
    assert.deepEqual([(await first).status, (await last).status], [200, 200]);
    assert.deepEqual(gate.begun, ["page 0", "page 2"]);
  });
});

describe("the change feed", () => {
  test("serves one request of a key at a time, snapshots included, and other keys concurrently", async (t) => {
    const { api, gate, send } = await gatedServer(t);
    await api.has("ratings", [{ id: "a" }, { id: "b" }, { id: "c" }]);
    const [one, other] = [await api.key({ scopes: ["replicate"] }), await api.key({ scopes: ["replicate"] })];
    // From now on both keys are cached: requests reach their queues in the order sent.
    for (const key of [one, other]) assert.equal((await send("/changes?after=3", key)).status, 200);
    const finished: string[] = [];
    const request = async (url: string, key: string): Promise<void> => {
      assert.equal((await send(url, key)).status, 200);
      finished.push(url);
    };
    gate.hold("changes 0");
    const ofOne = ["/changes?after=0", "/changes?after=1", "/changes/records/ratings"].map((url) => request(url, one));
    const ofOther = request("/changes?after=2", other);
    await waitUntil(() => finished.length > 0, "the other key is served");
    assert.deepEqual(gate.begun.slice(2), ["changes 0", "changes 2"]);
    gate.release("changes 0");
    await Promise.all([...ofOne, ofOther]);
    assert.deepEqual(gate.begun.slice(4), ["changes 1", "snapshot ratings"]);
    assert.deepEqual(finished, [
      "/changes?after=2",
      "/changes?after=0",
      "/changes?after=1",
      "/changes/records/ratings",
    ]);
  });
});

describe("per-key queues", () => {
  const stays = () => false;

  /** Work that ends when it is released. */
  const controlled = () => {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const work = (name: string) => () =>
      new Promise<string>((resolve) => {
        begun.push(name);
        ends.set(name, () => resolve(name));
      });
    const end = async (name: string): Promise<void> => {
      ends.get(name)?.();
      await new Promise(setImmediate);
    };
    return { begun, work, end };
  };

  test("run a limited number of requests per key, and the others in order as slots become free", async () => {
    const { begun, work, end } = controlled();
    const queues = limitKeyConcurrency(2);
    for (const name of ["a1", "a2", "a3", "a4"]) void queues.run("a", stays, work(name));
    void queues.run("b", stays, work("b1"));
    assert.deepEqual(begun, ["a1", "a2", "b1"]);
    assert.equal(queues.waiting, 2);
    await end("a2");
    assert.deepEqual(begun, ["a1", "a2", "b1", "a3"]);
    await end("a1");
    assert.deepEqual(begun.at(-1), "a4");
    assert.equal(queues.waiting, 0);
  });

  test("pass the slot of a failed request to the next", async () => {
    const queues = limitKeyConcurrency(1);
    const failing = queues.run("a", stays, () => Promise.reject(new Error("no")));
    const next = queues.run("a", stays, async () => "done");
    await assert.rejects(failing, /^Error: no$/);
    assert.equal(await next, "done");
  });

  test("pass the slot of a disconnected client to the next, and count nothing as waiting", async () => {
    const { begun, work, end } = controlled();
    const queues = limitKeyConcurrency(1);
    const first = queues.run("a", stays, work("a1"));
    const left = queues.run("a", () => true, work("a2"));
    const next = queues.run("a", stays, work("a3"));
    const rejected = assert.rejects(left, /^Error: server\.busy$/);
    await end("a1");
    await rejected;
    await end("a3");
    assert.deepEqual([await first, await next], ["a1", "a3"]);
    assert.deepEqual([begun, queues.waiting], [["a1", "a3"], 0]);
  });

  test("are unlimited with 0", async () => {
    const { begun, work } = controlled();
    const queues = limitKeyConcurrency(0);
    for (let n = 0; n < 100; n++) void queues.run("a", stays, work(`${n}`));
    assert.equal(begun.length, 100);
  });
});

describe("pipelined requests", () => {
  test("are taken from each connection in turn, in order within each", () => {
    const [first, second, third] = [{}, {}, {}];
    const waiting = fairQueue<string>();
    for (const item of ["a1", "a2", "a3"]) waiting.add(first, item);
    waiting.add(second, "b1");
    assert.equal(waiting.take(), "a1");
    waiting.add(third, "c1");
    waiting.add(second, "b2");
    const rest = Array.from({ length: waiting.size }, () => waiting.take());
    assert.deepEqual(rest, ["b1", "a2", "c1", "b2", "a3"]);
    assert.equal(waiting.take(), undefined);
  });
});
