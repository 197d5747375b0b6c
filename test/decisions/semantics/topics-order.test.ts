// Topic order: matches in the title come first, then in a tag, then in the body, unless another order is requested.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

const inTitle = { title: "Apple" };
const inTags = { title: "x", tags: [{ name: "apple" }] };
const inBody = { title: "x", body: "<p>apple</p>" };

readingEveryStore("order of matches", (test) => {
  test("is title, then tags, then body, newest first within each", async (api) => {
    await api.has("news", [
      { id: 1, created: 1000, ...inTitle },
      { id: 2, created: 4000, ...inTags },
      { id: 3, created: 6000, ...inBody },
      { id: 4, created: 2000, ...inTitle },
      { id: 5, created: 3000, ...inTags },
      { id: 6, created: 5000, ...inBody },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple"), [4, 1, 2, 5, 3, 6]);
  });

  test("breaks ties within a rank by ID, descending", async (api) => {
    await api.has("news", [
      { id: 2, created: 1000, ...inTitle },
      { id: 3, created: 1000, ...inTitle },
      { id: 1, created: 1000, ...inTitle },
      { id: 5, created: 1000, ...inBody },
      { id: 4, created: 1000, ...inBody },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple"), [3, 2, 1, 5, 4]);
  });

  test("ranks an item once, by its best match", async (api) => {
    await api.has("news", [
      { id: 1, created: 1000, title: "Apple", tags: [{ name: "apple" }], body: "apple" },
      { id: 2, created: 3000, title: "x", tags: [{ name: "pear" }, { name: "apple" }], body: "apple" },
      { id: 3, created: 5000, ...inBody },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple"), [1, 2, 3]);
  });

  test("ranks an item by the best match of any of several topics", async (api) => {
    await api.has("news", [
      { id: 1, created: 1000, title: "pear", body: "apple" },
      { id: 2, created: 2000, title: "x", tags: [{ name: "apple" }], body: "pear" },
      { id: 3, created: 3000, title: "x", body: "apple and pear" },
      { id: 4, created: 500, title: "apple" },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple,pear"), [1, 4, 2, 3]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=pear,apple"), [1, 4, 2, 3]);
  });

  test("depends on where the whole phrase is, not its words", async (api) => {
    await api.has("news", [
      { id: 1, created: 1000, title: "third quarter" },
      { id: 2, created: 2000, title: "quarter, the third", body: "third quarter" },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=third+quarter"), [1, 2]);
  });

  test("is stable across pages", async (api) => {
    await api.has("news", [
      { id: 1, created: 1000, ...inTitle },
      { id: 2, created: 4000, ...inTags },
      { id: 3, created: 6000, ...inBody },
      { id: 4, created: 2000, ...inTitle },
      { id: 5, created: 5000, ...inBody },
    ]);
    const pages = [0, 1, 2, 3].map((page) => api.ids(`/api/v2/news?topics=apple&pageSize=2&page=${page}`));
    assert.deepEqual(await Promise.all(pages), [[4, 1], [2, 3], [5], []]);
  });

  test("is preserved by other filters", async (api) => {
    const stocks = [{ name: "AAPL" }];
    await api.has("news", [
      { id: 1, created: "2024-01-05T12:00:00Z", ...inTitle, stocks },
      { id: 2, created: "2024-01-06T12:00:00Z", ...inBody, stocks },
      { id: 3, created: "2024-01-07T12:00:00Z", ...inTitle },
      { id: 4, created: "2024-02-07T12:00:00Z", ...inTags, stocks },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple&tickers=AAPL"), [1, 4, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple&tickers=AAPL&dateTo=2024-01-31"), [1, 2]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple&dateFrom=2024-01-06"), [3, 4, 2]);
  });

  test("is overridden by sort, including created:desc", async (api) => {
    await api.has("news", [
      { id: 1, created: 1000, updated: 9000, ...inTitle },
      { id: 2, created: 2000, updated: 8000, ...inTags },
      { id: 3, created: 3000, updated: 7000, ...inBody },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple&sort=created:desc"), [3, 2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple&sort=created:asc"), [1, 2, 3]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple&sort=updated:asc"), [3, 2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple&sort=id:desc"), [3, 2, 1]);
  });

  test("is overridden by a since-filter", async (api) => {
    await api.has("news", [
      { id: 1, created: 3000, updated: 7000, ...inTitle },
      { id: 2, created: 2000, updated: 8000, ...inTags },
      { id: 3, created: 1000, updated: 9000, ...inBody },
      { id: 4, created: 500, updated: 600, ...inTitle },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple&publishedSince=1000"), [3, 2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple&updatedSince=1000"), [1, 2, 3]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple&updatedSince=1000&publishedSince=2000"), [1, 2]);
  });
});

readingEveryStore("topic_group_by=and", (test) => {
  test("matches items that contain every topic, each in title, tags, or body", async (api) => {
    await api.has("news", [
      { id: 1, title: "apple pear" },
      { id: 2, title: "apple", body: "pear" },
      { id: 3, title: "x", tags: [{ name: "apple" }], body: "pear" },
      { id: 4, title: "apple" },
      { id: 5, title: "x", body: "pear" },
      { id: 6, title: "x", body: "<p>pear</p><p>apple</p>" },
    ]);
    const found = await api.ids("/api/v2/news?topics=apple,pear&topic_group_by=and");
    assert.deepEqual(found.sort(), [1, 2, 3, 6]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple,pear,plum&topic_group_by=and"), []);
    assert.deepEqual((await api.ids("/api/v2/news?topics=pear&topic_group_by=and")).sort(), [1, 2, 3, 5, 6]);
  });

  test("ranks an item by its best match", async (api) => {
    await api.has("news", [
      { id: 1, created: 1000, title: "pear", body: "apple" },
      { id: 2, created: 2000, title: "apple pear" },
      { id: 3, created: 9000, title: "x", tags: [{ name: "apple" }], body: "pear" },
      { id: 4, created: 8000, title: "x", tags: [{ name: "apple" }, { name: "pear" }] },
      { id: 5, created: 9999, title: "x", body: "apple pear" },
      { id: 6, created: 9999, title: "apple" },
    ]);
    const url = "/api/v2/news?topics=apple,pear&topic_group_by=and";
    assert.deepEqual(await api.ids(url), [2, 1, 3, 4, 5]);
    assert.deepEqual(await api.ids(`${url}&pageSize=2&page=1`), [3, 4]);
    assert.deepEqual(await api.ids(`${url}&sort=created:desc`), [5, 3, 4, 2, 1]);
  });

  test("combines phrases and words", async (api) => {
    await api.has("news", [
      { id: 1, title: "Third quarter results", tags: [{ name: "Apple" }] },
      { id: 2, title: "Quarter, third results", tags: [{ name: "Apple" }] },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=third+quarter,apple&topic_group_by=and"), [1]);
  });

  test("is accepted without topics and has no effect", async (api) => {
    await api.has("news", [{ id: 1 }]);
    assert.deepEqual(await api.ids("/api/v2/news?topic_group_by=and"), [1]);
  });
});
