// Unknown parameters: ignored, and listed in the header X-Ignored-Parameters.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

readingEveryStore("unknown parameters", (test) => {
  test("are ignored and listed, separated by commas, in the order received", async (api) => {
    await api.has("news", [{ id: 1 }]);
    const found = await api.fetch("/api/v2/news?symbols=AAPL&limit=5&pageSize=10&from=2024-01-01");
    assert.equal(found.status, 200);
    assert.equal(found.json.length, 1);
    assert.equal(found.headers["x-ignored-parameters"], "symbols,limit,from");
  });

  test("leave the header out if there are none; the token is a known parameter", async (api) => {
    const found = await api.request(`/api/v2/news?token=${api.token}&tickers=AAPL&page=0`);
    assert.equal(found.status, 200);
    assert.ok(!("x-ignored-parameters" in found.headers));
    assert.ok(!("x-ignored-parameters" in (await api.fetch("/api/v2/news")).headers));
  });

  test("are percent-encoded except for brackets", async (api) => {
    const found = await api.fetch(
      "/api/v2.1/calendar/ratings?paramaters[date]=1&a%2Cb=2&caf%C3%A9=3&x%20y=4&%0D%0ASet-Cookie=5&p%25=6",
    );
    assert.equal(found.headers["x-ignored-parameters"], "paramaters[date],a%2Cb,caf%C3%A9,x%20y,%0D%0ASet-Cookie,p%25");
    const encoded = await api.fetch("/api/v2.1/calendar/ratings?paramaters%5Bdate%5D=1");
    assert.equal(encoded.headers["x-ignored-parameters"], "paramaters[date]");
  });

  test("are truncated to 1 kB, with only complete names", async (api) => {
    const names = Array.from({ length: 200 }, (_, index) => `unknown-${String(index).padStart(3, "0")}`);
    const found = await api.fetch(`/api/v2/news?${names.map((name) => `${name}=1`).join("&")}`);
    assert.equal(found.status, 200);
    const header = found.headers["x-ignored-parameters"] ?? "";
    assert.ok(header.length <= 1024 && header.length > 1000, String(header.length));
    const listed = header.split(",");
    assert.deepEqual(listed, names.slice(0, listed.length));
  });

  test("are listed up to exactly 1 kB, and a single longer name is truncated", async (api) => {
    const first = "a".repeat(1000);
    const exact = await api.fetch(`/api/v2/news?${first}=1&${"b".repeat(23)}=1`);
    assert.equal(exact.headers["x-ignored-parameters"], `${first},${"b".repeat(23)}`);
    const over = await api.fetch(`/api/v2/news?${first}=1&${"b".repeat(24)}=1`);
    assert.equal(over.headers["x-ignored-parameters"], first);
    const long = await api.fetch(`/api/v2/news?${"c".repeat(3000)}=1`);
    assert.equal(long.status, 200);
    assert.equal(long.headers["x-ignored-parameters"]?.length, 1024);
  });

  test("include parameters known only elsewhere: importance on conference calls", async (api) => {
    await api.has("conference-calls", [
      { id: "a", importance: 0 },
      { id: "b", importance: 5 },
    ]);
    const found = await api.fetch("/api/v2.1/calendar/conference-calls?parameters[importance]=5");
    assert.equal(found.json["conference-calls"].length, 2);
    assert.equal(found.headers["x-ignored-parameters"], "parameters[importance]");
    const wrong = await api.fetch("/api/v2.1/calendar/conference-calls?parameters[importance]=high");
    assert.equal(wrong.status, 200);
  });

  test("include parameters known only elsewhere: tickers on economics", async (api) => {
    await api.has("economics", [{ id: "a" }]);
    const found = await api.fetch("/api/v2.1/calendar/economics?parameters[tickers]=AAPL");
    assert.equal(found.json.economics.length, 1);
    assert.equal(found.headers["x-ignored-parameters"], "parameters[tickers]");
  });

  test("include those of other endpoints, on every endpoint", async (api) => {
    for (const [path, query, names] of [
      ["v2/news", "parameters[date]=x&simplify=maybe", "parameters[date],simplify"],
      ["v2.1/calendar/ratings", "country=XXX&sort=up", "country,sort"],
      ["v2.2/calendar/dividends", "fields=nope&parameters[is_primary]=x", "fields,parameters[is_primary]"],
      ["v2.1/calendar/guidance", "parameters[date_sort]=x&simplify=x", "parameters[date_sort],simplify"],
      [
        "v2.1/calendar/earnings",
        "displayOutput=x&parameters[dividend_yield]=x",
        "displayOutput,parameters[dividend_yield]",
      ],
      ["v2.1/calendar/economics", "tickers=A&parameters[action]=x", "tickers,parameters[action]"],
      ["v2.1/calendar/conference-calls", "date=x&event_category=y", "date,event_category"],
    ] as const) {
      const found = await api.fetch(`/api/${path}?${query}`);
      assert.equal(found.status, 200, path);
      assert.equal(found.headers["x-ignored-parameters"], names, path);
    }
  });

  test("are listed on 304 and HEAD as well", async (api) => {
    const first = await api.fetch("/api/v2/news?oops=1");
    const again = await api.fetch("/api/v2/news?oops=1", { "if-none-match": first.headers.etag ?? "" });
    assert.equal(again.status, 304);
    assert.equal(again.headers["x-ignored-parameters"], "oops");
    const head = await api.request(`/api/v2/news?oops=1&token=${api.token}`, { method: "HEAD" });
    assert.equal(head.headers["x-ignored-parameters"], "oops");
  });
});
