// News as XML: the layout, literal and parsed, and characters that XML 1.0 doesn't allow.
import assert from "node:assert/strict";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { type ReadApi, readingEveryStore } from "../../support/stores/every-store.ts";

const whole = {
  id: 41_234_567,
  author: "Dana Whitlock",
  body: "<p>Profit &amp; loss</p>",
  channels: [{ name: "M&A", id: 3 }, { name: "Earnings" }],
  created: 1_730_817_000,
  updated: 1_730_817_060,
  image: [{ size: "thumb", url: "https://example.com/i.png?a=1&b=2" }],
  original_id: 41_234_500,
  stocks: [{ name: "BRK.B", exchange: "NYSE", primary: true }, { name: "AAPL" }],
  tags: [{ name: "<AI>" }],
  teaser: "First",
  title: 'It\'s "big"',
  url: "https://example.com/news/1",
  importance: "high",
  content_type: "story",
  regions: ["USA"],
};

const asXml = async (api: ReadApi, url: string): Promise<string> => {
  const found = await api.fetch(url, { accept: "application/xml" });
  assert.equal(found.status, 200, found.text);
  assert.equal(found.headers["content-type"], "application/xml; charset=utf-8");
  assert.equal(XMLValidator.validate(found.text), true);
  return found.text;
};

/** The text of one field of the only item, as an XML parser returns it. */
async function fieldAsRead(api: ReadApi, field: string): Promise<string> {
  const text = await asXml(api, "/api/v2/news?displayOutput=full");
  const parser = new XMLParser({ parseTagValue: false, trimValues: false, htmlEntities: true });
  return parser.parse(text).result.item[field];
}

readingEveryStore("news as XML", (test) => {
  test("has one child element per field, and lists as items, in the order of the interface", async (api) => {
    await api.has("news", [whole]);
    assert.equal(
      await asXml(api, "/api/v2/news?displayOutput=full"),
      '<result is_array="true"><item>' +
        "<author>Dana Whitlock</author>" +
        "<body>&lt;p&gt;Profit &amp;amp; loss&lt;/p&gt;</body>" +
        '<channels is_array="true"><item><name>M&amp;A</name></item><item><name>Earnings</name></item></channels>' +
        "<created>Tue, 05 Nov 2024 09:30:00 -0500</created>" +
        "<id>41234567</id>" +
        '<image is_array="true"><item><size>thumb</size><url>https://example.com/i.png?a=1&amp;b=2</url></item></image>' +
        "<original_id>41234500</original_id>" +
        '<stocks is_array="true"><item><exchange>NYSE</exchange><name>BRK.B</name></item><item><name>AAPL</name></item></stocks>' +
        '<tags is_array="true"><item><name>&lt;AI&gt;</name></item></tags>' +
        "<teaser>First</teaser>" +
        "<title>It&apos;s &quot;big&quot;</title>" +
        "<updated>Tue, 05 Nov 2024 09:31:00 -0500</updated>" +
        "<url>https://example.com/news/1</url>" +
        "</item></result>",
    );
  });

  test("is equivalent to the JSON when parsed", async (api) => {
    await api.has("news", [whole, { id: 2, created: 1_700_000_000 }]);
    for (const query of ["", "?displayOutput=abstract", "?displayOutput=full", "?displayOutput=full&format=text"]) {
      const parser = new XMLParser({
        parseTagValue: false,
        trimValues: false,
        isArray: (_name, path) => /(^|\.)item$/.test(String(path)),
      });
      const { result } = parser.parse(await asXml(api, `/api/v2/news${query}`));
      const read = result.item.map((item: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries(item).map(([name, value]) => [
            name,
            ["channels", "image", "stocks", "tags"].includes(name) ? ((value as { item?: unknown }).item ?? []) : value,
          ]),
        ),
      );
      const shown = (await api.get(`/api/v2/news${query}`)).map((item: Record<string, unknown>) => ({
        ...item,
        id: String(item.id),
        ...(item.original_id === undefined ? {} : { original_id: String(item.original_id) }),
      }));
      assert.deepEqual(read, shown, query);
    }
  });

  test("is an empty list if there are no items, and empty fields are empty elements", async (api) => {
    assert.equal(await asXml(api, "/api/v2/news"), '<result is_array="true"></result>');
    await api.has("news", [{ id: 1, title: "t", created: 0 }]);
    assert.equal(
      await asXml(api, "/api/v2/news"),
      '<result is_array="true"><item><author></author><body></body><channels is_array="true"></channels><created>Wed, 31 Dec 1969 19:00:00 -0500</created><id>1</id><image is_array="true"></image><stocks is_array="true"></stocks><tags is_array="true"></tags><teaser></teaser><title>t</title><updated>Wed, 31 Dec 1969 19:00:00 -0500</updated><url></url></item></result>',
    );
  });

  test("follows the request: pages, order, filters, and text bodies", async (api) => {
    await api.has("news", [
      { ...whole, id: 1 },
      { ...whole, id: 2 },
      { ...whole, id: 3, stocks: [] },
    ]);
    const ids = async (query: string) =>
      [...(await asXml(api, `/api/v2/news?${query}`)).matchAll(/<id>(\d+)<\/id>/g)].map((match) => match[1]);
    assert.deepEqual(await ids("sort=id:asc&pageSize=2"), ["1", "2"]);
    assert.deepEqual(await ids("sort=id:asc&pageSize=2&page=1"), ["3"]);
    assert.deepEqual(await ids("tickers=brk.b"), ["2", "1"]);
    assert.match(await asXml(api, "/api/v2/news?displayOutput=full&format=text"), /<body>Profit &amp; loss<\/body>/);
  });
});

readingEveryStore("characters in XML", (test) => {
  test("that XML 1.0 forbids are removed", async (api) => {
    const forbidden = Array.from({ length: 0x20 }, (_, code) => code)
      .filter((code) => ![0x00, 0x09, 0x0a, 0x0d].includes(code))
      .concat([0xfffe, 0xffff]);
    await api.has("news", [{ id: 1, title: `a${String.fromCodePoint(...forbidden)}b`, tags: [{ name: "x\u000by" }] }]);
    const text = await asXml(api, "/api/v2/news");
    assert.match(text, /<title>ab<\/title>/);
    assert.match(text, /<name>xy<\/name>/);
    // JSON can represent them all.
    assert.equal((await api.get("/api/v2/news"))[0].title, `a${String.fromCodePoint(...forbidden)}b`);
  });

  test("that XML allows are preserved: tabs, line breaks, other planes, the boundaries of the allowed ranges", async (api) => {
    const body =
      "tab\tline\nreturn\r\nalone\rend \u{1F4C8}\u{10000}\u{10FFFF} \uD7FF\uE000\uFFFD \u007f\u0085\u009f é 漢 ]]>";
    await api.has("news", [{ id: 1, body }]);
    const text = await asXml(api, "/api/v2/news?displayOutput=full");
    assert.equal(await fieldAsRead(api, "body"), body);
    // A bare carriage return would be parsed as a line feed.
    assert.doesNotMatch(text, /\r/);
    assert.doesNotMatch(text, /\]\]>/);
  });

  test("of markup in a value are escaped", async (api) => {
    const title = "</title><script>alert(1)</script>&lt;&#x41;<!--";
    await api.has("news", [{ id: 1, title }]);
    assert.match(
      await asXml(api, "/api/v2/news"),
      /<title>&lt;\/title&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;&amp;lt;&amp;#x41;&lt;!--<\/title>/,
    );
  });

  test("are counted in bytes: Content-Length is correct", async (api) => {
    await api.has("news", [{ id: 1, title: "漢字 📈" }]);
    const found = await api.fetch("/api/v2/news", { accept: "application/xml" });
    assert.equal(found.headers["content-length"], String(found.bytes.length));
  });
});
