// Import format: rejections by name with every reason at once, and how tickers are stored.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

const item = { id: 1, title: "t", created: 1_730_817_000 };

readingEveryStore("rejected records", (test) => {
  const day = { id: "a", date: "2024-11-05" };

  test("an unknown attribute is rejected by name, including inside lists", async (api) => {
    assert.deepEqual(api.rejections("news", { ...item, headline: "x" }), ["headline: no such attribute"]);
    assert.deepEqual(api.rejections("ratings", { ...day, country_code: "USA" }), ["country_code: no such attribute"]);
    assert.deepEqual(api.rejections("guidance", { ...day, isin: "x" }), ["isin: no such attribute"]);
    assert.deepEqual(api.rejections("news", { ...item, tags: [{ name: "a" }, { name: "b", id: 1 }] }), [
      "tags[1].id: no such attribute",
    ]);
    assert.deepEqual(api.rejections("news", JSON.parse('{"id":1,"title":"t","created":1,"__proto__":{}}')), [
      "__proto__: no such attribute",
    ]);
  });

  test("a value of the wrong type is rejected with its name and the value received", async (api) => {
    for (const [resource, record, name, input] of [
      ["news", { ...item, id: "1" }, "id", '"1"'],
      ["news", { ...item, id: 1.5 }, "id", "1.5"],
      ["news", { ...item, title: 5 }, "title", "5"],
      ["news", { ...item, stocks: { name: "F" } }, "stocks", '{"name":"F"}'],
      ["news", { ...item, stocks: ["F"] }, "stocks[0]", '"F"'],
      ["news", { ...item, stocks: [{ name: "F", primary: "yes" }] }, "stocks[0].primary", '"yes"'],
      ["news", { ...item, channels: [{ id: 3 }] }, "channels[0].name", "nothing"],
      ["news", { ...item, regions: "USA" }, "regions", '"USA"'],
      ["ratings", { ...day, id: 7 }, "id", "7"],
      ["ratings", { ...day, pt_current: 230 }, "pt_current", "230"],
      ["ratings", { ...day, pt_current: "1e3" }, "pt_current", '"1e3"'],
      ["ratings", { ...day, importance: 6 }, "importance", "6"],
      ["ratings", { ...day, importance: "3" }, "importance", '"3"'],
      ["ratings", { ...day, time: "9:30" }, "time", '"9:30"'],
      ["ratings", { ...day, ratings_accuracy: [] }, "ratings_accuracy", "[]"],
      ["economics", { ...day, importance: 4 }, "importance", "4"],
      ["dividends", { ...day, confirmed: "true" }, "confirmed", '"true"'],
      ["dividends", { ...day, payable_date: "2024-02-30" }, "payable_date", '"2024-02-30"'],
      ["earnings", { ...day, date: "05.11.2024" }, "date", '"05.11.2024"'],
      ["guidance", { ...day, is_primary: true }, "is_primary", "true"],
    ] as const) {
      const reasons = api.rejections(resource, record);
      assert.equal(reasons.length, 1, JSON.stringify(reasons));
      assert.ok(reasons[0]?.startsWith(`${name}: expected `), String(reasons));
      assert.ok(reasons[0]?.endsWith(`, got ${input}`), String(reasons));
    }
  });

  test("anything but an object is rejected", async (api) => {
    for (const value of [null, 5, "text", [item], true]) assert.equal(api.rejections("news", value).length, 1);
  });

  test("every reason is reported at once", async (api) => {
    const reasons = api.rejections("news", {
      id: 0,
      created: "x",
      colour: 1,
      stocks: [{ isin: 5 }, 7],
      importance: "x",
    });
    assert.deepEqual(reasons.map((reason) => reason.split(":")[0]).sort(), [
      "colour",
      "created",
      "id",
      "importance",
      "stocks[0].isin",
      "stocks[0].name",
      "stocks[1]",
      "title",
    ]);
  });
});

readingEveryStore("tickers", (test) => {
  test("are returned as imported and compared in uppercase", async (api) => {
    await api.has("ratings", [{ id: "a", ticker: "brk.b" }]);
    await api.has("news", [{ id: 1, stocks: [{ name: "$btc" }, { name: "Aapl", primary: true }] }]);
    const { ratings } = await api.get("/api/v2.1/calendar/ratings?parameters[tickers]=BRK.B");
    assert.equal(ratings[0].ticker, "brk.b");
    for (const query of ["tickers=$BTC", "tickers=aapl", "primaryTickers=AAPL"]) {
      const [found] = await api.get(`/api/v2/news?${query}`);
      assert.deepEqual(found.stocks, [{ name: "$btc" }, { name: "Aapl" }]);
    }
  });
});
