// How the page finds in a text what the server's search has found: words and phrases, folded alike.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { tokenize } from "../../../src/core/text/tokenize.ts";
import { isFound, passage, phrasesOf, pieces } from "../../../web/format/marks.ts";
import { wireTime } from "../../../web/format/wire-time.ts";
import "../../support/budget.ts";

const marked = (text: string, topics: string): string =>
  pieces(text, phrasesOf(topics))
    .map(({ text: piece, hit }) => (hit ? `[${piece}]` : piece))
    .join("");

test("whole words are marked, in any case and without regard to accents, and parts of words are not", () => {
  assert.equal(marked("Apple buys a café, not a pineapple", "APPLE,cafe"), "[Apple] buys a [café], not a pineapple");
  assert.equal(marked("Straße, COVID-19 & Veklury™", "strasse,covid 19,veklury"), "[Straße], [COVID-19] & [Veklury]™");
});

test("a phrase is marked as one, where all of its words follow each other", () => {
  assert.equal(
    marked("The earnings call; earnings, call. call earnings", "earnings call"),
    "The [earnings call]; [earnings, call]. call earnings",
  );
});

test("matches that overlap are marked once", () => {
  assert.equal(marked("new york city", "new york,york city"), "[new york][ city]");
});

test("pieces joined are the text, and something is marked exactly where the words are found", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 });
  fc.assert(
    fc.property(text, text, (body, topic) => {
      const phrases = phrasesOf(topic);
      const made = pieces(body, phrases);
      assert.equal(made.map((piece) => piece.text).join(""), body);
      assert.equal(
        made.some(({ hit }) => hit),
        isFound(body, phrases),
      );
    }),
  );
  fc.assert(
    fc.property(fc.lorem({ maxCount: 30 }), fc.nat(29), (body, at) => {
      const word = tokenize(body)[at];
      fc.pre(word !== undefined);
      assert.ok(isFound(body, phrasesOf(word ?? "")));
    }),
  );
});

test("a passage shows the first match with some text around it, cut between words", () => {
  const body = `${"Before it all. ".repeat(20)}Then the merger was announced. ${"After it all. ".repeat(20)}`;
  const shown = passage(body, phrasesOf("merger")) ?? assert.fail("nothing was found");
  assert.match(shown, /^… .*Then the merger was announced\..* …$/);
  assert.ok(shown.length < 200);
  assert.equal(passage("The  merger\nis on.", phrasesOf("merger")), "The merger is on.");
  assert.equal(passage(body, phrasesOf("dividend")), undefined);
});

test("day and time of news are read from the printed text, in the service's zone", () => {
  assert.deepEqual(wireTime("Sun, 15 Nov 2026 05:02:53 -0500"), { day: "2026-11-15", clock: "05:02" });
  assert.deepEqual(wireTime("yesterday"), { day: "", clock: "" });
});
