// Responses for unknown paths, beyond what endpoint tests cover.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanPath, notFound } from "../../src/http/not-found.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { extensions } from "../../src/resources/lists/extensions.ts";

const reading = new Set(["HEAD", "GET"]);
const served = new Map([
  ["/", reading],
  ["/api/v2/news", reading],
  ...catalog.flatMap(({ name }) => [
    [`/admin/v1/records/${name}`, new Set(["POST"])] as const,
    [`/admin/v1/records/${name}/:id`, new Set(["DELETE"])] as const,
  ]),
]);
const detailOf = (url: string) => {
  const { code, detail } = notFound(url, served, catalog);
  return `${code}: ${detail}`;
};

test("a path is normalized: no query, no doubled slashes, no trailing slash", () => {
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

test("a known path with another method gets a 405, and Allow lists its methods", () => {
  const problem = notFound("/api/v2/news/?a=1", served, catalog);
  assert.deepEqual([problem.code, problem.headers], ["request.method", { allow: "GET, HEAD" }]);
  assert.equal(problem.detail, "Only GET and HEAD are served at /api/v2/news.");
});

test("a stream with the wrong version gets the path of the stream, not that of a single record", () => {
  const { detail } = notFound("/api/v1/calendar/dividends/stream", served, catalog, extensions);
  assert.equal(detail, "Nothing is served at this path. Dividends is served at /api/v2.2/calendar/dividends/stream.");
});

test("Allow lists the methods of the path, whatever the values of its path parameters", () => {
  for (const [url, methods] of [
    ["/", "GET, HEAD"],
    ["/admin/v1/records/news?a=/b", "POST"],
    ["/admin//v1/records/ratings/", "POST"],
    ["/admin/v1/records/news/5", "DELETE"],
    ["/admin/v1/records/ratings/a%2Fb%20c", "DELETE"],
    ["/admin/v1/records/ratings/%zz/", "DELETE"],
  ] as const) {
    const { code, headers, detail } = notFound(url, served, catalog);
    assert.deepEqual([code, headers], ["request.method", { allow: methods }], url);
    assert.ok(detail.startsWith(`Only ${methods.replace(", ", " and ")} `), detail);
  }
});

test("the detail lists the resources if the path expects one", () => {
  for (const url of [
    "/admin/v1/records",
    "/admin/v1/records/",
    "/admin/v1/records/weather/5",
    "/admin/v1/records/News",
  ])
    assert.match(
      detailOf(url),
      /\/admin\/v1\/records\/ is followed by one of news, ratings, .*conference-calls\.$/,
      url,
    );
  assert.equal(detailOf("/admin/v1"), "request.path: Nothing is served at this path.");
});

test("the correct path is suggested if only the version is wrong, whatever is in its place", () => {
  for (const url of ["/api/v1/news", "/api/v2.1/news?x=1", "/api/v/news", "/API/V9/NEWS/", "/api/vnext//news"]) {
    assert.match(detailOf(url), /^request\.path: .* is served at \/api\/v2\/news\.$/, url);
  }
  assert.match(detailOf("/api/v2.1/calendar/dividends"), /\/api\/v2\.2\/calendar\/dividends/);
  assert.match(detailOf("/api/v2/calendar/conference-calls"), /\/api\/v2\.1\/calendar\/conference-calls/);
});

test("no path is suggested if none is similar", () => {
  for (const url of [
    "/news",
    "/api/news",
    "/api/v2",
    "/api/v2/newsletter",
    "/api/v2.1/calendar",
    "/%zz",
    "/api/v2/news/x",
  ]) {
    assert.equal(detailOf(url), "request.path: Nothing is served at this path.", url);
  }
});
