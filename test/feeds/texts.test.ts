// Small parsers for feeds: dates, ticker mentions, and untrusted HTML.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseFeedDate } from "../../src/feeds/parse/date.ts";
import { sanitizeHtml, shorten } from "../../src/feeds/parse/html-cleaner.ts";
import { tickerMentions } from "../../src/feeds/parse/ticker-mentions.ts";
import { runs } from "../support/budget.ts";

describe("dates", () => {
  const moment = 1_730_817_000;

  test("are parsed in every format that feeds use, whatever the host's time zone", () => {
    for (const text of [
      "Tue, 05 Nov 2024 09:30:00 -0500",
      "Tue, 5 Nov 2024 14:30:00 GMT",
      "Tue, 05 Nov 2024 09:30 EST",
      "5 Nov 24 14:30:00 UT",
      "Tuesday, 05-Nov-24 14:30:00 UTC",
      "Tue, 05 November 2024 14:30:00 Z",
      "Mon, 05 Nov 2024 14:30:00 GMT+0000",
      "  tue, 05 nov 2024 15:30:00 +01:00 ",
      "Tue, 05 Nov 2024 15:30:00 CET",
      "2024-11-05T09:30:00-05:00",
      "2024-11-05T14:30:00.123Z",
      "2024-11-05T14:30Z",
      "2024-11-05 14:30:00",
      "2024-11-05T14:30:00",
      "2024-11-05T15:30:00+0100",
    ])
      assert.equal(parseFeedDate(text), moment, text);
    assert.equal(parseFeedDate("2024-11-05"), 1_730_764_800);
    assert.equal(parseFeedDate("05 Nov 2024"), 1_730_764_800);
  });

  test("are not parsed from other text", () => {
    for (const text of [
      "",
      "now",
      "Tue, 32 Nov 2024 09:30:00 GMT",
      "2024-02-30T00:00:00Z",
      "05 Foo 2024",
      "11/05/2024",
      "1730817000",
    ])
      assert.equal(parseFeedDate(text), undefined, text);
  });

  test("are whole seconds or nothing, for any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (text) => {
          const seconds = parseFeedDate(text);
          assert.ok(seconds === undefined || Number.isInteger(seconds));
        },
      ),
    );
  });

  test("in mail or web format round-trip", () => {
    const dates = fc.date({ min: new Date("1970-01-01"), max: new Date("2105-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(dates, (date) => {
        const seconds = Math.floor(date.getTime() / 1000);
        assert.equal(parseFeedDate(date.toUTCString()), seconds);
        assert.equal(parseFeedDate(date.toISOString()), seconds);
      }),
    );
  });
});

describe("ticker mentions", () => {
  const symbols = (text: string): string[] =>
    tickerMentions(text).map(({ symbol, exchange }) => (exchange === undefined ? symbol : `${exchange}:${symbol}`));

  test("are a dollar sign, or an exchange name and a colon", () => {
    for (const [text, expected] of [
      ["$AAPL rises", ["AAPL"]],
      ["Apple (NASDAQ: AAPL) rises", ["NASDAQ:AAPL"]],
      ["Apple (Nasdaq:AAPL)", ["NASDAQ:AAPL"]],
      ["NYSE:BRK.B", ["NYSE:BRK.B"]],
      ["(NYSE: BRK.A, BRK.B)", ["NYSE:BRK.A", "NYSE:BRK.B"]],
      ["(NASDAQ: GOOG and GOOGL)", ["NASDAQ:GOOG", "NASDAQ:GOOGL"]],
      ["(NASDAQ: GOOG/GOOGL)", ["NASDAQ:GOOG", "NASDAQ:GOOGL"]],
      ["(NYSE: A; TSX: B)", ["NYSE:A", "TSX:B"]],
      ["(NYSE: A, TSX: B)", ["NYSE:A", "TSX:B"]],
      ["(NYSE American: XYZ)", ["AMEX:XYZ"]],
      ["(NASDAQ® : XYZ)", ["NASDAQ:XYZ"]],
      ["NYSE: F, GM and others", ["NYSE:F"]],
      ["$F, $GM.", ["F", "GM"]],
      ["$AAPL (NASDAQ: AAPL)", ["NASDAQ:AAPL"]],
      ["$BRK.B.", ["BRK.B"]],
      ["$AAPL.Then", ["AAPL"]],
      ["($T)", ["T"]],
    ] as const)
      assert.deepEqual(symbols(text), expected, text);
  });

  test("are nothing else: prices, words, and bare tickers are not mentions", () => {
    for (const text of [
      "AAPL rises, says Apple",
      "It costs $5, $1.2B, US$AAPL or A$AP",
      "$aapl and nasdaq: aapl",
      "MYNYSE:F",
      "Source: AAPL; Note: IBM",
      "$$$",
      "$",
      "NYSE:",
      "$TOOLONGSYMBOLNAME",
      "",
    ])
      assert.deepEqual(symbols(text), [], text);
  });

  test("are at most fifty, without duplicates, and found in linear time", () => {
    assert.equal(tickerMentions(Array.from({ length: 200 }, (_, n) => `$A${n}`).join(" ")).length, 50);
    assert.deepEqual(symbols("$A $A $A"), ["A"]);
    for (const text of [
      "(NYSE: ".repeat(50_000),
      `(NYSE: A${", A".repeat(50_000)}`,
      "$A.".repeat(50_000),
      "NYSE :".repeat(50_000),
    ])
      assert.ok(tickerMentions(text).length <= 50);
  });
});

describe("untrusted HTML", () => {
  const base = "https://news.example/dir/page";
  const clean = (html: string): string => sanitizeHtml(html, base);

  test("keeps text formatting", () => {
    for (const html of [
      "<p>One <b>two</b><br>three</p>",
      '<a href="https://x.example/?a=1&amp;b=2" title="&quot;t&quot;">x</a>',
      '<table><tr><td colspan="2">x</td></tr></table>',
      '<img src="https://x.example/i.png" alt="an image" width="10">',
      "plain &amp; simple &lt;b&gt;",
    ])
      assert.equal(clean(html), html);
  });

  test("gets absolute URLs", () => {
    assert.equal(
      clean('<a href="x">1</a><img src="/y.png">'),
      '<a href="https://news.example/dir/x">1</a><img src="https://news.example/y.png">',
    );
    assert.equal(clean('<a href="mailto:a@b.example">m</a>'), '<a href="mailto:a@b.example">m</a>');
  });

  test("loses scripts, hidden content, and embedded or external resources", () => {
    for (const [html, expected] of [
      ["a<script>alert('</p>')</script>b", "ab"],
      ["a<style>p{}</style><iframe src=x>inner</iframe>b", "ab"],
      ['<p onclick="x()" style="a" class="b" id="c">t</p>', "<p>t</p>"],
      ['<a href="javascript:alert(1)">t</a>', "<a>t</a>"],
      ['<a href=" java\nscript:alert(1)">t</a>', "<a>t</a>"],
      ['<a href="&#106;avascript:alert(1)">t</a>', "<a>t</a>"],
      ['<a href="data:text/html,x" href="https://x.example/">t</a>', "<a>t</a>"],
      ['<img src="data:image/png;base64,AAAA" onerror="x()">', ""],
      ["<svg><script>x</script><a xlink:href='javascript:x'>t</a></svg>", "<a>t</a>"],
      ["<form action=x><input value=y><button>t</button></form>", "t"],
      ["<!-- c --><![CDATA[x]]><?php echo 1 ?>t", "t"],
      ["<object data=x><embed src=y>t</object>", "t"],
      ["<base href='https://evil.example/'><a href='x'>t</a>", '<a href="https://news.example/dir/x">t</a>'],
    ] as const)
      assert.equal(clean(html), expected, html);
  });

  test("is nested as by a browser", () => {
    assert.equal(clean("</div><b>x"), "<b>x</b>");
    assert.equal(clean("</p>x"), "<p></p>x");
    assert.equal(clean("<p><b>x</p>"), "<p><b>x</b></p>");
    assert.equal(clean("<ul><li>a<li>b</ul>"), "<ul><li>a</li><li>b</li></ul>");
  });

  test("is unchanged when sanitized again, and contains only known elements and attributes, whatever the input", () => {
    const pieces = fc.constantFrom(
      ..."<p> </p> <b <a href= \"x\" 'y' javascript: onclick= <script> </script> <img src= & &lt; &#x3c; > / = <!-- --> <svg> <style> </style> <title> <textarea> </textarea> \n é 😀 <template>".split(
        " ",
      ),
      " ",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 30 }), (parts) => {
        const once = clean(parts.join(""));
        assert.equal(clean(once), once);
        for (const [tag] of once.matchAll(/<[^>]*>/g)) {
          assert.match(
            tag,
            /^<\/?[a-z][a-z0-9]*( (href|src|alt|title|width|height|start|colspan|rowspan|datetime)="[^"<>]*")*>$/,
          );
        }
        assert.doesNotMatch(once, /<(script|style|svg|iframe|template)|="\s*javascript:/i);
        const open: string[] = [];
        for (const [, slash, name = ""] of once.matchAll(/<(\/?)(\w+)/g)) {
          if (slash === "/") assert.equal(open.pop(), name, once);
          else if (name !== "img") open.push(name);
        }
        assert.deepEqual(open, []);
      }),
      { numRuns: runs(200, 2000) },
    );
  });

  test("nested deeper than browsers allow becomes plain text, in linear time", () => {
    const deep = 100_000;
    const nested = (depth: number): string => `${"<div>".repeat(depth)}a &lt; b${"</div>".repeat(depth)}`;
    assert.equal(clean(nested(512)), nested(512));
    assert.equal(clean(nested(deep)), "a &lt; b");
    for (const [open, close] of [
      ["<b>", "</i>"],
      ["<div>", "</p>"],
      ["<svg>", "</a>"],
      ["<table><tr><td>", "</table>"],
      ["<p>", "<form>"],
      ["<script>", "<script>"],
    ] as const)
      assert.ok(clean(`${open.repeat(deep)}x${close.repeat(deep)}`).length < 30 * deep, open);
  });
});

test("a text is truncated between words, and never within a character", () => {
  assert.equal(shorten("short", 10), "short");
  assert.equal(shorten("one two three", 10), "one two…");
  assert.equal(shorten("x".repeat(20), 10), `${"x".repeat(9)}…`);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 20 }), (text, most) => {
      const short = shorten(text, most);
      assert.ok(short.length <= most && short.isWellFormed() === text.isWellFormed());
    }),
  );
});
