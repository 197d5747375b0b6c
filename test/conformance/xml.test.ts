// The strict parser of `bellwire check`: whatever a server sends as XML is a document or an error, never a crash.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseXml } from "../../src/conformance/xml.ts";

describe("XML of a server under check", () => {
  test("has the five entities and references to characters", () => {
    const parsed = parseXml("<a>&amp;&lt;&gt;&quot;&apos;&#65;&#x42;&#13;&#x1F600;</a>");
    assert.deepEqual(parsed, { root: { name: "a", text: "&<>\"'AB\r😀", children: [] } });
  });

  test("isn't well-formed with an unknown entity, or a character that doesn't exist or is forbidden", () => {
    const wrong = ["&nbsp;", "&toString;", "&", "&#;", "&#0;", "&#x8;", "&#xD800;", "&#xFFFF;", "&#x110000;"];
    for (const each of [...wrong, `&#${"9".repeat(400)};`]) {
      const parsed = parseXml(`<a>${each}</a>`);
      assert.ok("error" in parsed && /is not an entity$/.test(parsed.error), each);
      assert.equal(parsed.at, 3);
    }
  });
});
