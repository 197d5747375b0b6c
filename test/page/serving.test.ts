// Serving of the built page: content security policy, caching, and the fallback if it isn't built.
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

const request = (path: string, init?: RequestInit) => fetch(`${service.origin}${path}`, init);

test("serves the same document for every view, revalidated with an ETag", async () => {
  const first = await request("/");
  const text = await first.text();
  assert.match(text, /<title>Bellwire<\/title>/);
  assert.equal(first.headers.get("cache-control"), "no-cache");
  for (const path of viewPaths) {
    const response = await request(path.replace(/:\w+/, "x"));
    assert.equal(response.status, 200, path);
    assert.equal(await response.text(), text, path);
  }
  const again = await request("/news", { headers: { "if-none-match": String(first.headers.get("etag")) } });
  assert.equal(again.status, 304);
});

test("has the same routes on the page and the server", () => {
  const routes = readFileSync("web/app/routes.ts", "utf8");
  const named = [...routes.matchAll(/path: "([^"]+)"/g)].map(([, path]) => path);
  assert.deepEqual(named.toSorted(), [...viewPaths].toSorted());
});

test("forbids inline code and other hosts with a content security policy that the document complies with", async () => {
  const response = await request("/");
  assert.equal(
    response.headers.get("content-security-policy"),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  assert.equal(response.headers.get("referrer-policy"), "no-referrer");
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  const text = await response.text();
  assert.doesNotMatch(text, /https?:\/\/|<style| style=| on\w+=|<script>/);
});

test("serves files with hashed names as immutable, optionally compressed, and no other files", async () => {
  const text = await (await request("/")).text();
  const files = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file as string);
  assert.ok(files.length >= 2);
  for (const file of files) {
    assert.match(file, /-[\w-]{8}\.(js|css|svg)$/);
    const response = await request(file, { headers: { "accept-encoding": "gzip" } });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("cache-control"), "public, max-age=31536000, immutable");
    await response.arrayBuffer();
  }
  for (const wrong of ["/assets/none.js", "/assets/..%2findex.html", "/assets/%2e%2e%2f%2e%2e%2fcli.js", "/assets/"]) {
    assert.equal((await request(wrong)).status, 404, wrong);
  }
});

test("returns API errors for paths that aren't views", async () => {
  for (const path of ["/nowhere", "/calendar", "/calendar/ratings/x", "/day"]) {
    const response = await request(path);
    assert.equal(response.status, 404, path);
    assert.equal(((await response.json()) as { code: string }).code, "request.path");
  }
  assert.equal((await request("/news", { method: "POST" })).status, 405);
});

test("serves the API and instructions if the page isn't built", async () => {
  const api = await startApi();
  const response = await api.request("/");
  await api.close();
  assert.equal(response.status, 200);
  assert.match(response.text, /npm run page/);
  assert.match(String(response.headers["content-type"]), /^text\/plain/);
});
