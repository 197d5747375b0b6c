// Named cases of search in addition to random ones: where databases are known to tokenize words and phrases differently.
import assert from "node:assert/strict";
import { type ReadApi, readingEveryStore } from "../support/stores/every-store.ts";

const about = (api: ReadApi, topics: string, rest = "") =>
  api.ids(`/api/v2/news?topics=${encodeURIComponent(topics)}${rest}`);

/** Each topic with the IDs that it must match. */
async function finds(api: ReadApi, expected: Readonly<Record<string, readonly number[]>>): Promise<void> {
  for (const [topic, ids] of Object.entries(expected)) assert.deepEqual(await about(api, topic), ids, topic);
}

readingEveryStore("words", (test) => {
  test("a topic matches whole words, whatever their case, accents, and punctuation", async (api) => {
    await api.has("news", [
      { id: 1, title: "COVID-19 cases up 3.5 %" },
      { id: 2, title: "Café society: Zoë’s ﬁrst ＡＢＣ" },
      { id: 3, title: "See https://example.com/apple-news?x_y=1" },
      { id: 4, title: "Łódź, Straße, Ærø, İzmir, ısı" },
    ]);
    await finds(api, {
      "19": [1],
      "covid 19": [1],
      "Covid-19": [1],
      covid19: [],
      "5": [1],
      "3.5": [1],
      "35": [],
      cafe: [2],
      CAFÉ: [2],
      "cafe\u0301": [2],
      caf: [],
      "zoe s": [2],
      "first abc": [2],
      example: [3],
      "example.com": [3],
      "apple news": [3],
      x_y: [3],
      xy: [],
      "lodz strasse aero": [4],
      ÆRØ: [4],
      "IZMIR isi": [4],
    });
  });

  test("words in scripts that a database may not know match like any other", async (api) => {
    await api.has("news", [
      // Kawi was added in Unicode 15, Garay in 16: older tables of letters drop or split them.
      { id: 1, title: "𑼄𑼅 rises" },
      { id: 2, title: "𐵐𐵑" },
      { id: 3, title: "Οδυσσεύς και ΣΟΦΟΣ" },
      { id: 4, title: "東京市場" },
      { id: 5, title: "東京・市場" },
      { id: 6, title: "𑼄 𑼅" },
      // The middle sign of New Tai Lue was a mark until Unicode 8, and still splits words for SQLite.
      { id: 7, title: "ᦀᦰᦁ" },
      { id: 8, title: "ᦀ ᦁ" },
    ]);
    const expected: readonly [string, readonly number[]][] = [
      ["𑼄𑼅", [1]],
      ["𑼄𑼅 rises", [1]],
      ["𑼄", [6]],
      ["𑼄 𑼅", [6]],
      // Garay has uppercase and lowercase.
      ["𐵰𐵱", [2]],
      ["ΟΔΥΣΣΕΥΣ", [3]],
      ["οδυσσευς", [3]],
      ["οδυσσευσ και σοφος", [3]],
      ["東京市場", [4]],
      ["東京", [5]],
      ["東京 市場", [5]],
      ["市", []],
      ["ᦀᦰᦁ", [7]],
      ["ᦁ", [8]],
      ["ᦀ ᦁ", [8]],
    ];
    await finds(api, Object.fromEntries(expected));
  });

  test("the internal form of a word doesn't match as a word", async (api) => {
    // A store may spell ж by its number, which is ty in base 36.
    await api.has("news", [
      { id: 1, title: "ж" },
      { id: 2, title: "_ty_ and ty" },
      { id: 3, title: "a _ b" },
      { id: 4, title: "one", tags: [{ name: "two" }, { name: "three" }] },
    ]);
    await finds(api, { ж: [1], _ty_: [2], ty: [2], "a b": [3], "two _ three": [], "two ty three": [] });
    assert.equal((await api.errors("/api/v2/news?topics=_")).length, 1);
  });

  test("text that looks like search syntax is treated as words", async (api) => {
    await api.has("news", [
      { id: 1, title: "apple or orange" },
      { id: 2, title: "near apple 5" },
      { id: 3, title: "orange" },
      { id: 4, title: "title apple" },
      { id: 5, title: "apple not pear and plum" },
      { id: 6, title: "applesauce" },
    ]);
    await finds(api, {
      "apple OR orange": [1],
      "NEAR(apple 5)": [2],
      "apple*": [5, 4, 2, 1],
      '"apple': [5, 4, 2, 1],
      "^apple": [5, 4, 2, 1],
      "-apple": [5, 4, 2, 1],
      "apple + or": [1],
      "title:apple": [4],
      "{title}:apple": [4],
      "apple NOT pear": [5],
      "pear AND plum": [5],
      "orange') --": [3, 1],
      "apple & orange": [],
    });
  });
});

readingEveryStore("phrases", (test) => {
  test("a phrase matches within one passage and never across a boundary", async (api) => {
    await api.has("news", [
      {
        id: 1,
        title: "Shares of Apple",
        tags: [{ name: "inc report" }, { name: "alpha" }, { name: "beta" }],
        body: "<p>omega one</p><p>two <b>thr</b>ee<br>four</p><ul><li>five</li><li>six</li></ul><!-- seven --><script>eight</script>",
        teaser: "nine",
      },
    ]);
    await finds(api, {
      "shares of apple": [1],
      "apple inc": [],
      "inc report": [1],
      "report alpha": [],
      "alpha beta": [],
      "beta omega": [],
      "omega one": [1],
      "one two": [],
      "two three": [1],
      "two three four": [1],
      "four five": [],
      "five six": [],
      seven: [],
      eight: [],
      nine: [],
      br: [],
    });
  });

  test("punctuation and entities don't interrupt a phrase, and its order counts", async (api) => {
    await api.has("news", [{ id: 1, title: "Fish, chips & more", body: "AT&amp;T&nbsp;earnings&#8212;call" }]);
    await finds(api, {
      "fish chips more": [1],
      "chips fish": [],
      "at t earnings call": [1],
      "AT&T": [1],
      amp: [],
      nbsp: [],
    });
  });

  test("a topic without a letter or digit is rejected with the whole value, and empty ones are dropped", async (api) => {
    await api.has("news", [{ id: 1, title: "apple" }]);
    for (const input of ["*,apple", "apple, - ", "…", '"'] as const) {
      for (const how of ["", "&topic_group_by=and", "&topic_group_by=or"]) {
        const [error, ...more] = await api.errors(`/api/v2/news?topics=${encodeURIComponent(input)}${how}`);
        assert.deepEqual([error?.parameter, error?.given, more.length], ["topics", input, 0]);
      }
    }
    assert.deepEqual(await api.ids("/api/v2/news?topics=,apple,+,&topic_group_by=and"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=,+,&topic_group_by=and"), [1]);
  });
});

readingEveryStore("ranks", (test) => {
  /** Odd IDs are older; each rank has several. */
  const placed = [
    { id: 10, created: 1_730_000_100, title: "gold" },
    { id: 11, created: 1_730_000_000, title: "gold again", body: "gold" },
    { id: 20, created: 1_730_000_300, title: "x", tags: [{ name: "y" }, { name: "gold" }] },
    { id: 21, created: 1_730_000_200, title: "x", tags: [{ name: "gold" }], body: "gold" },
    { id: 30, created: 1_730_000_500, title: "x", body: "<p>gold</p>" },
    { id: 31, created: 1_730_000_400, title: "x", body: "silver and gold" },
    { id: 40, created: 1_730_000_600, title: "x", teaser: "gold" },
  ].map((item) => ({ ...item, updated: 1_730_001_000 - item.id }));

  test("are title, then tags, then body, newest first within each, and pages continue across them", async (api) => {
    await api.has("news", placed);
    const all = [10, 11, 20, 21, 30, 31];
    assert.deepEqual(await api.ids("/api/v2/news?topics=gold"), all);
    for (const size of [1, 2, 3, 4, 5]) {
      const pages = Array.from({ length: 7 }, (_, page) =>
        api.ids(`/api/v2/news?topics=gold&pageSize=${size}&page=${page}`),
      );
      assert.deepEqual((await Promise.all(pages)).flat(), all, `${size} a page`);
    }
  });

  test("are overridden by a requested order, or that of a since-filter", async (api) => {
    await api.has("news", placed);
    assert.deepEqual(await api.ids("/api/v2/news?topics=gold&sort=created:desc"), [30, 31, 20, 21, 10, 11]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=gold&sort=id:desc"), [31, 30, 21, 20, 11, 10]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=gold&updatedSince=0"), [31, 30, 21, 20, 11, 10]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=gold&publishedSince=1730000100"), [10, 21, 20, 31, 30]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=gold&date=2024-10-26"), [10, 11, 20, 21, 30, 31]);
  });

  test("with and, topics may match in different places, and the best one ranks the item", async (api) => {
    await api.has("news", [
      { id: 1, created: 1, title: "iron", body: "copper" },
      { id: 2, created: 2, title: "x", tags: [{ name: "iron" }, { name: "copper" }] },
      { id: 3, created: 3, title: "x", body: "<p>copper</p><p>iron</p>" },
      { id: 4, created: 4, title: "iron" },
      { id: 5, created: 5, title: "x", tags: [{ name: "copper" }], body: "iron" },
      { id: 6, created: 6, title: "x", body: "copper" },
    ]);
    const and = "/api/v2/news?topics=iron,copper&topic_group_by=and";
    assert.deepEqual(await api.ids(and), [1, 5, 2, 3]);
    assert.deepEqual(await api.ids(`${and}&sort=id:asc`), [1, 2, 3, 5]);
    assert.deepEqual(await api.ids(`${and}&pageSize=2&page=1`), [2, 3]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=iron,copper"), [4, 1, 5, 2, 6, 3]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=iron,copper,iron&topic_group_by=and"), [1, 5, 2, 3]);
  });

  test("combine with every other filter", async (api) => {
    const item = {
      title: "gold",
      author: "Dana Whitlock",
      created: "2024-11-05T15:00:00Z",
      updated: "2024-11-06T15:00:00Z",
      content_type: "story",
      importance: "high",
      regions: ["CA"],
      channels: [{ name: "M&A", id: 7 }],
      stocks: [{ name: "BRK.B", isin: "US0846707026", cusip: "084670702", primary: true }],
    };
    const stock = item.stocks[0];
    // Each filter with an item that differs only in what it filters by.
    const filters: Readonly<Record<string, object>> = {
      "date=2024-11-05": { created: "2024-11-07T15:00:00Z" },
      "dateFrom=2024-11-05": { created: "2024-11-04T15:00:00Z" },
      "dateTo=2024-11-05": { created: "2024-11-06T15:00:00Z" },
      "updatedSince=1730905200": { updated: "2024-11-06T14:59:59Z" },
      "publishedSince=1730818800": { created: "2024-11-05T14:59:59Z" },
      "isin=us0846707026": { stocks: [{ ...stock, isin: "US0846707027" }] },
      "cusips=084670702": { stocks: [{ ...stock, cusip: "084670703" }] },
      "tickers=brk.b": { stocks: [{ ...stock, name: "BRK.A" }] },
      "primaryTickers=BRK.B": { stocks: [{ ...stock, primary: false }] },
      "channels=m%26a": { channels: [{ name: "Merger" }] },
      "channels=7": { channels: [{ name: "Seven", id: 8 }] },
      "authors=dana+whitlock": { author: "Dana White" },
      "content_types=Story": { content_type: "brief" },
      "importance=high": { importance: "low" },
      "region=Canada": { regions: ["US"] },
      "topics=gold": { title: "silver" },
    };
    const decoys = Object.values(filters).map((change, index) => ({ ...item, ...change, id: 100 + index }));
    await api.has("news", [{ ...item, id: 1 }, ...decoys]);
    for (const [index, filter] of Object.keys(filters).entries()) {
      const found = await api.ids(
        `/api/v2/news?pageSize=100&${filter === "topics=gold" ? "" : "topics=gold&"}${filter}`,
      );
      assert.ok(found.includes(1), `${filter} does not find the item`);
      assert.ok(!found.includes(100 + index), `${filter} finds what it should not`);
    }
    const together = Object.keys(filters).filter((filter) => !/^(date|channels=7)/.test(filter));
    assert.deepEqual(await api.ids(`/api/v2/news?${together.join("&")}&date=2024-11-05`), [1]);
    assert.deepEqual(
      await api.ids(`/api/v2/news?${together.join("&")}&date=2024-11-05&sort=id:asc&topic_group_by=and`),
      [1],
    );
  });

  test("apply to 64 topics as to one, and one more is rejected", async (api) => {
    const topics = Array.from({ length: 64 }, (_, index) => `w${(index + 1296).toString(36)}`);
    const url = `/api/v2/news?topics=${topics.join(",")}`;
    await api.has("news", [
      { id: 1, title: "x", body: topics.join(" ") },
      { id: 2, title: "x", tags: [{ name: String(topics.at(-1)) }] },
      { id: 3, title: String(topics[0]) },
      { id: 4, title: "x" },
    ]);
    assert.deepEqual(await api.ids(url), [3, 2, 1]);
    assert.deepEqual(await api.ids(`${url}&topic_group_by=and`), [1]);
    assert.deepEqual(await api.ids(`${url}&sort=id:asc`), [1, 2, 3]);
    assert.equal((await api.errors(`${url},more`))[0]?.parameter, "topics");
  });

  test("the first 200,000 characters of a record are searched, on every store", async (api) => {
    const filler = Array.from({ length: 40_000 }, (_, index) => `f${index}`).join(" ");
    await api.has("news", [{ id: 1, title: "x", body: `early ${filler} late` }]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=early"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=late"), []);
  });
});
