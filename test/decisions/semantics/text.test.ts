// `format=text`: body and teaser as plain text.
import assert from "node:assert/strict";
import { type ReadApi, readingEveryStore } from "../../support/stores/every-store.ts";

async function asText(api: ReadApi, body: string): Promise<string> {
  await api.has("news", [{ id: 1, body }]);
  const [found] = await api.get("/api/v2/news?displayOutput=full&format=text");
  return found.body;
}

readingEveryStore("format=text", (test) => {
  test("returns body and teaser without tags; without it, both are as imported", async (api) => {
    await api.has("news", [{ id: 1, teaser: "<b>First</b> lines", body: "<p>All <a href='/x'>of</a> it</p>" }]);
    const [text] = await api.get("/api/v2/news?displayOutput=full&format=text");
    assert.deepEqual([text.teaser, text.body], ["First lines", "All of it"]);
    const [html] = await api.get("/api/v2/news?displayOutput=full");
    assert.deepEqual([html.teaser, html.body], ["<b>First</b> lines", "<p>All <a href='/x'>of</a> it</p>"]);
  });

  test("fills nothing that displayOutput leaves empty", async (api) => {
    await api.has("news", [{ id: 1, teaser: "<b>First</b>", body: "<p>All</p>" }]);
    const [headline] = await api.get("/api/v2/news?format=text");
    assert.deepEqual([headline.teaser, headline.body], ["", ""]);
    const [abstract] = await api.get("/api/v2/news?format=text&displayOutput=abstract");
    assert.deepEqual([abstract.teaser, abstract.body], ["First", ""]);
  });

  test("leaves the title and every other field unchanged", async (api) => {
    const item = { id: 1, title: "A <b>bold</b> &amp; plain title", author: "<i>D</i>", tags: [{ name: "<u>" }] };
    await api.has("news", [item]);
    const [found] = await api.get("/api/v2/news?displayOutput=full&format=text");
    assert.deepEqual([found.title, found.author, found.tags], [item.title, item.author, item.tags]);
  });

  test("decodes named and numeric entities once", async (api) => {
    assert.equal(await asText(api, "<p>Software &amp; Apps&#39; &#x2019;26 &eacute;</p>"), "Software & Apps' ’26 é");
    assert.equal(await asText(api, "AT&amp;T"), "AT&T");
    assert.equal(await asText(api, "&amp;lt;b&amp;gt;"), "&lt;b&gt;");
    assert.equal(await asText(api, "1 &lt; 2 &lt;b&gt;"), "1 < 2 <b>");
  });

  test("replaces block elements with line breaks", async (api) => {
    assert.equal(await asText(api, "<p>One</p><p>Two</p>"), "One\nTwo");
    assert.equal(await asText(api, "<div>One</div>two<h2>Three</h2>"), "One\ntwo\nThree");
    assert.equal(await asText(api, "<ul><li>One<li>Two</ul>"), "One\nTwo");
    assert.equal(await asText(api, "<table><tr><td>One</td></tr><tr><td>Two</td></tr></table>"), "One\nTwo");
  });

  test("replaces <br> with a line break, however it is written", async (api) => {
    assert.equal(await asText(api, "One<br>Two<br/>Three<BR />Four"), "One\nTwo\nThree\nFour");
  });

  test("removes inline tags without adding a break or a blank", async (api) => {
    assert.equal(await asText(api, "<p>A<b>pp</b>le <i>rose</i><span></span>.</p>"), "Apple rose.");
  });

  test("removes scripts, styles, and comments with all their content", async (api) => {
    const html =
      "<p>One</p><script>if (a < b) alert('<p>no</p>')</script><style>p{color:red}</style><!-- no --><p>Two</p>";
    assert.equal(await asText(api, html), "One\nTwo");
  });

  test("leaves text without markup unchanged", async (api) => {
    assert.equal(await asText(api, "Nothing to do: 3 > 2."), "Nothing to do: 3 > 2.");
    assert.equal(await asText(api, ""), "");
  });

  test("applies to XML as well", async (api) => {
    await api.has("news", [{ id: 1, body: "<p>AT&amp;T</p><p>rose</p>" }]);
    const found = await api.fetch("/api/v2/news?displayOutput=full&format=text", { accept: "application/xml" });
    assert.ok(found.text.includes("<body>AT&amp;T\nrose</body>"), found.text);
  });
});
