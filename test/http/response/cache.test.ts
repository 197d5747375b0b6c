// Response cache: nothing on first request, never more than its limit, and never a stale value.
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { RefCountedBuffer } from "../../../src/http/response/buffer-pool.ts";
import { type CachedBody, responseCache } from "../../../src/http/response/cache.ts";
import { runs } from "../../support/budget.ts";
import { seed } from "../../support/records/records.ts";

const body = (size: number, stamp = "1"): CachedBody => ({
  tag: undefined,
  stamp,
  bytes: new RefCountedBuffer(Buffer.alloc(size)),
  encoding: undefined,
  records: 0,
  next: undefined,
});

test("a response is cached on its second request, and replaced immediately from then on", () => {
  const { bodies } = responseCache(100_000);
  bodies.offer("a", false, () => body(10, "1"));
  assert.equal(bodies.find("a"), undefined);
  bodies.offer("a", true, () => body(10, "1"));
  assert.equal(bodies.find("a")?.stamp, "1");
  bodies.offer("a", false, () => body(10, "2"));
  assert.equal(bodies.find("a")?.stamp, "2");
});

test("a response that would evict most others is not cached", () => {
  const { bodies } = responseCache(100_000);
  for (const size of [20_000, 90_000]) bodies.offer(`${size}`, true, () => body(size));
  assert.notEqual(bodies.find("20000"), undefined);
  assert.equal(bodies.find("90000"), undefined);
});

test("requested responses stay when the cache is full", () => {
  const { bodies } = responseCache(100_000);
  bodies.offer("hot", true, () => body(10_000));
  for (let other = 0; other < 50; other++) {
    assert.notEqual(bodies.find("hot"), undefined, `gone after ${other} others`);
    bodies.offer(`other ${other}`, true, () => body(10_000));
  }
});

test("the memory of a replaced or evicted response is freed immediately, unless it is still referenced", () => {
  const { bodies } = responseCache(100_000);
  const [replaced, held, pushedOut, tooLarge] = [body(10_000), body(10_000), body(10_000), body(90_000)];
  bodies.offer("a", true, () => replaced);
  bodies.offer("b", true, () => held);
  bodies.offer("c", true, () => pushedOut);
  held.bytes.retain();
  for (const key of ["a", "b"]) bodies.offer(key, false, () => body(10_000));
  bodies.offer("d", true, () => tooLarge);
  for (let other = 0; other < 20; other++) bodies.offer(`other ${other}`, true, () => body(10_000));
  const left = [replaced, held, pushedOut, tooLarge].map(({ bytes }) => bytes.bytes.length);
  assert.deepEqual(left, [0, 10_000, 0, 0]);
});

test("a cache of 0 bytes stores nothing", () => {
  const { bodies } = responseCache(0);
  bodies.offer("a", true, () => body(0));
  assert.equal(bodies.find("a"), undefined);
});

test("the cache stays within its limit and always returns the latest value", () => {
  const step = fc.record({
    key: fc.integer({ min: 0, max: 30 }),
    size: fc.integer({ min: 0, max: 9000 }),
    again: fc.boolean(),
  });
  const property = fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
    const { bodies } = responseCache(40_000);
    const last = new Map<string, CachedBody>();
    for (const { key, size, again } of steps) {
      const offered = body(size);
      last.set(String(key), offered);
      bodies.offer(String(key), again, () => offered);
      assert.ok(bodies.bytes <= 35_000 && bodies.bytes >= 0, `${bodies.bytes} bytes`);
      for (const [each, value] of last) assert.ok([undefined, value].includes(bodies.find(each)), `an old ${each}`);
    }
  });
  fc.assert(property, { seed, numRuns: runs(40, 200) });
});

/** As for requests: a digest in base64url. */
const fingerprint = (n: number): string => hash("sha1", String(n), "base64url").slice(0, 16);

test("the admission filter recognizes a request on its second arrival, with hundreds of others in between", () => {
  const { admission: sights } = responseCache(100_000);
  const fingerprints = Array.from({ length: 400 }, (_, n) => fingerprint(n));
  const tooEarly = fingerprints.filter((each) => sights.seen(each)).length;
  assert.ok(tooEarly <= 4, `${tooEarly} of 400 were taken for seen at their first sight`);
  const forgotten = fingerprints.filter((each) => !sights.seen(each)).length;
  assert.ok(forgotten <= 40, `${forgotten} of 400 were forgotten`);
});

test("the admission filter forgets a request after many thousands of others", () => {
  const { admission: sights } = responseCache(100_000);
  const fingerprints = Array.from({ length: 20_000 }, (_, n) => fingerprint(n));
  for (const each of fingerprints) sights.seen(each);
  const seen = fingerprints.filter((each) => sights.seen(each)).length;
  assert.ok(seen <= 200, `${seen} of 20,000 were remembered`);
});

test("the admission filter recognizes two alternating requests, wherever they are recorded", () => {
  const { admission: sights } = responseCache(100_000);
  for (let n = 0; n < 20_000; n += 2) {
    const [one, other] = [fingerprint(n), fingerprint(n + 1)];
    sights.seen(one);
    sights.seen(other);
    assert.deepEqual([sights.seen(one), sights.seen(other)], [true, true]);
  }
});
