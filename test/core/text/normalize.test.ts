// How names and symbols are compared: ignoring case, whitespace, and accents.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { normalizeName, normalizeRating, normalizeSymbol } from "../../../src/core/text/normalize.ts";
import { runs } from "../../support/budget.ts";

test("names are compared ignoring case and the amount of whitespace", () => {
  assert.equal(normalizeName("  Central \t\n BANKS "), "central banks");
  assert.equal(normalizeName("M&A"), "m&a");
  assert.equal(normalizeName("Econ #s"), "econ #s");
  assert.equal(normalizeName(" "), "");
});

test("a name is the same whether its accents are composed or not", () => {
  assert.equal(normalizeName("Café"), normalizeName("CAFE\u0301"));
  assert.notEqual(normalizeName("Café"), normalizeName("Cafe"));
  assert.equal(normalizeName("J\u030c"), "\u01f0");
});

test("tickers and other symbols are compared in uppercase, including punctuation", () => {
  assert.equal(normalizeSymbol(" brk.b "), "BRK.B");
  assert.equal(normalizeSymbol("brk/b"), "BRK/B");
  assert.equal(normalizeSymbol("$btc"), "$BTC");
});

test("rating terms are compared ignoring case, hyphens, and blanks", () => {
  for (const term of ["Equal-Weight", "equal weight", "EQUALWEIGHT", " Equal \u2011 Weight ", "Equal\u2013weight"])
    assert.equal(normalizeRating(term), "equalweight");
  assert.equal(normalizeRating("In-Line"), normalizeRating("inline"));
  assert.notEqual(normalizeRating("Market/Perform"), normalizeRating("Market Perform"));
});

const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }))
  .map((codePoints) => String.fromCodePoint(...codePoints));

test("normalizing twice changes nothing", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const fold of [normalizeName, normalizeSymbol, normalizeRating]) assert.equal(fold(fold(text)), fold(text));
    }),
    { numRuns: runs(200, 2000) },
  );
});
