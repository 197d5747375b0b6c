// What the server does without the compatibility switch for clients that request JSON at a path of the web page, that
// don't encode their query, or that import records with unknown codes.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listening } from "../support/clients/listening.ts";
import { readingEveryStore } from "../support/stores/every-store.ts";

const wantsJson = { accept: "application/json" };

readingEveryStore("paths of the web page", (test) => {
  test("are a 404 for clients that request JSON, with the path that was probably meant", async (api) => {
    const cases: [string, RegExp][] = [
      ["/calendar/ratings", /Analyst ratings is served at \/api\/v2\.1\/calendar\/ratings\.$/],
      ["/calendar/dividends/?token=x", /Dividends is served at \/api\/v2\.2\/calendar\/dividends\.$/],
      ["/calendar/nonsense", /Its lists are \/api\/v2\.1\/calendar\/ratings, \/api\/v2\.2\/calendar\/dividends, /],
      ["/news", /News is served at \/api\/v2\/news\.$/],
      ["/news/5", /News item is served at \/api\/v2\/news\/\{id\}\.$/],
      ["/", /All paths of the API are in \/openapi\.json\.$/],
      ["/ticker/AAPL", /All paths of the API are in \/openapi\.json\.$/],
    ];
    for (const [path, detail] of cases) {
      const found = await api.request(path, { headers: wantsJson });
      assert.deepEqual([found.status, found.json.code], [404, "request.path"], path);
      assert.match(found.json.detail, detail);
      assert.equal(found.headers["content-type"], "application/problem+json; charset=utf-8");
      assert.match(found.headers.vary ?? "", /\bAccept\b/);
    }
  });

  test("are the page for browsers and for clients that accept anything", async (api) => {
    const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
    for (const accept of [browser, "*/*", "", "text/html", "text/*", "text/html, application/json;q=0.5"]) {
      const { status, headers } = await api.request("/calendar/ratings", { headers: { accept } });
      assert.equal(status, 200, accept);
      assert.match(headers["content-type"] ?? "", /^text\//, accept);
      assert.equal(headers.vary, "Accept, Accept-Encoding");
    }
    const programs = ["application/json, text/plain, */*", "application/json;q=1, text/html;q=0.5", "application/xml"];
    for (const accept of programs)
      assert.equal((await api.request("/calendar/ratings", { headers: { accept } })).status, 404, accept);
  });
});

describe("a query that isn't percent-encoded", () => {
  test("is a 400 that says how to encode it", () =>
    listening(async ({ send, key }) => {
      const head = `HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${await key()}\r\nconnection: close\r\n\r\n`;
      for (const query of ["topics=café", "region=日本", "tickers=F&authors=Zoë"]) {
        const { status, json } = await send(`GET /api/v2/news?${query} ${head}`);
        assert.deepEqual([status, json.code], [400, "request.malformed"]);
        assert.match(json.detail, /must be percent-encoded as UTF-8: é, for example, is sent as %C3%A9/);
      }
      assert.equal((await send(`GET /api/v2/news?topics=caf%C3%A9 ${head}`)).status, 200);
    }));
});

readingEveryStore("errors of a query", (test) => {
  test("more than 256 parameters are an error that states the limit", async (api) => {
    const many = Array.from({ length: 300 }, (_, index) => `p${index}=1`).join("&");
    const { status, json } = await api.fetch(`/api/v2/news?${many}`);
    assert.deepEqual([status, json.detail], [400, "Received 300 parameters, expected at most 256 parameters."]);
  });

  test("an unknown country is an error about codes only", async (api) => {
    const [error] = await api.errors("/api/v2.1/calendar/economics?country=QQQ");
    assert.equal(error?.expected, "a three-letter country code (ISO 3166-1), or EMU");
  });
});

readingEveryStore("country codes of imported events", (test) => {
  test("EUR is the euro area", async (api) => {
    await api.has("economics", [
      { id: "a", country: "EUR" },
      { id: "b", country_code: "eur" },
      { id: "c", country: "Euro Area" },
    ]);
    const { economics } = await api.get("/api/v2.1/calendar/economics?country=EMU");
    assert.deepEqual(
      economics.map(({ id, country }: { id: string; country: string }) => [id, country]),
      [
        ["c", "Euro Area"],
        ["b", "Euro Area"],
        ["a", "Euro Area"],
      ],
    );
  });

  test("a code that no filter matches is rejected, and a name of an unknown country is stored", async (api) => {
    const event = { id: "a", date: "2024-11-05" };
    const expected = "a country code (ISO 3166-1), EMU, EUR, or the English name of a country";
    for (const country of ["EU", "XXX", "qqq"])
      assert.deepEqual(api.rejections("economics", { ...event, country }), [
        `country: expected ${expected}, got "${country}"`,
      ]);
    assert.deepEqual(api.rejections("economics", { ...event, country: "Atlantis" }), []);
    assert.deepEqual(api.rejections("economics", { ...event, country: "EU", country_code: "EMU" }), []);
    assert.deepEqual(api.rejections("economics", { ...event, country: "UK" }), []);
  });
});
