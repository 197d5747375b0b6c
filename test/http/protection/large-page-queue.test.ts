// Large pages are queued: one at a time, others in between, in a queue of limited length and waiting time.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { problems } from "../../../src/core/problem.ts";
import { LargePageQueue } from "../../../src/http/protection/large-page-queue.ts";
import { startApi } from "../../support/clients/api.ts";
import { listening } from "../../support/clients/listening.ts";

const stays = () => false;

describe("the queue", () => {
  test("runs one request at a time, in order", async () => {
    const queue = new LargePageQueue({ concurrency: 1, maxWaiting: 10, timeoutMs: 60_000 });
    const story: string[] = [];
    const work = async (name: string) => {
      assert.equal(await queue.acquire(stays), undefined);
      story.push(`${name} begins`);
      await nextTurn();
      story.push(`${name} ends`);
      queue.release();
    };
    await Promise.all(["a", "b", "c"].map(work));
    assert.deepEqual(story, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  test("lets other requests run in between, however short the work is", async () => {
    const queue = new LargePageQueue({ concurrency: 1, maxWaiting: 10, timeoutMs: 60_000 });
    const story: string[] = [];
    const large = async (name: string) => {
      await queue.acquire(stays);
      story.push(name);
      queue.release();
    };
    const small = async () => {
      await nextTurn();
      story.push("small");
    };
    await Promise.all([large("a"), small(), large("b"), large("c")]);
    assert.deepEqual(story.slice(0, 2), ["a", "small"]);
    assert.deepEqual(story.toSorted(), ["a", "b", "c", "small"]);
  });

  test("starts immediately for a client that requests only large pages", async () => {
    const queue = new LargePageQueue({ concurrency: 1, maxWaiting: 0, timeoutMs: 60_000 });
    for (let page = 0; page < 20; page++) {
      assert.equal(await queue.acquire(stays), undefined);
      queue.release();
      await nextTurn();
    }
    // The next one has to wait between small pages, and here there is no queue to wait in.
    await queue.acquire(stays);
    await new Promise((resolve) => setTimeout(resolve, 30));
    queue.countSmall();
    queue.release();
    await nextTurn();
    assert.equal((await queue.acquire(stays))?.code, "server.busy");
  });

  test("skips clients that have disconnected", async () => {
    const queue = new LargePageQueue({ concurrency: 1, maxWaiting: 10, timeoutMs: 60_000 });
    await queue.acquire(stays);
    const left = [queue.acquire(() => true), queue.acquire(() => true)];
    const next = queue.acquire(stays);
    queue.release();
    assert.deepEqual(
      (await Promise.all(left)).map((each) => each?.code),
      ["server.busy", "server.busy"],
    );
    assert.equal(await next, undefined);
    assert.deepEqual([queue.waiting, queue.refused], [0, 0]);
  });

  test("doesn't count clients as rejected if they disconnected before their timeout", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const queue = new LargePageQueue({ concurrency: 1, maxWaiting: 10, timeoutMs: 10 });
    await queue.acquire(stays);
    const both = Promise.all([queue.acquire(() => true), queue.acquire(stays)]);
    t.mock.timers.tick(10);
    const [left, stayed] = await both;
    assert.deepEqual([left?.code, stayed?.code, queue.refused], ["server.busy", "server.busy", 1]);
  });

  test("rejects requests when it is full, and those that have waited too long", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const queue = new LargePageQueue({ concurrency: 1, maxWaiting: 1, timeoutMs: 20 });
    await queue.acquire(stays);
    const second = queue.acquire(stays);
    const third = await queue.acquire(stays);
    assert.equal(third?.code, "server.busy");
    assert.match(third?.headers?.["retry-after"] ?? "", /^[1-9]\d*$/);
    t.mock.timers.tick(20);
    assert.equal((await second)?.code, "server.busy");
    assert.deepEqual([queue.waiting, queue.refused], [0, 2]);
    // The queue is unchanged: the next request waits for the first, and then runs.
    const fourth = queue.acquire(stays);
    queue.release();
    assert.equal(await fourth, undefined);
  });
});

const count = 1200;

describe("large pages", () => {
  test("get a 503 with Retry-After when the queue is full, small ones never", async () => {
    await listening(
      async ({ request, key }) => {
        const token = await key();
        const large = await request(`/api/v2.1/calendar/ratings?pagesize=1000&token=${token}`);
        assert.deepEqual([large.status, large.json.code], [503, "server.busy"]);
        assert.equal(problems["server.busy"].status, 503);
        assert.match(large.headers["retry-after"] ?? "", /^[1-9]\d*$/);
        assert.equal((await request(`/api/v2.1/calendar/ratings?pagesize=200&token=${token}`)).status, 200);
        assert.equal((await request(`/api/v2.1/calendar/ratings?token=${token}`)).status, 200);
      },
      undefined,
      { protection: { largePages: { concurrency: 0, maxWaiting: 0, timeoutMs: 1 } } },
    );
  });

  test("requested concurrently all get the same response as alone", async (t) => {
    const api = await startApi({ cacheBytes: 0 });
    t.after(() => api.close());
    await api.has(
      "ratings",
      Array.from({ length: count }, (_, at) => ({ id: `r${at}`, date: "2024-11-05", ticker: "AAPL" })),
    );
    const url = "/api/v2.1/calendar/ratings?pagesize=1000";
    const alone = await api.fetch(url);
    assert.equal(alone.json.ratings.length, 1000);
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) => api.fetch(url, at % 2 === 0 ? { "accept-encoding": "gzip" } : {})),
    );
    assert.deepEqual(
      all.map(({ status, headers }) => [status, headers.etag]),
      all.map(() => [200, alone.headers.etag]),
    );
    assert.ok(all.filter((_, at) => at % 2 === 1).every(({ text }) => text === alone.text));
  });
});
