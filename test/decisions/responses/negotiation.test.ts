// Response format: the Accept header with its q-values, on news (JSON and XML) and on calendars (JSON only).
import assert from "node:assert/strict";
import { type ReadApi, readingEveryStore } from "../../support/stores/every-store.ts";

const json = "application/json; charset=utf-8";
const xml = "application/xml; charset=utf-8";

/** The content type of news for an Accept header, or the status if it isn't 200. */
async function gets(api: ReadApi, accept: string, url = "/api/v2/news"): Promise<string | number> {
  const found = await api.fetch(url, { accept });
  return found.status === 200 ? String(found.headers["content-type"]) : found.status;
}

const calendarPaths = [
  "/api/v2.1/calendar/ratings",
  "/api/v2.2/calendar/dividends",
  "/api/v2.1/calendar/guidance",
  "/api/v2.1/calendar/earnings",
  "/api/v2.1/calendar/economics",
  "/api/v2.1/calendar/conference-calls",
];

readingEveryStore("Accept on news", (test) => {
  test("returns JSON if it is absent, empty, or */*", async (api) => {
    const absent = await api.fetch("/api/v2/news");
    assert.deepEqual([absent.status, absent.headers["content-type"], absent.text], [200, json, "[]"]);
    for (const accept of ["", " ", "*/*"]) assert.equal(await gets(api, accept), json, `"${accept}"`);
  });

  test("returns JSON for application/json, XML for application/xml and text/xml, in any case", async (api) => {
    assert.equal(await gets(api, "application/json"), json);
    assert.equal(await gets(api, "application/xml"), xml);
    assert.equal(await gets(api, "text/xml"), xml);
    assert.equal(await gets(api, "Application/XML"), xml);
  });

  test("prefers JSON at equal q, whatever the order", async (api) => {
    for (const accept of [
      "application/xml, application/json",
      "application/json, application/xml",
      "text/xml;q=0.5, application/json;q=0.5",
      "application/*",
      "application/xml;q=0.8, */*;q=0.8",
    ]) {
      assert.equal(await gets(api, accept), json, accept);
    }
  });

  test("prefers the larger q", async (api) => {
    assert.equal(await gets(api, "application/json;q=0.5, application/xml"), xml);
    assert.equal(await gets(api, "application/json;q=0.5, application/xml;q=0.4"), json);
    assert.equal(await gets(api, "application/json;q=0.001, text/xml;q=0.002"), xml);
    assert.equal(await gets(api, "application/xml;q=0.9, */*;q=0.8"), xml);
    assert.equal(await gets(api, "application/json ; q=0.1 , application/xml ; Q=0.2"), xml);
  });

  test("returns XML to browsers, which list it before anything else that is served", async (api) => {
    assert.equal(await gets(api, "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), xml);
  });

  test("excludes a type with q=0", async (api) => {
    assert.equal(await gets(api, "application/json;q=1, text/xml;q=0"), json);
    assert.equal(await gets(api, "application/json;q=0, application/xml;q=0.1"), xml);
    assert.equal(await gets(api, "application/json;q=0, */*"), xml);
    assert.equal(await gets(api, "application/json;q=0.0, */*;q=0.1"), xml);
    assert.equal(await gets(api, "application/xml;q=0, application/json;q=0.000"), 406);
    assert.equal(await gets(api, "application/json;q=0"), 406);
    assert.equal(await gets(api, "*/*;q=0"), 406);
    assert.equal(await gets(api, "application/*;q=0, */*"), 406);
  });

  test("gives an exact type precedence over a range that contains it", async (api) => {
    assert.equal(await gets(api, "*/*;q=0.9, application/json;q=0.1"), xml);
    assert.equal(await gets(api, "application/*, application/json;q=0.1"), xml);
    assert.equal(await gets(api, "*/*, application/xml;q=0.1"), json);
    assert.equal(await gets(api, "text/*"), xml);
  });

  test("ignores media type parameters", async (api) => {
    assert.equal(await gets(api, "application/json; charset=utf-8"), json);
    assert.equal(await gets(api, "application/xml;version=1.0;q=0.9, application/json;indent=2;q=0.8"), xml);
    assert.equal(await gets(api, 'application/json;profile="https://example.com/a,b"'), json);
  });

  test("returns a 406 that lists the formats if none is acceptable", async (api) => {
    for (const accept of ["text/plain", "text/html", "application/csv, image/*", "application/jsonx"]) {
      const found = await api.fetch("/api/v2/news", { accept });
      assert.deepEqual([found.status, found.json.code], [406, "format.unacceptable"], accept);
      assert.match(found.json.detail, /application\/json and application\/xml/);
    }
  });
});

readingEveryStore("Accept on calendars", (test) => {
  test("returns JSON to every client that accepts it", async (api) => {
    for (const path of calendarPaths) {
      for (const accept of ["", "*/*", "application/json", "application/*;q=0.1", "application/xml, */*;q=0.1"]) {
        assert.equal(await gets(api, accept, path), json, `${path} with "${accept}"`);
      }
    }
  });

  test("returns a 406 that lists only JSON to a client that accepts only XML", async (api) => {
    for (const path of calendarPaths) {
      for (const accept of ["application/xml", "text/xml", "text/plain", "application/json;q=0, */*"]) {
        const found = await api.fetch(path, { accept });
        assert.equal(found.status, 406, `${path} with ${accept}`);
        assert.match(found.text, /application\/json/);
        assert.doesNotMatch(found.text, /application\/xml/);
      }
    }
  });
});
