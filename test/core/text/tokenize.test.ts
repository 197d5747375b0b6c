// Words of a text, as topics are looked for.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { words } from "../../../src/core/text/tokenize.ts";
import { runs } from "../../support/budget.ts";

// Any code point, lone surrogates among them, and those that fold in an unusual way.
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

test("a word is a run of letters and digits; everything else separates", () => {
  assert.deepEqual(words("COVID-19"), ["covid", "19"]);
  assert.deepEqual(words("up 3.5%"), ["up", "3", "5"]);
  assert.deepEqual(words("S&P 500"), ["s", "p", "500"]);
  assert.deepEqual(words("Q3FY25_results"), ["q3fy25", "results"]);
  assert.deepEqual(words("https://example.com/a?b=1"), ["https", "example", "com", "a", "b", "1"]);
  assert.deepEqual(words("Apple’s “best” year—yet…"), ["apple", "s", "best", "year", "yet"]);
  assert.deepEqual(words("a\0b\u00a0c"), ["a", "b", "c"]);
});

test("a text with no letter or digit has no words", () => {
  for (const text of ["", " ", "*", "$&%", "\u0301", "—", "\ud800", "👍"]) assert.deepEqual(words(text), []);
});

test("accents and case do not matter", () => {
  assert.deepEqual(words("Café CAFE\u0301 café"), ["cafe", "cafe", "cafe"]);
  assert.deepEqual(words("Zürich Škoda Đặng İstanbul"), ["zurich", "skoda", "dang", "istanbul"]);
});

test("letters that Unicode does not take apart are spelled out", () => {
  assert.deepEqual(words("Ørsted Łódź Straße STRASSE Æon Œuvre"), [
    "orsted",
    "lodz",
    "strasse",
    "strasse",
    "aeon",
    "oeuvre",
  ]);
  assert.deepEqual(words("Đ Ð Þ ı Ǿ Ǽ ẞ"), ["d", "d", "th", "i", "o", "ae", "ss"]);
});

test("a sigma is the same at the end of a word as inside it", () => {
  assert.deepEqual(words("ΤΡΑΠΕΖΑΣ"), words("τραπεζασ"));
});

test("letters and digits of other scripts are words, and wide or joined forms are the plain ones", () => {
  assert.deepEqual(words("トヨタ自動車 Сбербанк"), ["トヨタ自動車", "сбербанк"]);
  assert.deepEqual(words("ＡＰＰＬＥ ﬁnance CO₂"), ["apple", "finance", "co2"]);
});

test("a trademark sign is not part of the name before it", () => {
  assert.deepEqual(words("Veklury™ iPhone® Visa℠"), ["veklury", "iphone", "visa"]);
});

test("entities are left to the reader of markup", () => {
  assert.deepEqual(words("AT&amp;T"), ["at", "amp", "t"]);
});

test("reading words again gives the same words", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = words(text);
      assert.deepEqual(words(once.join(" ")), once);
    }),
    { numRuns: runs(300, 3000) },
  );
});

test("every word is letters and digits in lower case without marks", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const word of words(text)) {
        assert.match(word, /^[\p{L}\p{N}]+$/u);
        assert.equal(word, word.toLowerCase().normalize("NFKD"));
      }
    }),
    { numRuns: runs(100, 1000) },
  );
});

test("the quick way for plain English reads as the long way does", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 127 })).map((codes) => String.fromCharCode(...codes)),
      (text) => {
        assert.deepEqual(words(`${text} é`), [...words(text), "e"]);
      },
    ),
    { numRuns: runs(100, 1000) },
  );
});
