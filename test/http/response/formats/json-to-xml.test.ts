// Values as XML that don't occur in news: other types, nested lists, text of only escaped characters.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { Json } from "../../../../src/core/record/row.ts";
import { contentOf } from "../../../../src/http/response/buffer-pool.ts";
import { xmlPage } from "../../../../src/http/response/formats/json-to-xml.ts";
import { escapeXml } from "../../../../src/http/response/formats/xml-escape.ts";
import { runs } from "../../../support/budget.ts";
import { codePoint } from "../../../support/records/code-points.ts";

/** The XML of a page, which is the same from text and from bytes. */
function pageOf(json: string): string {
  const page = contentOf(xmlPage(json)).toString();
  assert.equal(contentOf(xmlPage(new TextEncoder().encode(json))).toString(), page);
  return page;
}

const xmlOf = (...records: readonly Json[]): string =>
  pageOf(records.map((record) => JSON.stringify(record)).join(","));

test("numbers and booleans are written as in JSON, and an unknown value as nothing", () => {
  assert.equal(
    xmlOf({ a: 0, b: -1.5, c: true, d: false, e: null, f: "" }),
    '<result is_array="true"><item><a>0</a><b>-1.5</b><c>true</c><d>false</d><e></e><f></f></item></result>',
  );
  assert.equal(xmlOf(), '<result is_array="true"></result>');
});

test("lists of lists and lists of plain values become lists of items", () => {
  assert.equal(
    xmlOf(["x", 1], []),
    '<result is_array="true"><item is_array="true"><item>x</item><item>1</item></item><item is_array="true"></item></result>',
  );
});

test("the five markup characters are written as entities, and a carriage return as a reference", () => {
  assert.equal(escapeXml(`&<>"'`), "&amp;&lt;&gt;&quot;&apos;");
  assert.equal(escapeXml("a\r\nb\rc\t"), "a&#13;\nb&#13;c\t");
  assert.equal(escapeXml("&amp;"), "&amp;amp;");
});

test("an unpaired surrogate is removed, a pair is preserved", () => {
  assert.equal(escapeXml("a\uD83Db\uDE00c"), "abc");
  assert.equal(escapeXml("\u{1F600}"), "\u{1F600}");
});

/** XML generated from values instead of their JSON. */
function element(name: string, value: Json): string {
  if (Array.isArray(value)) {
    return `<${name} is_array="true">${value.map((item: Json) => element("item", item)).join("")}</${name}>`;
  }
  const isObject = typeof value === "object" && value !== null;
  const members = isObject && Object.entries(value).map(([member, each]) => element(member, each));
  return `<${name}>${members === false ? escapeXml(String(value ?? "")) : members.join("")}</${name}>`;
}

// Element names are field names.
const name = fc.constantFrom("a", "name", "created", "teaser_of_the_item", "x1");
const text = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 60 }),
  // Including lone surrogates, and characters whose bytes start like forbidden ones.
  fc.string({
    unit: fc.constantFrom(..."ab#^|~ \\\"'&<>\r\n\t\b\f\0\uFFFE\uFFFF\uFFFD\uFEFF\uFF21\uD83D\uDE00"),
    maxLength: 60,
  }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

test("the XML of any records is the same from their JSON and from their values", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), (records) => {
      // Minus zero is written as zero.
      const read = JSON.parse(JSON.stringify(records)) as Json[];
      assert.equal(xmlOf(...read), element("result", read));
    }),
    { numRuns: runs(200, 2000) },
  );
});

test("escapes that this service never writes are accepted", () => {
  const record = '{"a":"\\u003c\\u0041\\/\\ud83d\\ude00\\ud83d\\u0041\\ude00\\u00e9\\u0001\\u000d\\uffff"}';
  assert.equal(pageOf(record), element("result", [JSON.parse(record) as Json]));
});

test("pages larger than any before, with every character escaped, are written in full", () => {
  const records = Array.from({ length: 3 }, (_, place) => ({
    place,
    a: "<'\">&".repeat(60_000),
    b: "é".repeat(5000),
  }));
  const expected = element("result", records);
  assert.equal(xmlOf(...records), expected);
  assert.equal(xmlOf({ a: 1 }), element("result", [{ a: 1 }]));
  assert.equal(xmlOf(...records), expected);
});

test("malformed JSON is rejected instead of looping", () => {
  assert.throws(() => xmlPage('{"a":"b'), /unterminated string/);
  assert.throws(() => xmlPage('{"a":1,"b":[tru'), /JSON of a page/);
  assert.throws(() => xmlPage('{"a":1,"b'), /unterminated name/);
  assert.throws(() => xmlPage('{"a":1,"b":['), /JSON of a page/);
});

test("any text yields a well-formed document that parses to the text that XML allows", () => {
  // Long texts of every kind of character, none of which the parser would trim or convert to a number.
  const long = fc.string({ unit: codePoint, maxLength: 200 });
  const parser = new XMLParser({ parseTagValue: false, trimValues: false, htmlEntities: true });
  fc.assert(
    fc.property(long, (input) => {
      const document = xmlOf({ t: `<${input}>` });
      assert.equal(XMLValidator.validate(document), true);
      const allowed = Array.from(input).filter((character) =>
        /[\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(character),
      );
      assert.equal(parser.parse(document).result.item.t, `<${allowed.join("")}>`);
    }),
  );
});
