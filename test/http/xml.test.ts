// Values as XML, where no news item goes: other types, deep lists, text that is nothing but what must be escaped.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { escapeXml, xmlList } from "../../src/http/xml.ts";

test("numbers and booleans are written as JSON writes them, and an unknown value as nothing", () => {
  assert.equal(
    xmlList("result", [{ a: 0, b: -1.5, c: true, d: false, e: null, f: "" }]),
    '<result is_array="true"><item><a>0</a><b>-1.5</b><c>true</c><d>false</d><e></e><f></f></item></result>',
  );
});

test("lists of lists and lists of plain values are lists of items", () => {
  assert.equal(
    xmlList("result", [["x", 1], []]),
    '<result is_array="true"><item is_array="true"><item>x</item><item>1</item></item><item is_array="true"></item></result>',
  );
});

test("the five characters of markup are written as entities, and a carriage return as a reference", () => {
  assert.equal(escapeXml(`&<>"'`), "&amp;&lt;&gt;&quot;&apos;");
  assert.equal(escapeXml("a\r\nb\rc\t"), "a&#13;\nb&#13;c\t");
  assert.equal(escapeXml("&amp;"), "&amp;amp;");
});

test("half a surrogate pair is removed, a whole one is kept", () => {
  assert.equal(escapeXml("a\uD83Db\uDE00c"), "abc");
  assert.equal(escapeXml("\u{1F600}"), "\u{1F600}");
});

test("any text at all gives a well-formed document that reads back as the text that XML allows", () => {
  // Long texts of every kind of character, none of which the parser would trim or take for a number.
  const text = fc.string({ unit: "binary", maxLength: 200 });
  const parser = new XMLParser({ parseTagValue: false, trimValues: false, htmlEntities: true });
  fc.assert(
    fc.property(text, (given) => {
      const document = xmlList("result", [{ t: `<${given}>` }]);
      assert.equal(XMLValidator.validate(document), true);
      const allowed = Array.from(given).filter((character) =>
        /[\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(character),
      );
      assert.equal(parser.parse(document).result.item.t, `<${allowed.join("")}>`);
    }),
  );
});
