// Documents of every format → items: what each element becomes, and unusual ones.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Feed, Item } from "../../src/feeds/parse/item.ts";
import { parseDocument } from "../../src/feeds/parse/parse.ts";
import { item, rss } from "./feed-server.ts";

const address = "https://feeds.example/dir/feed.xml";

function feedOf(document: string): Feed {
  const read = parseDocument(document, address);
  assert.ok("items" in read, "problem" in read ? read.problem : "");
  return read;
}

function only(document: string): Item {
  const { items } = feedOf(document);
  assert.equal(items.length, 1);
  return items[0] as Item;
}

const atom = (entries: string, more = ""): string =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://blog.example/posts/">
   <title>Blog</title><id>urn:blog</id><updated>2024-11-05T00:00:00Z</updated>${more}${entries}</feed>`;

const rdf = (items: string): string =>
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
     xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
   <channel rdf:about="https://r.example/"><title>R</title><link>https://r.example/</link>
   <sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency></channel>${items}</rdf:RDF>`;

describe("Atom", () => {
  test("parses an entry with XHTML, with relative URLs resolved against xml:base", () => {
    const entry = only(
      atom(
        `<entry xml:base="2024/"><id>urn:1</id>
         <title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Less &lt; <em>more</em></div></title>
         <link rel="self" href="self"/><link href="post"/><link rel="enclosure" type="image/png" href="/i.png"/>
         <published>2024-11-05T09:30:00-05:00</published><updated>2024-11-06T00:00:00Z</updated>
         <author><name>Ann</name></author><author><name>Bob</name></author>
         <category term="mkts" label="Markets"/><category term="Rates"/>
         <summary>a &lt; b &amp;amp; c</summary>
         <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Fish &amp; <b>chips</b>
           <a href="rel?a=1&amp;b=2" onclick="x()">r</a><br/></p></div></content></entry>`,
      ),
    );
    const { body, ...rest } = entry;
    assert.match(
      body,
      /^<p>Fish &amp; <b>chips<\/b>\s+<a href="https:\/\/blog.example\/posts\/2024\/rel\?a=1&amp;b=2">r<\/a><br><\/p>$/,
    );
    assert.deepEqual(rest, {
      key: "urn:1",
      title: "Less < more",
      teaser: "a &lt; b &amp;amp; c",
      url: "https://blog.example/posts/2024/post",
      author: "Ann, Bob",
      date: 1_730_817_000,
      categories: ["Markets", "Rates"],
      keywords: [],
      images: [{ url: "https://blog.example/i.png", size: "" }],
      mentions: [],
    });
  });

  test("treats text as HTML only if its type says so", () => {
    const titled = (attributes: string, text: string) =>
      only(atom(`<entry><id>1</id><title${attributes}>${text}</title></entry>`)).title;
    assert.equal(titled("", "1 &lt;b&gt;2&lt;/b&gt; &amp;amp;"), "1 <b>2</b> &amp;");
    assert.equal(titled(' type="text"', "1 &lt;b&gt;2&lt;/b&gt;"), "1 <b>2</b>");
    assert.equal(titled(' type="html"', "1 &lt;b&gt;2&lt;/b&gt; &amp;amp;"), "1 2 &");
    const content = (attributes: string, text: string) =>
      only(atom(`<entry><id>1</id><title>T</title><content${attributes}>${text}</content></entry>`)).body;
    assert.equal(content(' type="html"', "&lt;p&gt;x&lt;/p&gt;"), "<p>x</p>");
    assert.equal(content(' type="text"', "&lt;p&gt;x&lt;/p&gt;"), "&lt;p&gt;x&lt;/p&gt;");
    assert.equal(content(' type="image/png" src="x.png"', ""), "");
    assert.equal(content(' type="application/octet-stream"', "AAAA"), "");
  });

  test("falls back to the author of the feed, and to updated if published is missing", () => {
    const { author, date } = only(
      atom(
        "<entry><id>1</id><title>T</title><updated>2024-11-05T14:30:00Z</updated></entry>",
        "<author><name>All</name></author>",
      ),
    );
    assert.deepEqual([author, date], ["All", 1_730_817_000]);
  });
});

describe("RDF", () => {
  test("parses an item with Dublin Core", () => {
    const document = rdf(
      `<item rdf:about="https://r.example/1"><title>One</title><link>https://r.example/1?x=1&amp;y=2</link>
       <description>About &lt;b&gt;one&lt;/b&gt;</description><dc:creator>Cy</dc:creator>
       <dc:date>2024-11-05T09:30-05:00</dc:date><dc:subject>Subject</dc:subject></item>`,
    );
    assert.equal(feedOf(document).ttlSeconds, 1800);
    assert.deepEqual(only(document), {
      key: "https://r.example/1",
      title: "One",
      body: "About <b>one</b>",
      teaser: "About one",
      url: "https://r.example/1?x=1&y=2",
      author: "Cy",
      date: 1_730_817_000,
      categories: ["Subject"],
      keywords: [],
      images: [],
      mentions: [],
    });
  });
});

describe("RSS", () => {
  test("converts titles to plain text: tags are removed, entities of both layers decoded", () => {
    for (const [written, title] of [
      ["AT&amp;T &amp; Verizon", "AT&T & Verizon"],
      ["AT&amp;amp;T", "AT&T"],
      ["&lt;b&gt;Bold&lt;/b&gt; move", "Bold move"],
      ["<![CDATA[<i>CDATA</i> &eacute; &#8212; x]]>", "CDATA é — x"],
      ["Caf&#233; &#x1F600; &eacute; &nbsp;x", "Café 😀 é x"],
      ["1 &lt; 2 &gt; 0", "1 < 2 > 0"],
      ["two\n  lines &lt;br&gt; three", "two lines three"],
      ["&lt;script&gt;alert(1)&lt;/script&gt;Safe", "Safe"],
    ] as const)
      assert.equal(only(rss(item("1", `<title>${written}</title>`))).title, title);
  });

  test("resolves relative URLs against the site, and omits those that aren't web URLs", () => {
    const linked = (link: string) => only(rss(item("1", `<title>T</title><link>${link}</link>`))).url;
    assert.equal(linked("/a?b=1&amp;c=2"), "https://news.example/a?b=1&c=2");
    assert.equal(linked("//cdn.example/a"), "https://cdn.example/a");
    assert.equal(linked(" https://other.example/a "), "https://other.example/a");
    assert.equal(linked("javascript:alert(1)"), "");
    assert.equal(linked("http://["), "");
    const permanent = (attributes: string) =>
      only(rss(`<item><title>T</title><guid${attributes}>https://x.example/1</guid></item>`)).url;
    assert.deepEqual([permanent(""), permanent(' isPermaLink="false"')], ["https://x.example/1", ""]);
  });

  test("derives the teaser from text without a summary, truncated between words and without markup", () => {
    const { teaser, body } = only(
      rss(
        item("1", `<title>T</title><description>&lt;p&gt;A &amp;amp; B ${"word ".repeat(100)}&lt;/p&gt;</description>`),
      ),
    );
    assert.match(body, /^<p>A &amp; B word .*word <\/p>$/);
    assert.match(teaser, /^A &amp; B (word )+word…$/);
    assert.ok(teaser.length < 310);
  });

  test("uses author names if present", () => {
    const by = (author: string) => only(rss(item("1", `<title>T</title>${author}`))).author;
    assert.equal(by("<author>ann@x.example (Ann Lee)</author>"), "Ann Lee");
    assert.equal(by("<author>ann@x.example</author>"), "ann@x.example");
    assert.equal(by("<author>x@x.example</author><dc:creator>Real Name</dc:creator>"), "Real Name");
    assert.equal(by(""), "");
    const many = by(Array.from({ length: 40 }, (_, n) => `<dc:creator>Author number ${n}</dc:creator>`).join(""));
    assert.match(many, /^Author number 0, Author number 1, .*…$/);
    assert.ok(many.length <= 255);
  });

  test("removes duplicate names, and omits those that are too long", () => {
    const { categories } = only(
      rss(
        item(
          "1",
          `<title>T</title><category>A</category><category> A </category><category>${"x".repeat(256)}</category><category>B &amp;amp; C</category>`,
        ),
      ),
    );
    assert.deepEqual(categories, ["A", "B & C"]);
  });

  test("includes images with their size if known, each once, and only with web URLs", () => {
    const { images } = only(
      rss(
        item(
          "1",
          `<title>T</title><media:group><media:content url="/a.png" type="image/png" width="300"/>
           <media:content url="/v.mp4" medium="video"><media:thumbnail url="/v.png"/></media:content></media:group>
           <media:content url="data:image/png;base64,AAAA" medium="image"/>
           <enclosure url="/a.png" type="image/png" length="1"/><enclosure url="/e.jpg" type="image/jpeg" length="1"/>`,
        ),
      ),
    );
    assert.deepEqual(images, [
      { url: "https://news.example/a.png", size: "small" },
      { url: "https://news.example/v.png", size: "thumb" },
      { url: "https://news.example/e.jpg", size: "" },
    ]);
  });

  test("reports the time to live in minutes", () => {
    assert.equal(feedOf(rss(item("1"), "<ttl>15</ttl>")).ttlSeconds, 900);
    assert.equal(feedOf(rss(item("1"), "<ttl>soon</ttl>")).ttlSeconds, undefined);
  });

  test("accepts an empty feed", () => {
    assert.deepEqual(feedOf(rss("")).items, []);
    assert.deepEqual(feedOf(atom("")).items, []);
    assert.deepEqual(feedOf(rdf("")).items, []);
  });

  test("reads the first 5,000 of very many items", () => {
    const { items, omitted } = feedOf(
      rss(Array.from({ length: 5003 }, (_, n) => `<item><guid>${n}</guid></item>`).join("")),
    );
    assert.deepEqual([items.length, omitted, items[0]?.key], [5000, 3, "0"]);
  });
});

describe("hostile documents", () => {
  const problemOf = (document: string): string => {
    const read = parseDocument(document, address);
    return "problem" in read ? read.problem : "";
  };

  test("entities of the document are neither fetched nor expanded", () => {
    const declared = (entities: string) =>
      rss(item("1", "<title>&a;</title>")).replace("<rss", `<!DOCTYPE rss [${entities}]><rss`);
    assert.match(problemOf(declared('<!ENTITY a SYSTEM "file:///etc/passwd">')), /External entities are not supported/);
    const laughs = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(20)}">`).join("");
    const read = parseDocument(declared(`<!ENTITY e0 "ha">${laughs}<!ENTITY a "&e20;">`), address);
    const title = "items" in read ? (read.items[0]?.title ?? "") : "";
    assert.ok(title.length < 100);
  });

  test("names of JavaScript's built-in properties have no effect", () => {
    for (const name of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]) {
      parseDocument(rss(item("1", `<${name}><x>1</x></${name}><title>T</title>`)), address);
      parseDocument(rss(item("1", `<title ${name}="1">T</title>`)), address);
    }
    assert.equal(({} as { x?: unknown }).x, undefined);
    assert.equal(Object.keys(Object.prototype).length, 0);
  });
});
