// Key terms: valid ones round-trip, and every error is reported.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { defaultTerms } from "../../src/core/access/terms.ts";
import { generateKey } from "../../src/keys/key.ts";
import { availableTerms, formatTerms, parseTerms, termConflicts } from "../../src/keys/terms.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { runs } from "../support/budget.ts";
import { seed } from "../support/records/records.ts";

const offer = availableTerms(catalog);

const good = fc.record(
  {
    owner: fc.string({ maxLength: 100 }).map((text) => text.replaceAll(/\p{Cc}/gu, "").trim()),
    scopes: fc.subarray(["read", "write", "replicate", "admin"], { minLength: 1 }),
    licenses: fc.subarray(["cusip"]),
    resources: fc.subarray([...offer.resources]),
    history: fc.constantFrom("", "2020-02-29", "1d", "365d", "36500d"),
    delay_minutes: fc.integer({ min: 0, max: 525_600 }),
    rate: fc.oneof(fc.constant(0), fc.double({ min: 0.0001, max: 100_000, noNaN: true })),
    burst: fc.integer({ min: 0, max: 1_000_000 }),
    quota: fc.integer({ min: 0, max: 1_000_000_000_000 }),
    quota_per: fc.constantFrom("day", "month"),
    expires: fc.constantFrom("", "2099-12-31"),
    origins: fc.subarray(["https://example.com", "http://localhost:3000"]),
    networks: fc.subarray(["192.0.2.0/24", "2001:db8::/32", "198.51.100.7"]),
  },
  { requiredKeys: [] },
);

describe("key terms", () => {
  test("are parsed if valid, and formatted under the same names", () => {
    fc.assert(
      fc.property(good, (input) => {
        const { terms, errors } = parseTerms(input, offer);
        assert.deepEqual(errors, []);
        assert.deepEqual(formatTerms({ ...defaultTerms, ...terms }, offer), {
          ...formatTerms(defaultTerms, offer),
          ...input,
        });
      }),
      { seed, numRuns: runs(60, 300) },
    );
  });

  test("of any shape are parsed or reported as errors, each by name, and no key is echoed", () => {
    const names = Object.keys(formatTerms(defaultTerms, offer));
    const key = generateKey();
    const value = fc.oneof(fc.anything(), fc.constant(key), fc.constant([key]), fc.constant({ [key]: key }));
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string(), fc.constant(key)), value), (input) => {
        const { terms, errors } = parseTerms(input, offer);
        assert.equal(Object.keys(terms).length + errors.length, Object.keys(input).length);
        assert.ok(!JSON.stringify(errors).includes(key.slice(3, 12)), "a key was disclosed");
      }),
      { seed, numRuns: runs(100, 500) },
    );
  });

  test("are reported with the value received and what was expected if invalid", () => {
    for (const [name, input, shown, expected] of [
      ["scopes", [], "", "read, write, replicate, bulk, links, admin"],
      ["scopes", ["read", "all"], "all", "read, write, replicate, bulk, links, admin"],
      ["resources", "news", "news", /^a list of at most 100: news, ratings/],
      ["history", "2026-02-30", "2026-02-30", "a day as YYYY-MM-DD, or a number of days such as 365d"],
      ["history", "0d", "0d", /365d/],
      ["delay_minutes", "15", "15", "a whole number from 0 to 525600"],
      ["delay_minutes", 1.5, "1.5", /whole/],
      ["rate", -1, "-1", "a number from 0.0001 to 100000, or 0"],
      ["quota_per", "week", "week", "day or month"],
      ["origins", ["https://example.com/"], "https://example.com/", "an origin such as https://example.com"],
      ["origins", ["example.com"], "example.com", /origin/],
      ["networks", ["10.0.0.0/33"], "10.0.0.0/33", "a network such as 192.0.2.0/24 or 2001:db8::/32"],
      ["owner", "x".repeat(501), `${"x".repeat(200)}…`, /500/],
      ["colour", "red", "red", /^one of owner, scopes/],
      ["__proto__", 1, "1", /^one of owner/],
    ] as const) {
      const { errors } = parseTerms(Object.fromEntries([[name, input]]), offer);
      const [error] = errors;
      assert.deepEqual([errors.length, error?.parameter, error?.given], [1, name, shown]);
      if (typeof expected === "string") assert.equal(error?.expected, expected);
      else assert.match(error?.expected ?? "", expected);
    }
  });

  test("are reported if they contradict each other", () => {
    const of = (terms: object) => termConflicts({ ...defaultTerms, ...terms }).map(({ parameter }) => parameter);
    assert.deepEqual(of({}), []);
    assert.deepEqual(of({ history: "365d", delay: 15, rate: 1, burst: 5 }), []);
    assert.deepEqual(of({ scopes: ["read", "replicate"], history: "365d", delay: 15 }), ["history", "delay_minutes"]);
    assert.deepEqual(of({ burst: 5 }), ["burst"]);
  });
});
