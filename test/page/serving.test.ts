// How the built page is served: policy, caching, weight, and what is said where it was not built.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { viewPaths } from "../../src/http/routes/web.ts";
import { startApi } from "../support/clients/api.ts";
import { pageService, type Service } from "./support/service.ts";

let service: Service;

before(async () => {
  service = await pageService({ demo: [] });
});

after(() => service?.close());

const ask = (path: string, init?: RequestInit) => fetch(`${service.origin}${path}`, init);

test("every view is the same document, asked for anew each time and sent only when it has changed", async () => {
  const first = await ask("/");
  const text = await first.text();
  assert.match(text, /<title>Bellwire<\/title>/);
  assert.equal(first.headers.get("cache-control"), "no-cache");
  for (const path of viewPaths) {
    const answer = await ask(path.replace(/:\w+/, "x"));
    assert.equal(answer.status, 200, path);
    assert.equal(await answer.text(), text, path);
  }
  const again = await ask("/news", { headers: { "if-none-match": String(first.headers.get("etag")) } });
  assert.equal(again.status, 304);
});

test("the page's own routes and those of the server are the same", () => {
  const routes = readFileSync("web/app/routes.ts", "utf8");
  const named = [...routes.matchAll(/path: "([^"]+)"/g)].map(([, path]) => path);
  assert.deepEqual(named.toSorted(), [...viewPaths].toSorted());
});

test("the policy allows nothing inline and nothing from elsewhere, and the document needs no more", async () => {
  const answer = await ask("/");
  assert.equal(
    answer.headers.get("content-security-policy"),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  const text = await answer.text();
  assert.doesNotMatch(text, /https?:\/\/|<style| style=| on\w+=|<script>/);
});

test("files with a hash in their name are kept for good, compressed when asked for, and no others are served", async () => {
  const text = await (await ask("/")).text();
  const files = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file as string);
  assert.ok(files.length >= 2);
  for (const file of files) {
    assert.match(file, /-[\w-]{8}\.(js|css|svg)$/);
    const answer = await ask(file, { headers: { "accept-encoding": "gzip" } });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("cache-control"), "public, max-age=31536000, immutable");
    await answer.arrayBuffer();
  }
  for (const wrong of ["/assets/none.js", "/assets/..%2findex.html", "/assets/%2e%2e%2f%2e%2e%2fcli.js", "/assets/"]) {
    assert.equal((await ask(wrong)).status, 404, wrong);
  }
});

test("what is no view stays an error of the API", async () => {
  for (const path of ["/nowhere", "/calendar", "/calendar/ratings/x", "/day"]) {
    const answer = await ask(path);
    assert.equal(answer.status, 404, path);
    assert.equal(((await answer.json()) as { code: string }).code, "request.path");
  }
  assert.equal((await ask("/news", { method: "POST" })).status, 405);
});

test("where the page was not built, a text says how, and the API is served all the same", async () => {
  const api = await startApi();
  const answer = await api.ask("/");
  await api.close();
  assert.equal(answer.status, 200);
  assert.match(answer.text, /npm run page/);
  assert.match(String(answer.headers["content-type"]), /^text\/plain/);
});
