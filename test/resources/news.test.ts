// News as specified: the response, its fields, and each of its parameters.
import assert from "node:assert/strict";
import { readingEveryStore, sharingEveryStore } from "../support/stores/every-store.ts";

const url = "/api/v2/news";

const item = {
  author: "Dana Whitlock",
  body: "<p>Full text</p>",
  channels: [{ name: "Earnings" }, { name: "Tech" }],
  created: "Tue, 05 Nov 2024 09:30:00 -0500",
  id: 41_234_567,
  image: [
    { size: "thumb", url: "https://example.com/thumb.png" },
    { size: "large", url: "https://example.com/large.png" },
  ],
  original_id: 41_234_500,
  stocks: [{ cusip: "037833100", exchange: "NASDAQ", isin: "US0378331005", name: "AAPL" }],
  tags: [{ name: "iPhone" }],
  teaser: "First lines",
  title: "Apple reports third quarter",
  updated: "Tue, 05 Nov 2024 09:31:30 -0500",
  url: "https://example.com/news/41234567",
};

readingEveryStore("news: the response", (test) => {
  test("is an array of items at the top level", async (api) => {
    await api.has("news", [item]);
    const found = await api.get(url);
    assert.ok(Array.isArray(found));
    assert.equal(found.length, 1);
  });

  test("contains every field of the interface for each item, as imported", async (api) => {
    await api.has("news", [item]);
    assert.deepEqual(await api.get(`${url}?displayOutput=full`), [item]);
  });

  test("has fields of the documented types", async (api) => {
    await api.has("news", [item]);
    const [found] = await api.get(`${url}?displayOutput=full`);
    const texts = ["author", "body", "created", "teaser", "title", "updated", "url"];
    for (const name of texts) assert.equal(typeof found[name], "string", name);
    for (const name of ["id", "original_id"]) assert.ok(Number.isInteger(found[name]), name);
    for (const name of ["channels", "image", "stocks", "tags"]) assert.ok(Array.isArray(found[name]), name);
    assert.deepEqual(
      Object.keys(found).sort(),
      [...texts, "id", "original_id", "channels", "image", "stocks", "tags"].sort(),
    );
    for (const { name } of [...found.channels, ...found.tags]) assert.equal(typeof name, "string");
    for (const { size, url } of found.image) assert.deepEqual([typeof size, typeof url], ["string", "string"]);
    for (const stock of found.stocks) {
      assert.deepEqual(Object.keys(stock).sort(), ["cusip", "exchange", "isin", "name"]);
      for (const value of Object.values(stock)) assert.equal(typeof value, "string");
    }
  });

  test("is JSON or XML, by default JSON", async (api) => {
    await api.has("news", [item]);
    assert.match((await api.fetch(url)).headers["content-type"] ?? "", /^application\/json\b/);
    const json = await api.fetch(url, { accept: "application/json" });
    assert.match(json.headers["content-type"] ?? "", /^application\/json\b/);
    const xml = await api.fetch(url, { accept: "application/xml" });
    assert.equal(xml.status, 200);
    assert.match(xml.headers["content-type"] ?? "", /^application\/xml\b/);
    assert.ok(xml.text.includes("<title>Apple reports third quarter</title>"));
  });

  test("requires a token", async (api) => {
    assert.equal((await api.request(url)).status, 401);
    assert.equal((await api.request(`${url}?token=${api.token}`)).status, 200);
  });

  test("exists at its own version only", async (api) => {
    for (const path of ["/api/v1/news", "/api/v2.1/news", "/api/v2.2/news", "/api/news"]) {
      assert.equal((await api.fetch(path)).status, 404, path);
    }
  });
});

sharingEveryStore("news: parameters", (test) => {
  test("page, from 0, and pageSize, by default 15 and at most 100", async (api) => {
    await api.has(
      "news",
      Array.from({ length: 120 }, (_, index) => ({ id: index + 1 })),
    );
    assert.equal((await api.ids(url)).length, 15);
    assert.deepEqual(await api.ids(url), await api.ids(`${url}?page=0&pageSize=15`));
    assert.deepEqual(
      await api.ids(`${url}?page=1&pageSize=100`),
      Array.from({ length: 20 }, (_, index) => 20 - index),
    );
    await api.errors(`${url}?pageSize=101`);
    await api.errors(`${url}?page=100001`);
    await api.get(`${url}?page=100000`);
  });

  test("displayOutput: headline, abstract, or full", async (api) => {
    await api.has("news", [item]);
    const filled = async (query: string) => {
      const [{ title, teaser, body }] = await api.get(`${url}${query}`);
      return [title === item.title, teaser === item.teaser, body === item.body];
    };
    assert.deepEqual(await filled(""), [true, false, false]);
    assert.deepEqual(await filled("?displayOutput=headline"), [true, false, false]);
    assert.deepEqual(await filled("?displayOutput=abstract"), [true, true, false]);
    assert.equal((await filled("?displayOutput=full"))[2], true);
  });

  test("date is shorthand for equal dateFrom and dateTo, which are bounds on the publication date", async (api) => {
    await api.has(
      "news",
      [4, 5, 6].map((day) => ({ id: day, created: `2024-11-0${day}T12:00:00-05:00` })),
    );
    assert.deepEqual(await api.ids(`${url}?date=2024-11-05`), [5]);
    assert.deepEqual(await api.ids(`${url}?dateFrom=2024-11-05&dateTo=2024-11-05`), [5]);
    assert.deepEqual(await api.ids(`${url}?dateFrom=2024-11-05`), [6, 5]);
    assert.deepEqual(await api.ids(`${url}?dateTo=2024-11-05`), [5, 4]);
  });

  test("updatedSince filters and sorts by last update, publishedSince by publication", async (api) => {
    await api.has("news", [
      { id: 1, created: 100, updated: 900 },
      { id: 2, created: 200, updated: 800 },
      { id: 3, created: 300, updated: 300 },
    ]);
    assert.deepEqual(await api.ids(`${url}?updatedSince=800`), [2, 1]);
    assert.deepEqual(await api.ids(`${url}?publishedSince=200`), [2, 3]);
  });

  test("sort: id, created, or updated, each asc or desc, by default created:desc", async (api) => {
    await api.has("news", [
      { id: 1, created: 200, updated: 200 },
      { id: 2, created: 100, updated: 300 },
    ]);
    for (const [sort, ids] of [
      ["id:asc", [1, 2]],
      ["id:desc", [2, 1]],
      ["created:asc", [2, 1]],
      ["created:desc", [1, 2]],
      ["updated:asc", [1, 2]],
      ["updated:desc", [2, 1]],
    ] as const) {
      assert.deepEqual(await api.ids(`${url}?sort=${sort}`), ids, sort);
    }
    assert.deepEqual(await api.ids(url), [1, 2]);
  });

  test("isin, cusips, and tickers, up to 50 each; primaryTickers only on the primary association", async (api) => {
    await api.has("news", [
      { id: 1, stocks: [{ name: "AAPL", isin: "US0378331005", cusip: "037833100", primary: true }] },
      { id: 2, stocks: [{ name: "AAPL" }, { name: "MSFT", isin: "US5949181045", cusip: "594918104", primary: true }] },
    ]);
    assert.deepEqual(await api.ids(`${url}?isin=US0378331005`), [1]);
    assert.deepEqual(await api.ids(`${url}?isin=US0378331005,US5949181045`), [2, 1]);
    assert.deepEqual(await api.ids(`${url}?cusips=594918104`), [2]);
    assert.deepEqual(await api.ids(`${url}?tickers=AAPL`), [2, 1]);
    assert.deepEqual(await api.ids(`${url}?primaryTickers=AAPL`), [1]);
    const symbols = (count: number) => Array.from({ length: count }, (_, index) => `S${index}`).join(",");
    for (const name of ["isin", "cusips", "tickers"]) {
      await api.get(`${url}?${name}=${symbols(50)}`);
      await api.errors(`${url}?${name}=${symbols(51)}`);
    }
  });

  test("cusips requires a license", async (api) => {
    const headers = { authorization: `Bearer ${await api.key()}` };
    assert.equal((await api.request(`${url}?cusips=037833100`, { headers })).status, 403);
  });

  test("channels by name or ID, authors and content_types by name", async (api) => {
    await api.has("news", [
      { id: 1, channels: [{ id: 7, name: "Earnings" }], author: "Dana Whitlock", content_type: "story" },
      { id: 2, channels: [{ id: 8, name: "Tech" }], author: "Lee Park", content_type: "brief" },
    ]);
    assert.deepEqual(await api.ids(`${url}?channels=Earnings`), [1]);
    assert.deepEqual(await api.ids(`${url}?channels=8`), [2]);
    assert.deepEqual(await api.ids(`${url}?channels=Tech,7`), [2, 1]);
    assert.deepEqual(await api.ids(`${url}?authors=Lee+Park`), [2]);
    assert.deepEqual(await api.ids(`${url}?authors=Lee+Park,Dana+Whitlock`), [2, 1]);
    assert.deepEqual(await api.ids(`${url}?content_types=story`), [1]);
    assert.deepEqual(await api.ids(`${url}?content_types=story,brief`), [2, 1]);
  });

  test("topics in title, tags, and body, in that order of priority; topic_group_by and or or, by default or", async (api) => {
    await api.has("news", [
      { id: 1, created: 100, title: "Merger talks" },
      { id: 2, created: 200, title: "x", tags: [{ name: "merger" }] },
      { id: 3, created: 300, title: "x", body: "a merger of equals" },
      { id: 4, created: 400, title: "of equals" },
    ]);
    assert.deepEqual(await api.ids(`${url}?topics=merger`), [1, 2, 3]);
    assert.deepEqual(await api.ids(`${url}?topics=merger,of+equals`), [4, 1, 2, 3]);
    assert.deepEqual(await api.ids(`${url}?topics=merger,of+equals&topic_group_by=or`), [4, 1, 2, 3]);
    assert.deepEqual(await api.ids(`${url}?topics=merger,of+equals&topic_group_by=and`), [3]);
  });

  test("format=text", async (api) => {
    await api.has("news", [item]);
    const [found] = await api.get(`${url}?displayOutput=full&format=text`);
    assert.equal(found.body, "Full text");
  });

  test("importance: low, medium, high; region: a code or a name", async (api) => {
    await api.has("news", [
      { id: 1, importance: "low", regions: ["CAN"] },
      { id: 2, importance: "medium", regions: ["USA"] },
      { id: 3, importance: "high", regions: ["Europe"] },
    ]);
    assert.deepEqual(await api.ids(`${url}?importance=low`), [1]);
    assert.deepEqual(await api.ids(`${url}?importance=medium`), [2]);
    assert.deepEqual(await api.ids(`${url}?importance=high`), [3]);
    assert.deepEqual(await api.ids(`${url}?region=CA`), [1]);
    assert.deepEqual(await api.ids(`${url}?region=United+States`), [2]);
    assert.deepEqual(await api.ids(`${url}?region=Europe`), [3]);
  });
});
