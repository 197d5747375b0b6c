// Brute-force guard: a number of invalid tokens per address and minute, in bounded memory.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { maxAddresses, wrongTokenCounter } from "../../src/limits/brute-force.ts";
import "../support/budget.ts";

describe("the brute-force guard", () => {
  test("lets the configured number of invalid tokens per minute through, at most twice that in any minute", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.double({ min: 0, max: 30, noNaN: true }), { maxLength: 300 }),
        (perMinute, pauses) => {
          let now = 0;
          const counted = wrongTokenCounter(perMinute, () => now);
          const through: number[] = [];
          for (const pause of pauses) {
            now += pause;
            const wait = counted.wait("192.0.2.1");
            assert.equal(counted.count("192.0.2.1"), wait);
            if (wait === 0) through.push(now);
          }
          for (const from of through) {
            const within = through.filter((at) => at >= from && at < from + 60).length;
            assert.ok(within <= 2 * perMinute, `${within} in a minute`);
          }
        },
      ),
    );
  });

  test("reports a wait that is long enough", () => {
    let now = 0;
    const counted = wrongTokenCounter(3, () => now);
    for (let index = 0; index < 3; index++) assert.equal(counted.count("a"), 0);
    const wait = counted.count("a");
    assert.equal(wait, 20);
    for (let index = 0; index < 100; index++) counted.count("a");
    now += wait;
    assert.equal(counted.count("a"), 0);
    assert.equal(counted.count("a"), 20);
  });

  test("treats an IPv6 /64 network as one address, and an IPv4 address the same in either form", () => {
    const counted = wrongTokenCounter(1, () => 0);
    assert.equal(counted.count("2001:db8:1:2::1"), 0);
    assert.ok(counted.count("2001:db8:1:2:ffff:ffff:ffff:ffff") > 0);
    assert.equal(counted.count("2001:db8:1:3::1"), 0);
    assert.equal(counted.count("192.0.2.1"), 0);
    assert.ok(counted.count("::ffff:192.0.2.1") > 0);
    assert.equal(counted.count("192.0.2.2"), 0);
  });

  test("uses bounded memory for many addresses, and still remembers a persistent one", () => {
    const counted = wrongTokenCounter(1, () => 0);
    for (let index = 0; index < 5 * maxAddresses; index++) {
      counted.count(`10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`);
      if (index % 1000 === 0) counted.count("192.0.2.1");
    }
    assert.equal(counted.size, maxAddresses);
    assert.ok(counted.wait("192.0.2.1") > 0);
  });

  test("rejects nothing if the number is unlimited", () => {
    const counted = wrongTokenCounter(0, () => 0);
    for (let index = 0; index < 1000; index++) assert.equal(counted.count("a"), 0);
    assert.equal(counted.size, 0);
  });
});
