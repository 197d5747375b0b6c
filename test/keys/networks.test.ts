// Whether an address is in a network, by arithmetic on its bits.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { isNetwork, networkMatcher } from "../../src/keys/networks.ts";
import { runs } from "../support/budget.ts";
import { seed } from "../support/records/records.ts";

const bytes = (count: number) => fc.uint8Array({ minLength: count, maxLength: count });
const printed4 = (address: Uint8Array): string => address.join(".");
const printed6 = (address: Uint8Array): string =>
  Array.from({ length: 8 }, (_, index) =>
    (((address[2 * index] ?? 0) << 8) | (address[2 * index + 1] ?? 0)).toString(16),
  ).join(":");

const bits = (address: Uint8Array): string => Array.from(address, (byte) => byte.toString(2).padStart(8, "0")).join("");

/** The network's own address with some of its last bits flipped. */
const flipped = (address: Uint8Array, from: number): Uint8Array =>
  address.map((byte, index) => {
    const first = Math.max(0, Math.min(8, from - index * 8));
    return byte ^ (0xff >> first);
  });

describe("networks", () => {
  for (const [name, count, print] of [
    ["IPv4", 4, printed4],
    ["IPv6", 16, printed6],
  ] as const) {
    test(`of ${name} contain exactly the addresses with the same prefix`, () => {
      fc.assert(
        fc.property(bytes(count), fc.nat({ max: count * 8 }), bytes(count), (network, length, other) => {
          const isIn = networkMatcher([`${print(network)}/${length}`]);
          assert.equal(isIn(print(network)), true);
          assert.equal(isIn(print(flipped(network, length))), true);
          assert.equal(isIn(print(other)), bits(other).slice(0, length) === bits(network).slice(0, length));
        }),
        { seed, numRuns: runs(60, 300) },
      );
    });
  }

  test("never contain an address of the other family, except for IPv4 over an IPv6 socket", () => {
    assert.equal(networkMatcher(["0.0.0.0/0"])("2001:db8::1"), false);
    assert.equal(networkMatcher(["::/0"])("192.0.2.1"), false);
    assert.equal(networkMatcher(["192.0.2.0/24"])("::ffff:192.0.2.7"), true);
    assert.equal(networkMatcher(["192.0.2.0/24"])("::FFFF:192.0.3.7"), false);
    assert.equal(networkMatcher(["fe80::/10"])("fe80::1%eth0"), true);
    assert.equal(networkMatcher(["192.0.2.1"])("192.0.2.1"), true);
    for (const address of ["", "unknown", "192.0.2.1.1", "a::b::c"])
      assert.equal(networkMatcher(["0.0.0.0/0"])(address), false);
  });

  test("are distinguished from anything that isn't a network", () => {
    for (const good of ["192.0.2.0/24", "192.0.2.1", "0.0.0.0/0", "::/0", "2001:db8::/32", "::1"])
      assert.equal(isNetwork(good), true, good);
    for (const bad of [
      "",
      "192.0.2.0/33",
      "192.0.2/24",
      "2001:db8::/129",
      "/8",
      "10.0.0.0/",
      "a",
      "::1%lo",
      "10.0.0.0/-1",
    ])
      assert.equal(isNetwork(bad), false, bad);
  });
});
