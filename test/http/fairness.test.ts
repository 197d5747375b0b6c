// Whoever sends many requests at once waits for them alone.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { byConnection } from "../../src/http/by-connection.ts";
import { keyQueues } from "../../src/http/key-queues.ts";
import { onEveryStore } from "../support/every-store.ts";

onEveryStore("a key that sends many requests at once", (test) => {
  test(
    "does not delay another key",
    async (api) => {
      await api.has("ratings", [{ id: "a" }]);
      const [many, few] = [await api.key(), await api.key()];
      const finished: string[] = [];
      const get = async (key: string, page: number): Promise<void> => {
        const url = `/api/v2.1/calendar/ratings?page=${page}`;
        const { status } = await api.ask(url, { headers: { authorization: `Bearer ${key}` } });
        assert.equal(status, 200);
        finished.push(key);
      };
      const flood = Array.from({ length: 40 }, (_, page) => get(many, page + 1));
      await Promise.all([...flood, get(few, 1000)]);
      assert.equal(finished.length, 41);
      assert.ok(finished.indexOf(few) < 20, `it was the ${finished.indexOf(few) + 1}th of 41`);
    },
    { keyConcurrency: 2 },
  );
});

describe("queues of keys", () => {
  /** Work that ends when it is let go. */
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

  test("let at most so many of one key begin, the others in their order as places come free", async () => {
    const { begun, work, end } = controlled();
    const queues = keyQueues(2);
    for (const name of ["a1", "a2", "a3", "a4"]) void queues.run("a", work(name));
    void queues.run("b", work("b1"));
    assert.deepEqual(begun, ["a1", "a2", "b1"]);
    assert.equal(queues.waiting, 2);
    await end("a2");
    assert.deepEqual(begun, ["a1", "a2", "b1", "a3"]);
    await end("a1");
    assert.deepEqual(begun.at(-1), "a4");
    assert.equal(queues.waiting, 0);
  });

  test("give the place of work that fails to the next", async () => {
    const queues = keyQueues(1);
    const failing = queues.run("a", () => Promise.reject(new Error("no")));
    const next = queues.run("a", async () => "done");
    await assert.rejects(failing, /^Error: no$/);
    assert.equal(await next, "done");
  });

  test("have no limit where it is 0", async () => {
    const { begun, work } = controlled();
    const queues = keyQueues(0);
    for (let n = 0; n < 100; n++) void queues.run("a", work(`${n}`));
    assert.equal(begun.length, 100);
  });
});

describe("requests by connection", () => {
  test("are taken from each connection in turn, and in their order from each", () => {
    const [first, second, third] = [{}, {}, {}];
    const waiting = byConnection<string>();
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
