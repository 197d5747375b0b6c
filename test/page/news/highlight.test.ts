// Highlighting of search matches, with the server's tokenizer.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { tokenize } from "../../../src/core/text/tokenize.ts";
import { excerpt, fragmentsOf, hasMatch, phrasesOf } from "../../../web/format/marks.ts";
import "../../support/budget.ts";

const marked = (text: string, topics: string): string =>
  fragmentsOf(text, phrasesOf(topics))
    .map(({ text: fragment, isMatch }) => (isMatch ? `[${fragment}]` : fragment))
    .join("");

test("highlights whole words, ignoring case and accents", () => {
  assert.equal(marked("Apple buys a café, not a pineapple", "APPLE,cafe"), "[Apple] buys a [café], not a pineapple");
  assert.equal(marked("Straße, COVID-19 & Veklury™", "strasse,covid 19,veklury"), "[Straße], [COVID-19] & [Veklury]™");
});

test("highlights phrases of consecutive words as one match", () => {
  assert.equal(
    marked("The earnings call; earnings, call. call earnings", "earnings call"),
    "The [earnings call]; [earnings, call]. call earnings",
  );
});

test("highlights overlapping matches once", () => {
  assert.equal(marked("new york city", "new york,york city"), "[new york][ city]");
});

test("fragments joined are the text, with a match exactly if the words are found", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 });
  fc.assert(
    fc.property(text, text, (body, topic) => {
      const phrases = phrasesOf(topic);
      const fragments = fragmentsOf(body, phrases);
      assert.equal(fragments.map((fragment) => fragment.text).join(""), body);
      assert.equal(
        fragments.some(({ isMatch }) => isMatch),
        hasMatch(body, phrases),
      );
    }),
  );
  fc.assert(
    fc.property(fc.lorem({ maxCount: 30 }), fc.nat(29), (body, at) => {
      const word = tokenize(body)[at];
      fc.pre(word !== undefined);
      assert.ok(hasMatch(body, phrasesOf(word ?? "")));
    }),
  );
});

test("an excerpt contains the first match with some context, cut between words", () => {
  const body = `${"Before it all. ".repeat(20)}Then the merger was announced. ${"After it all. ".repeat(20)}`;
  const shown = excerpt(body, phrasesOf("merger")) ?? assert.fail("nothing was found");
  assert.match(shown, /^… .*Then the merger was announced\..* …$/);
  assert.ok(shown.length < 200);
  assert.equal(excerpt("The  merger\nis on.", phrasesOf("merger")), "The merger is on.");
  assert.equal(excerpt(body, phrasesOf("dividend")), undefined);
});
