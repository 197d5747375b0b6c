// Attributes as found in real data: their spelling, and those that are only stored.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

readingEveryStore("attributes as found in real data", (test) => {
  test("returns action_company in the interface's spelling, whatever its case in the import", async (api) => {
    await api.has("ratings", [
      { id: "a", time: "09:00:00", action_company: "initiates coverage on" },
      { id: "b", time: "09:00:01", action_company: "UPGRADES" },
    ]);
    const { ratings } = await api.get("/api/v2.1/calendar/ratings?parameters[action]=upgrades");
    assert.deepEqual(
      ratings.map((each: { action_company: string }) => each.action_company),
      ["Upgrades"],
    );
    const all = await api.get("/api/v2.1/calendar/ratings");
    assert.equal(all.ratings[1].action_company, "Initiates Coverage On");
  });

  test("rejects a cusip in exponent notation, which has lost digits, but accepts one that contains an E", async (api) => {
    const day = { id: "a", date: "2024-11-05" };
    const item = { id: 1, title: "t", created: 1 };
    for (const cusip of ["3.07833E+08", "3e+08", "3.07833e8"]) {
      assert.match(api.rejections("ratings", { ...day, cusip })[0] ?? "", /^cusip: expected .*exponent/);
      const stocks = [{ name: "F", cusip }];
      assert.match(api.rejections("news", { ...item, stocks })[0] ?? "", /^stocks\[0\]\.cusip: expected .*exponent/);
    }
    for (const cusip of ["68389E101", "037833100", "17275R102"]) {
      assert.deepEqual(api.rejections("ratings", { ...day, cusip }), []);
      assert.deepEqual(api.rejections("news", { ...item, stocks: [{ name: "F", cusip }] }), []);
    }
  });

  test("accepts alt of images, importance_rank, gics, and sector, and never returns them", async (api) => {
    const more = { importance_rank: 3, gics: { code: 45 }, sector: "Energy" };
    await api.has("news", [
      {
        id: 1,
        ...more,
        image: [{ size: "thumb", url: "u", alt: "A chart" }],
        stocks: [{ name: "F", sector: "Autos" }],
      },
    ]);
    await api.has("earnings", [{ id: "a", ...more }]);
    const [found] = await api.get("/api/v2/news?displayOutput=full");
    assert.deepEqual([found.image, found.stocks], [[{ size: "thumb", url: "u" }], [{ name: "F" }]]);
    const { earnings } = await api.get("/api/v2.1/calendar/earnings");
    for (const record of [found, earnings[0]])
      for (const name of Object.keys(more)) assert.equal(name in record, false, name);
  });
});
