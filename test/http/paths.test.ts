// What is said of paths that nothing serves, where no endpoint test goes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanPath, unserved } from "../../src/http/paths.ts";
import { catalog } from "../../src/resources/catalog.ts";

const served = new Set(["/", "/api/v2/news"]);
const said = (url: string) => {
  const { code, detail } = unserved(url, served, catalog);
  return `${code}: ${detail}`;
};

test("a path is read without query, doubled slashes and a slash at its end", () => {
  for (const [url, path] of [
    ["/api/v2/news", "/api/v2/news"],
    ["/api/v2/news/?a=/b//c", "/api/v2/news"],
    ["//api///v2/news//", "/api/v2/news"],
    ["/", "/"],
    ["//", "/"],
    ["/?x", "/"],
    ["/api/v2/%6Eews", "/api/v2/news"],
    ["/%zz", "/%zz"],
  ] as const) {
    assert.equal(cleanPath(url), path, url);
  }
});

test("a path that is served is refused for its method, and the methods that are served are told", () => {
  const problem = unserved("/api/v2/news/?a=1", served, catalog);
  assert.deepEqual([problem.code, problem.headers], ["request.method", { allow: "GET, HEAD" }]);
});

test("the right path is named when only the version is wrong, whatever stands in its place", () => {
  for (const url of ["/api/v1/news", "/api/v2.1/news?x=1", "/api/v/news", "/API/V9/NEWS/", "/api/vnext//news"]) {
    assert.match(said(url), /^request\.path: .* is served at \/api\/v2\/news\.$/, url);
  }
  assert.match(said("/api/v2.1/calendar/dividends"), /\/api\/v2\.2\/calendar\/dividends/);
  assert.match(said("/api/v2/calendar/conference-calls"), /\/api\/v2\.1\/calendar\/conference-calls/);
});

test("no path is named when nothing is near", () => {
  for (const url of [
    "/news",
    "/api/news",
    "/api/v2",
    "/api/v2/newsletter",
    "/api/v2.1/calendar",
    "/%zz",
    "/api/v2/news/x",
  ]) {
    assert.equal(said(url), "request.path: Nothing is served at this path.", url);
  }
});
