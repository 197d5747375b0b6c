// HTML bodies: what is text, and where a passage ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { plainText, textBlocks } from "../../../src/core/text/html-text.ts";
import { tokenize } from "../../../src/core/text/tokenize.ts";
import { runs } from "../../support/budget.ts";

const brokenHtml = fc
  .array(
    fc.constantFrom(
      ..."<>&;/\"'= \n\r\0aé".split(""),
      ..."<p> </p> <b> </b> <br> <br/> <pre> </pre> <script> </script> <style> </style> <template> </template>".split(
        " ",
      ),
      ..."<!-- --> <! <? <![CDATA[ ]]> &amp; &amp &nbsp; &#39; &#x &#xD800; &#0; <title> </title> <td> <li>".split(" "),
      '<a href="x">',
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

test("inline tags are removed without splitting a word", () => {
  assert.deepEqual(textBlocks("<p><b>Ap</b>ple <a href='x'>In</a><!-- -->c<wbr>.</p>"), ["Apple Inc."]);
  assert.equal(plainText("<p><b>Ap</b>ple <i>Inc</i></p>"), "Apple Inc");
});

test("block elements end a passage and a line", () => {
  const html = "Intro<p>One</p>two<div>three<ul><li>four<li>five</ul></div><h2>Six</h2><hr>seven";
  const lines = ["Intro", "One", "two", "three", "four", "five", "Six", "seven"];
  assert.deepEqual(textBlocks(html), lines);
  assert.equal(plainText(html), lines.join("\n"));
});

test("each table cell is a separate passage", () => {
  const html = "<TABLE><TR><TH>Revenue<TH>EPS</TR><tr><td>102.4</td><td>1.99</td></tr></TABLE>";
  assert.deepEqual(textBlocks(html), ["Revenue", "EPS", "102.4", "1.99"]);
});

test("a line break ends a line and separates words, and a phrase continues across it", () => {
  assert.deepEqual(textBlocks("Apple<br>Inc<BR/>rose"), ["Apple Inc rose"]);
  assert.equal(plainText("Apple<br>Inc<BR/>rose</br>."), "Apple\nInc\nrose\n.");
});

test("blank lines come from line breaks, never two in a row and none at the ends", () => {
  assert.equal(plainText("<p>a</p>\n\n<p>b</p>"), "a\nb");
  assert.equal(plainText("<br>a<br><br>b<br> <br>&nbsp;<br>c<br>"), "a\n\nb\n\nc");
  assert.equal(plainText("<p>a<br></p><p></p><div><p>b</p></div>"), "a\nb");
});

test("comments, scripts, styles, attributes, and other invisible content are not text", () => {
  const html = `<html><head><title>Page</title><style>p { color: red }</style></head><body class="secret">
    <!-- note --><script>if (a < b) { write("<p>no</p>") }</script><p title="hint">Shown</p><?xml version="1.0"?>
    <template><p>spare <template>x</template> part</p></template><iframe>old</iframe><img alt="photo">
    <noscript>Please read on</noscript><![CDATA[data]]></body></html>`;
  assert.deepEqual(textBlocks(html), ["Shown", "Please read on"]);
  assert.equal(plainText(html), "Shown\nPlease read on");
});

test("entities are decoded, once", () => {
  assert.deepEqual(textBlocks("AT&amp;T &#39;26 Caf&eacute; &lt;b&gt; &amp;lt; S&P &bogus; &copy 5&nbsp;%"), [
    "AT&T '26 Café <b> &lt; S&P &bogus; © 5 %",
  ]);
  assert.equal(plainText("&#x1F600;&#8217;&#0;&#xD800;"), "😀’\ufffd\ufffd");
});

test("whitespace is collapsed, including line breaks of the source and no-break spaces", () => {
  assert.equal(plainText("<p>\r\n  one\r\n\ttwo&nbsp;&nbsp; three </p>"), "one two three");
  assert.equal(plainText("no markup,\r\n just  text\n"), "no markup, just text");
  assert.deepEqual(textBlocks(" no \n markup "), ["no markup"]);
  assert.deepEqual(textBlocks(" \n "), []);
  assert.equal(plainText(""), "");
});

test("preformatted text keeps its lines, and a phrase may continue across them", () => {
  const html = "<p>Table:</p><pre>\r\nQ1   1.99\r\n\r\n\r\nQ2 <b>2.01</b>\r\n</pre>end\nof it";
  assert.equal(plainText(html), "Table:\nQ1 1.99\n\nQ2 2.01\nend of it");
  assert.deepEqual(textBlocks(html), ["Table:", "Q1 1.99 Q2 2.01", "end of it"]);
});

test("malformed markup is read as far as possible", () => {
  assert.equal(plainText("a < b && c > d <3"), "a < b && c > d <3");
  assert.equal(plainText("a</p>b</i>c</pre>d"), "a\nbc\nd");
  assert.equal(plainText("a<!-- never closed <p>b</p>"), "a");
  assert.equal(plainText("a<script>never closed"), "a");
  assert.equal(plainText("a<b unfinished"), "a");
  assert.equal(plainText("a</script></style></template><p>b"), "a\nb");
  assert.equal(plainText("a</template><template>hidden</template>b"), "ab");
  assert.equal(plainText("</pre>x<pre>a\nb</pre>"), "x\na\nb");
  assert.equal(plainText('<a title="x > y">link</a>'), "link");
  assert.deepEqual(textBlocks("<<<<"), ["<<<<"]);
});

test("a megabyte of hostile markup is read without stalling", () => {
  const megabyte = 1 << 20;
  const ends = "</i>".repeat(megabyte / 8);
  for (const piece of [
    "<div>",
    "<b>",
    "</p>",
    "<",
    "&",
    "&amp;",
    "<!--",
    "<pre>\n",
    "<script>",
    "<a b='",
    "&#x",
    "\0<br>",
  ]) {
    const html = piece.repeat(megabyte / 2 / piece.length) + ends;
    assert.ok(plainText(html).length <= html.length);
    assert.ok(textBlocks(html).length <= 1);
  }
});

test("both renderings contain the same words in tidy lines, whatever the markup", () => {
  fc.assert(
    fc.property(brokenHtml, (html) => {
      const blocks = textBlocks(html);
      const text = plainText(html);
      assert.deepEqual(tokenize(blocks.join(" ")), tokenize(text));
      for (const block of blocks) assert.match(block, /^\S+(?: \S+)*$/);
      assert.match(text, /^(?:\S+(?:(?: |\n\n?)\S+)*)?$/);
    }),
    { numRuns: runs(300, 3000) },
  );
});

test("regular markup is read by a faster scan with the same result", () => {
  const pieces = [
    ..."<p> </p> <br> <br/> <br /> <b> </b> <li> </ul> <td> <pre> </pre> <script> <style> <title> <textarea> <svg>".split(
      " ",
    ),
    ...['<a href="https://example.com/?a=1&amp;b=2" rel="x">', "</a>", '<img alt="a > b" />', "</p >", "<P>", "<p/>"],
    ..."&amp; &lt; &gt; &quot; &nbsp; &#39; &ndash; &mdash; &lsquo; &rsquo; &ldquo; &rdquo; &hellip;".split(" "),
    ..."&amp;lt; &euro; &amp & < word two".split(" "),
    " ",
    "\n",
    "\r\n",
  ];
  const markup = fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((all) => all.join(""));
  fc.assert(
    fc.property(markup, (html) => {
      // A comment isn't regular.
      assert.deepEqual(textBlocks(html), textBlocks(`<!---->${html}`));
      assert.equal(plainText(html), plainText(`<!---->${html}`));
    }),
    { numRuns: runs(500, 20_000) },
  );
});
