// Paths and methods: tolerated slashes, unsupported methods, and versions of other endpoints.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

const paths = [
  "/api/v2/news",
  "/api/v2.1/calendar/ratings",
  "/api/v2.2/calendar/dividends",
  "/api/v2.1/calendar/guidance",
  "/api/v2.1/calendar/earnings",
  "/api/v2.1/calendar/economics",
  "/api/v2.1/calendar/conference-calls",
];

readingEveryStore("slashes", (test) => {
  test("may trail on every path, with and without a query", async (api) => {
    await api.has("news", [{ id: 1 }, { id: 2 }]);
    for (const path of paths) {
      assert.equal((await api.fetch(`${path}/`)).status, 200, path);
      assert.equal((await api.fetch(`${path}/?page=0`)).status, 200, path);
    }
    assert.deepEqual(await api.ids("/api/v2/news/?sort=id:asc&pageSize=1"), [1]);
  });

  test("may be doubled on every path", async (api) => {
    await api.has("ratings", [{ id: "a" }]);
    for (const path of paths) {
      assert.equal((await api.fetch(path.replaceAll("/", "//").slice(1))).status, 200, path);
      assert.equal((await api.fetch(`${path}//`)).status, 200, path);
    }
    assert.deepEqual(await api.ids("/api/v2.1//calendar//ratings"), ["a"]);
  });
});

readingEveryStore("methods", (test) => {
  test("other than GET and HEAD get a 405 that lists what is allowed, on every endpoint", async (api) => {
    for (const path of paths) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const found = await api.request(path, { method });
        assert.equal(found.status, 405, `${method} ${path}`);
        assert.equal(found.headers.allow, "GET, HEAD");
        assert.equal(found.json.code, "request.method");
      }
    }
  });

  test("are checked the same way on a path with a trailing slash", async (api) => {
    for (const path of ["/api/v2/news/", "/api//v2/news", "/api/v2/news?token=x"]) {
      const found = await api.request(path, { method: "POST" });
      assert.deepEqual([found.status, found.headers.allow], [405, "GET, HEAD"], path);
    }
  });

  test("return the same status and headers for HEAD as for GET, without a body", async (api) => {
    await api.has("news", [{ id: 1 }]);
    await api.has("ratings", [{ id: "a" }]);
    for (const path of paths) {
      const headers = { authorization: `Bearer ${api.token}` };
      const get = await api.request(path, { headers });
      const head = await api.request(path, { method: "HEAD", headers });
      assert.equal(head.status, 200);
      assert.equal(head.text, "");
      for (const name of ["content-type", "content-length", "etag", "vary", "cache-control"]) {
        assert.ok(get.headers[name] !== undefined, name);
        assert.equal(head.headers[name], get.headers[name], `${path} ${name}`);
      }
    }
  });

  test("reject HEAD like GET", async (api) => {
    assert.equal((await api.request("/api/v2/news", { method: "HEAD" })).status, 401);
    const headers = { authorization: `Bearer ${api.token}` };
    const wrong = await api.request("/api/v2/news?page=x", { method: "HEAD", headers });
    assert.deepEqual([wrong.status, wrong.text], [400, ""]);
    assert.equal((await api.request("/api/v2/calendar/ratings", { method: "HEAD" })).status, 404);
  });
});

readingEveryStore("versions", (test) => {
  test("other than the endpoint's own get a 404 that names the correct path", async (api) => {
    for (const [requested, meant] of [
      ["/api/v2/calendar/ratings", "/api/v2.1/calendar/ratings"],
      ["/api/v2.2/calendar/ratings", "/api/v2.1/calendar/ratings"],
      ["/api/v2.1/calendar/dividends", "/api/v2.2/calendar/dividends"],
      ["/api/v2/calendar/guidance/", "/api/v2.1/calendar/guidance"],
      ["/api/v2.2/calendar/earnings?page=0", "/api/v2.1/calendar/earnings"],
      ["/api/v1/calendar/economics", "/api/v2.1/calendar/economics"],
      ["/api/v3/calendar/conference-calls", "/api/v2.1/calendar/conference-calls"],
      ["/api/v2.1/news", "/api/v2/news"],
    ] as const) {
      const found = await api.fetch(requested);
      assert.equal(found.status, 404, requested);
      assert.equal(found.json.code, "request.path");
      assert.match(found.json.detail, new RegExp(`(^| )${meant.replaceAll(".", "\\.")}\\.?( |$)`), requested);
    }
  });

  test("of an unknown path get a 404 without a suggestion", async (api) => {
    for (const path of ["/api/v2/calendar/ipos", "/api/news", "/feed", "/api/v2/newsx", "/api/v2/news/1/2"]) {
      const found = await api.fetch(path);
      assert.equal(found.status, 404, path);
      assert.ok(!found.json.detail.includes("/api/"), found.json.detail);
    }
  });
});
