// Words of a text, as matched by topics.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { tokenize } from "../../../src/core/text/tokenize.ts";
import { runs } from "../../support/budget.ts";

// Any code point, including lone surrogates, and those that are normalized in an unusual way.
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0x10ffff }).map((codePoint) => String.fromCodePoint(codePoint)),
      fc.integer({ min: 0, max: 0x2fff }).map((codePoint) => String.fromCodePoint(codePoint)),
      fc.constantFrom("Σ", "İ", "ı", "ß", "ẞ", "Ǽ", "ǿ", "ﬁ", "½", "Å", "\u0301", "각", "™", ".", " ", "A", "9"),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

test("a word is a run of letters and digits; everything else separates words", () => {
  assert.deepEqual(tokenize("COVID-19"), ["covid", "19"]);
  assert.deepEqual(tokenize("up 3.5%"), ["up", "3", "5"]);
  assert.deepEqual(tokenize("S&P 500"), ["s", "p", "500"]);
  assert.deepEqual(tokenize("Q3FY25_results"), ["q3fy25", "results"]);
  assert.deepEqual(tokenize("https://example.com/a?b=1"), ["https", "example", "com", "a", "b", "1"]);
  assert.deepEqual(tokenize("Apple’s “best” year—yet…"), ["apple", "s", "best", "year", "yet"]);
  assert.deepEqual(tokenize("a\0b\u00a0c"), ["a", "b", "c"]);
});

test("a text without letters or digits has no words", () => {
  for (const text of ["", " ", "*", "$&%", "\u0301", "—", "\ud800", "👍"]) assert.deepEqual(tokenize(text), []);
});

test("accents and case are ignored", () => {
  assert.deepEqual(tokenize("Café CAFE\u0301 café"), ["cafe", "cafe", "cafe"]);
  assert.deepEqual(tokenize("Zürich Škoda Đặng İstanbul"), ["zurich", "skoda", "dang", "istanbul"]);
});

test("letters that Unicode doesn't decompose are spelled out", () => {
  assert.deepEqual(tokenize("Ørsted Łódź Straße STRASSE Æon Œuvre"), [
    "orsted",
    "lodz",
    "strasse",
    "strasse",
    "aeon",
    "oeuvre",
  ]);
  assert.deepEqual(tokenize("Đ Ð Þ ı Ǿ Ǽ ẞ"), ["d", "d", "th", "i", "o", "ae", "ss"]);
});

test("a sigma is the same at the end of a word as inside it", () => {
  assert.deepEqual(tokenize("ΤΡΑΠΕΖΑΣ"), tokenize("τραπεζασ"));
});

test("letters and digits of other scripts are words, and wide or joined forms are equal to the plain ones", () => {
  assert.deepEqual(tokenize("トヨタ自動車 Сбербанк"), ["トヨタ自動車", "сбербанк"]);
  assert.deepEqual(tokenize("ＡＰＰＬＥ ﬁnance CO₂"), ["apple", "finance", "co2"]);
});

test("a trademark sign is not part of the name before it", () => {
  assert.deepEqual(tokenize("Veklury™ iPhone® Visa℠"), ["veklury", "iphone", "visa"]);
});

test("entities are left to the HTML parser", () => {
  assert.deepEqual(tokenize("AT&amp;T"), ["at", "amp", "t"]);
});

test("tokenizing words again yields the same words", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = tokenize(text);
      assert.deepEqual(tokenize(once.join(" ")), once);
    }),
    { numRuns: runs(300, 3000) },
  );
});

test("every word is lowercase letters and digits without marks", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const word of tokenize(text)) {
        assert.match(word, /^[\p{L}\p{N}]+$/u);
        assert.equal(word, word.toLowerCase().normalize("NFKD"));
      }
    }),
    { numRuns: runs(100, 1000) },
  );
});

test("the fast path for plain English yields the same words as the general one", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 127 })).map((codes) => String.fromCharCode(...codes)),
      (text) => {
        assert.deepEqual(tokenize(`${text} é`), [...tokenize(text), "e"]);
      },
    ),
    { numRuns: runs(100, 1000) },
  );
});
