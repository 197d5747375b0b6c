// Stripping of styles and event handlers from HTML in linear time.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { unstyled } from "../../../web/parts/record/unstyled.ts";
import "../../support/budget.ts";

test("strips styles and base URLs in any notation, and nothing else", () => {
  assert.equal(unstyled('<p style="a">x</p>'), "<p >x</p>");
  assert.equal(unstyled("<p class=a STYLE = 'b>c' id=d>x</p>"), "<p class=a  id=d>x</p>");
  assert.equal(unstyled('<p a="b"style=c/style=d>'), '<p a="b">');
  assert.equal(unstyled("<STYLE>*{}</style><base href=x>"), "<script>*{}</script><link href=x>");
  assert.equal(unstyled('a < b style="c" > d & <1 style=e>'), 'a < b style="c" > d & <1 style=e>');
  assert.equal(unstyled('<a href="/style=1" title=" style=2">3</a>'), '<a href="/style=1" title=" style=2">3</a>');
  assert.equal(unstyled('<p style="never closed'), "<p ");
});

test("strips event handlers in any notation", () => {
  assert.equal(unstyled('<img src=x onerror="a">'), "<img src=x >");
  assert.equal(unstyled("<p id=a OnClick = 'b>c' title=on>x</p>"), "<p id=a  title=on>x</p>");
  assert.equal(unstyled("<svg/onload=a><body onload>"), "<svg/><body >");
  assert.equal(
    unstyled('<p title="onclick=a" data-on=b>onclick=c</p>'),
    '<p title="onclick=a" data-on=b>onclick=c</p>',
  );
});

test("returns HTML without styles unchanged", () => {
  const piece = fc.constantFrom(
    "<p>",
    "</p>",
    "<a href='x>y'>",
    '<img src="a" =b c/>',
    "text",
    "<",
    ">",
    "&",
    '"',
    "'",
    "=",
    " ",
    "<br/>",
    "<!-- -->",
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const html = pieces.join("");
      assert.equal(unstyled(html), html);
    }),
  );
});

test("takes linear time for worst-case input", () => {
  for (const part of [
    "<",
    '<a "',
    "<a style='",
    "<a =",
    '<a x="',
    "<style",
    "<style>",
    "<!--",
    "<!",
    '<title><a "',
    "=\"'<a ",
  ]) {
    const html = part.repeat(200_000);
    assert.ok(unstyled(html).length <= html.length + 400_000);
  }
});
