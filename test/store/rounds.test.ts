// Rounds of reads: what is run together, and when answers go out in between.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readingRounds } from "../../src/store/sqlite/rounds.ts";

/** A clock that stands still, but for what a test does with it. */
const clock = { ms: 0 };

/** Asks for pages of these lengths at once; gives what happened, in its order. */
async function happening(lengths: readonly number[], read = (length: number) => ({ page: "x".repeat(length) })) {
  const inRound = readingRounds(() => clock.ms);
  const events: string[] = [];
  const asked = lengths.map(async (length, index) => {
    try {
      await inRound(() => {
        events.push(`read ${index}`);
        return read(length);
      });
      // An answer takes more than one step.
      await undefined;
      events.push(`answer ${index}`);
    } catch (error) {
      events.push((error as Error).message);
    }
  });
  events.push("asked");
  setImmediate(() => events.push("the turn is over"));
  await Promise.all(asked);
  return events;
}

test("pages that are asked for in one turn are all read before the first is answered", async () => {
  assert.deepEqual(await happening([5, 5]), ["asked", "read 0", "read 1", "answer 0", "answer 1"]);
});

test("a read that fails fails alone", async () => {
  const read = (length: number) => {
    if (length === 0) throw new Error("no such page");
    return { page: "x" };
  };
  assert.deepEqual(await happening([0, 5], read), ["asked", "read 0", "read 1", "no such page", "answer 1"]);
});

test("large pages are answered before others are read, in the same turn", async () => {
  assert.deepEqual(await happening([300_000, 5]), ["asked", "read 0", "answer 0", "read 1", "answer 1"]);
});

test("after a slow read its answer goes out before others are read", async () => {
  const read = (length: number) => {
    clock.ms += length;
    return { page: "x" };
  };
  assert.deepEqual(await happening([5, 0], read), ["asked", "read 0", "answer 0", "read 1", "answer 1"]);
});

test("a round has 32 reads at most", async () => {
  const events = await happening(Array.from({ length: 40 }, () => 5));
  assert.equal(events.indexOf("answer 0"), 33);
  assert.ok(events.indexOf("read 32") > events.indexOf("answer 31"));
});
