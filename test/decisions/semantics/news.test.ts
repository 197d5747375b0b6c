// News filters by instrument, channel, author, content type, and importance, and what displayOutput fills.
import assert from "node:assert/strict";
import { readingEveryStore, sharingEveryStore } from "../../support/stores/every-store.ts";

readingEveryStore("displayOutput", (test) => {
  const item = { id: 1, title: "Headline", teaser: "First lines", body: "<p>All of it</p>" };

  test("headline, the default, leaves teaser and body present but empty", async (api) => {
    await api.has("news", [item]);
    for (const query of ["", "?displayOutput=headline"]) {
      const [found] = await api.get(`/api/v2/news${query}`);
      assert.deepEqual([found.title, found.teaser, found.body], ["Headline", "", ""]);
    }
  });

  test("abstract fills the teaser and leaves the body present but empty", async (api) => {
    await api.has("news", [item]);
    const [found] = await api.get("/api/v2/news?displayOutput=abstract");
    assert.deepEqual([found.title, found.teaser, found.body], ["Headline", "First lines", ""]);
  });

  test("full fills both", async (api) => {
    await api.has("news", [item]);
    const [found] = await api.get("/api/v2/news?displayOutput=full");
    assert.deepEqual([found.title, found.teaser, found.body], ["Headline", "First lines", "<p>All of it</p>"]);
  });

  test("never returns null for a missing body or teaser", async (api) => {
    await api.has("news", [{ id: 1 }, { id: 2, body: "b" }, { id: 3, teaser: "t" }]);
    const found = await api.get("/api/v2/news?displayOutput=full&sort=id:asc");
    assert.deepEqual(
      found.map((each: { body: string; teaser: string }) => [each.body, each.teaser]),
      [
        ["", ""],
        ["b", ""],
        ["", "t"],
      ],
    );
  });

  test("affects no other field", async (api) => {
    await api.has("news", [item]);
    const [headline] = await api.get("/api/v2/news");
    const [full] = await api.get("/api/v2/news?displayOutput=full");
    assert.deepEqual(Object.keys(headline), Object.keys(full));
    assert.deepEqual({ ...full, body: "", teaser: "" }, headline);
  });
});

sharingEveryStore("instruments of news", (test) => {
  const items = [
    {
      id: 1,
      stocks: [
        { name: "MSFT", isin: "US5949181045", cusip: "594918104" },
        { name: "AAPL", isin: "US0378331005", cusip: "037833100", primary: true },
      ],
    },
    { id: 2, stocks: [{ name: "MSFT", isin: "US5949181045", cusip: "594918104", primary: true }] },
    { id: 3, stocks: [{ name: "BRK.B", isin: "US0846707026", cusip: "084670702", primary: false }] },
    { id: 4 },
  ];

  test("tickers matches items with any of them among their stocks", async (api) => {
    await api.has("news", items);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=MSFT"), [2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=AAPL"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=AAPL,BRK.B"), [3, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=BRK"), []);
  });

  test("tickers returns an item that matches twice once", async (api) => {
    await api.has("news", items);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=AAPL,MSFT"), [2, 1]);
  });

  test("primaryTickers matches stocks marked as primary, wherever they are in the list", async (api) => {
    await api.has("news", items);
    assert.deepEqual(await api.ids("/api/v2/news?primaryTickers=MSFT"), [2]);
    assert.deepEqual(await api.ids("/api/v2/news?primaryTickers=AAPL"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?primaryTickers=BRK.B"), []);
    assert.deepEqual(await api.ids("/api/v2/news?primaryTickers=AAPL,MSFT"), [2, 1]);
  });

  test("isin and cusips match any of the item's stocks", async (api) => {
    await api.has("news", items);
    assert.deepEqual(await api.ids("/api/v2/news?isin=US5949181045"), [2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?isin=US0378331005,US0846707026"), [3, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?cusips=594918104"), [2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?cusips=037833100,084670702"), [3, 1]);
  });

  test("all of these filters must match if they are combined", async (api) => {
    await api.has("news", items);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=MSFT&isin=US0378331005"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=MSFT&cusips=037833100"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=MSFT&primaryTickers=AAPL"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?isin=US5949181045&cusips=594918104&primaryTickers=MSFT"), [2]);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=BRK.B&isin=US0378331005"), []);
  });

  test("one kind of symbol doesn't match another", async (api) => {
    await api.has("news", items);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=US5949181045"), []);
    assert.deepEqual(await api.ids("/api/v2/news?isin=594918104"), []);
    assert.deepEqual(await api.ids("/api/v2/news?cusips=MSFT"), []);
  });

  test("class shares and crypto symbols match as written", async (api) => {
    await api.has("news", [
      { id: 1, stocks: [{ name: "BRK/B" }] },
      { id: 2, stocks: [{ name: "$BTC" }] },
      { id: 3, stocks: [{ name: "BRK.B" }] },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=brk/b"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=BRK%2FB"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=$btc"), [2]);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=%24BTC,BRK.B"), [3, 2]);
  });

  test("cusips requires a key with the cusip license; without it, the 403 names the license", async (api) => {
    await api.has("news", items);
    const without = { authorization: `Bearer ${await api.key()}` };
    const rejected = await api.request("/api/v2/news?cusips=594918104", { headers: without });
    assert.equal(rejected.status, 403);
    assert.equal(rejected.json.code, "key.license");
    assert.match(rejected.json.detail, /\bcusip\b/);
    const licensed = { authorization: `Bearer ${await api.key({ licenses: ["cusip"] })}` };
    const found = await api.request("/api/v2/news?cusips=594918104", { headers: licensed });
    assert.deepEqual(
      found.json.map((each: { id: number }) => each.id),
      [2, 1],
    );
  });

  test("everything else works without the license, including an empty cusips and CUSIPs in responses", async (api) => {
    await api.has("news", items);
    const without = { authorization: `Bearer ${await api.key()}` };
    for (const url of [
      "/api/v2/news",
      "/api/v2/news?cusips=",
      "/api/v2/news?cusips=,+,",
      "/api/v2/news?isin=US5949181045",
    ]) {
      assert.equal((await api.request(url, { headers: without })).status, 200, url);
    }
    const [found] = (await api.request("/api/v2/news?tickers=AAPL", { headers: without })).json;
    assert.equal(found.stocks[1].cusip, "037833100");
  });
});

readingEveryStore("channels, authors, and content types", (test) => {
  const items = [
    {
      id: 1,
      channels: [
        { id: 10, name: "Earnings" },
        { id: 20, name: "M&A" },
      ],
      author: "Dana Whitlock",
      content_type: "story",
    },
    { id: 2, channels: [{ id: 30, name: "Econ #s" }], author: "Whitlock", content_type: "brief" },
    { id: 3, channels: [{ name: "After-Hours Center" }], author: "O'Neil", content_type: "story" },
    { id: 4 },
  ];

  test("channels accepts names and IDs, mixed freely", async (api) => {
    await api.has("news", items);
    assert.deepEqual(await api.ids("/api/v2/news?channels=Earnings"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?channels=20"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?channels=30,Earnings"), [2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?channels=After-Hours+Center,10,30"), [3, 2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?channels=1"), []);
    assert.deepEqual(await api.ids("/api/v2/news?channels=Earn"), []);
  });

  test("names with & # . - and blanks match if they are encoded", async (api) => {
    await api.has("news", items);
    assert.deepEqual(await api.ids("/api/v2/news?channels=M%26A"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?channels=Econ%20%23s"), [2]);
    assert.deepEqual(await api.ids("/api/v2/news?channels=Econ+%23s,M%26A,after-hours+center"), [3, 2, 1]);
  });

  test("the ID of a channel is not returned", async (api) => {
    await api.has("news", items);
    const [found] = await api.get("/api/v2/news?channels=10");
    assert.deepEqual(found.channels, [{ name: "Earnings" }, { name: "M&A" }]);
  });

  test("authors accepts full names, any of a list", async (api) => {
    await api.has("news", items);
    assert.deepEqual(await api.ids("/api/v2/news?authors=Whitlock"), [2]);
    assert.deepEqual(await api.ids("/api/v2/news?authors=Dana+Whitlock,O'Neil"), [3, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?authors=Dana"), []);
  });

  test("content_types accepts any of a list", async (api) => {
    await api.has("news", items);
    assert.deepEqual(await api.ids("/api/v2/news?content_types=story"), [3, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?content_types=story,brief"), [3, 2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?content_types=video"), []);
  });

  test("filters of different kinds must all match", async (api) => {
    await api.has("news", items);
    assert.deepEqual(await api.ids("/api/v2/news?channels=Earnings&authors=Dana+Whitlock&content_types=story"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?channels=Earnings&content_types=brief"), []);
  });
});

readingEveryStore("importance of news", (test) => {
  test("matches exactly that level, and never an item without one", async (api) => {
    await api.has("news", [
      { id: 1, importance: "low" },
      { id: 2, importance: "medium" },
      { id: 3, importance: "high" },
      { id: 4 },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?importance=low"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?importance=medium"), [2]);
    assert.deepEqual(await api.ids("/api/v2/news?importance=high"), [3]);
    assert.deepEqual(await api.ids("/api/v2/news"), [4, 3, 2, 1]);
  });
});

readingEveryStore("no match", (test) => {
  test("returns 200 with exactly [] for news", async (api) => {
    for (const url of ["/api/v2/news", "/api/v2/news?tickers=NONE", "/api/v2/news?displayOutput=full&format=text"]) {
      const found = await api.fetch(url);
      assert.deepEqual([found.status, found.text], [200, "[]"], url);
    }
  });

  test("returns 200 with the key and an empty list for calendars", async (api) => {
    for (const [path, text] of [
      ["/api/v2.1/calendar/ratings", '{"ratings":[]}'],
      ["/api/v2.1/calendar/ratings?fields=id&simplify=true", '{"ratings":[]}'],
      ["/api/v2.2/calendar/dividends", '{"dividends":[]}'],
      ["/api/v2.1/calendar/guidance", '{"guidance":[]}'],
      ["/api/v2.1/calendar/earnings", '{"earnings":[]}'],
      ["/api/v2.1/calendar/economics", '{"economics":[]}'],
      ["/api/v2.1/calendar/conference-calls", '{"conference-calls":[]}'],
    ] as const) {
      const found = await api.fetch(path);
      assert.deepEqual([found.status, found.text], [200, text]);
    }
  });
});
