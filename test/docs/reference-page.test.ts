// The interactive page in a real browser: it renders, it can send a request, and it contacts no other host.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import fastify, { type FastifyInstance } from "fastify";
import type { Browser, Page } from "playwright-core";
import { problems } from "../../src/core/problem.ts";
import { openapi } from "../../src/docs/openapi/openapi.ts";
import { referencePage, servedDocument } from "../../src/http/routes/reference.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { type Watched, watched } from "../support/browser/browser.ts";
import { browserTest } from "../support/browser/browser-test.ts";

const document = openapi(catalog, { version: "1.2.3" });
const requested: string[] = [];
let app: FastifyInstance;
let origin: string;

before(async () => {
  app = fastify({ routerOptions: { ignoreTrailingSlash: true } });
  app.get("/openapi.json", servedDocument(document));
  referencePage(app, async () => "bw_demo");
  for (const { path } of catalog) {
    app.get(path, async (request) => {
      requested.push(`${request.url} ${request.headers.authorization}`);
      return { answered: "by the test" };
    });
  }
  origin = await app.listen({ host: "127.0.0.1", port: 0 });
});

after(() => app?.close());

async function open(browser: Browser, path: string): Promise<Watched & { page: Page }> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  const seen = watched(page);
  await page.goto(`${origin}${path}`);
  return { page, ...seen };
}

let shown: ReturnType<typeof open> | undefined;

/** The page for several tests, since it takes seconds to draw. Each leaves it so that the next can go on. */
const openOnce = (browser: Browser): ReturnType<typeof open> => {
  shown ??= open(browser, "/docs");
  return shown;
};

after(async () => (await shown)?.page.close());

// First, while no operation is drawn: their texts speak of shares.
browserTest("the page has no feature that would send data to a third party", async (browser) => {
  const { page } = await openOnce(browser);
  await page.getByText("Apache-2.0").first().waitFor();
  for (const words of [/\bAI\b/, /\bMCP\b/, /Open API Client/i, /Deploy/i, /Share/i]) {
    assert.equal(await page.getByText(words).count(), 0, String(words));
  }
});

browserTest(
  "the page shows every operation and contacts no other host, with nothing in the console",
  async (browser) => {
    const { page, hosts, complaints } = await openOnce(browser);
    // Operations are drawn as they are reached.
    for (const { title, path } of catalog) {
      await page.getByRole("link", { name: title }).first().click();
      const section = page.locator(`section[id$="${path}"]`);
      await section.getByRole("heading", { name: title }).waitFor();
      await section.getByText("page", { exact: true }).first().waitFor();
    }
    assert.equal(await page.title(), "Bellwire API");
    assert.equal(await page.getByRole("link", { name: "Back to the calendars" }).getAttribute("href"), "/");
    assert.equal(await page.locator("script[src^=http], link[href^=http], img[src^=http], iframe").count(), 0);
    assert.deepEqual([...hosts], [new URL(origin).host]);
    assert.deepEqual(complaints, []);
  },
);

browserTest(
  "a request sent from the page contains the demo's key in a header and the checked parameters, and no others",
  async (browser) => {
    const { page, hosts, complaints } = await openOnce(browser);
    await page.getByRole("link", { name: "Analyst ratings" }).first().click();
    await page.locator('section[id$="/calendar/ratings"]').getByRole("button", { name: "Test Request" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Include parameters[tickers] in request").check({ force: true });
    await dialog.getByRole("button", { name: "Send" }).first().click();
    await dialog.getByText("200 OK").waitFor();
    assert.deepEqual(requested.map(decodeURIComponent), [
      "/api/v2.1/calendar/ratings?parameters[tickers]=AAPL,BRK.B Bearer bw_demo",
    ]);
    assert.deepEqual([...hosts], [new URL(origin).host]);
    assert.deepEqual(complaints, []);
  },
);

test("every problem has one entry", async () => {
  const { body } = await app.inject("/docs/problems");
  for (const code of Object.keys(problems)) assert.equal(body.split(`id="${code}"`).length, 2, code);
});

browserTest("the type of a problem links to its entry", async (browser) => {
  const { page, hosts, complaints } = await open(browser, "/docs/problems#key.license");
  await page.locator("section:target", { hasText: "Missing license" }).waitFor();
  assert.deepEqual([...hosts], [new URL(origin).host]);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the page is the same with and without a trailing slash, and supports HEAD", async () => {
  const plain = await app.inject("/docs");
  const slash = await app.inject("/docs/");
  assert.deepEqual([plain.statusCode, slash.statusCode], [200, 200]);
  assert.equal(plain.body, slash.body);
  // Nothing in it is found relative to its address.
  assert.deepEqual([...plain.body.matchAll(/(?:src|href|"url")\s*[=:]\s*"(?!\/|data:|#)[^"]*"/g)].flat(), []);
  assert.match(plain.body, / src="\/docs\/scalar\.js/);
  assert.match(String(plain.headers["content-type"]), /^text\/html/);
  const head = await app.inject({ method: "HEAD", url: "/docs" });
  assert.deepEqual([head.statusCode, head.body], [200, ""]);
});

test("the page's content security policy allows its own script and no other host", async () => {
  const { headers, body } = await app.inject("/docs");
  const policy = String(headers["content-security-policy"]);
  assert.match(policy, /default-src 'none'; script-src 'self' 'sha256-[^']+';/);
  assert.match(policy, /connect-src 'self'/);
  assert.doesNotMatch(policy, /https?:|unsafe-eval|\*/);
  assert.doesNotMatch(body, /https?:\/\//);
});

test("the document is served unchanged, with 304 while it is unchanged", async () => {
  const { headers, body } = await app.inject("/openapi.json");
  assert.deepEqual(JSON.parse(body), JSON.parse(JSON.stringify(document)));
  assert.match(String(headers["content-type"]), /^application\/json/);
  assert.equal(headers["cache-control"], "no-cache");
  const again = await app.inject({ url: "/openapi.json", headers: { "if-none-match": String(headers.etag) } });
  assert.deepEqual([again.statusCode, again.body], [304, ""]);
});

test("the script is compressed on request", async () => {
  const plain = await app.inject("/docs/scalar.js");
  const packed = await app.inject({ url: "/docs/scalar.js", headers: { "accept-encoding": "gzip" } });
  assert.equal(packed.headers["content-encoding"], "gzip");
  assert.ok(gunzipSync(packed.rawPayload).equals(plain.rawPayload));
});
