// What the memory for answers keeps: nothing on first sight, never more bytes than it may, and never an old value.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { answerCache, type KeptBody } from "../../src/http/answer-cache.ts";
import { seed } from "../support/records.ts";

const body = (size: number, stamp = "1"): KeptBody => ({
  stamp,
  bytes: Buffer.alloc(size),
  encoding: undefined,
  records: 0,
  next: undefined,
});

test("an answer is kept when it is asked for a second time, and from then on replaced at once", () => {
  const { bodies } = answerCache(100_000);
  bodies.offer("a", () => body(10, "1"));
  assert.equal(bodies.find("a"), undefined);
  bodies.offer("a", () => body(10, "1"));
  assert.equal(bodies.find("a")?.stamp, "1");
  bodies.offer("a", () => body(10, "2"));
  assert.equal(bodies.find("a")?.stamp, "2");
});

test("an answer that would push out most of the others is not kept", () => {
  const { bodies } = answerCache(100_000);
  for (const size of [20_000, 90_000]) for (let time = 0; time < 2; time++) bodies.offer(`${size}`, () => body(size));
  assert.notEqual(bodies.find("20000"), undefined);
  assert.equal(bodies.find("90000"), undefined);
});

test("answers that are asked for stay when there is no room for all", () => {
  const { bodies } = answerCache(100_000);
  for (let time = 0; time < 2; time++) bodies.offer("hot", () => body(10_000));
  for (let other = 0; other < 50; other++) {
    assert.notEqual(bodies.find("hot"), undefined, `gone after ${other} others`);
    for (let time = 0; time < 2; time++) bodies.offer(`other ${other}`, () => body(10_000));
  }
});

test("a memory of no bytes keeps nothing", () => {
  const { bodies } = answerCache(0);
  for (let time = 0; time < 3; time++) bodies.offer("a", () => body(0));
  assert.equal(bodies.find("a"), undefined);
});

test("whatever is offered and asked for, the bytes stay within the limit and what is found is what was offered last", () => {
  const step = fc.record({ key: fc.integer({ min: 0, max: 30 }), size: fc.integer({ min: 0, max: 9000 }) });
  const property = fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
    const { bodies } = answerCache(40_000);
    const last = new Map<string, KeptBody>();
    for (const { key, size } of steps) {
      const offered = body(size);
      last.set(String(key), offered);
      bodies.offer(String(key), () => offered);
      assert.ok(bodies.bytes <= 35_000 && bodies.bytes >= 0, `${bodies.bytes} bytes`);
      for (const [each, value] of last) assert.ok([undefined, value].includes(bodies.find(each)), `an old ${each}`);
    }
  });
  fc.assert(property, { seed, numRuns: 200 });
});
