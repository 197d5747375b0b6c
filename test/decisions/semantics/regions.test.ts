// The region filter of news: codes and English names of a country are equivalent; other names are names.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

readingEveryStore("region", (test) => {
  test("matches alpha-2, alpha-3, and English name of a country with each other, in any case", async (api) => {
    await api.has("news", [
      { id: 1, regions: ["CA"] },
      { id: 2, regions: ["can"] },
      { id: 3, regions: ["Canada"] },
      { id: 4, regions: ["US"] },
    ]);
    for (const region of ["ca", "CA", "can", "CAN", "Canada", "canada", "CANADA"]) {
      assert.deepEqual(await api.ids(`/api/v2/news?region=${region}`), [3, 2, 1], region);
    }
    for (const region of ["us", "USA", "United+States", "united%20states"]) {
      assert.deepEqual(await api.ids(`/api/v2/news?region=${region}`), [4], region);
    }
  });

  test("uses the English name that is used elsewhere: United Kingdom is gb and GBR", async (api) => {
    await api.has("news", [
      { id: 1, regions: ["GBR"] },
      { id: 2, regions: ["DEU"] },
    ]);
    for (const region of ["gb", "GBR", "United+Kingdom"]) {
      assert.deepEqual(await api.ids(`/api/v2/news?region=${region}`), [1], region);
    }
    for (const region of ["de", "DEU", "Germany"])
      assert.deepEqual(await api.ids(`/api/v2/news?region=${region}`), [2], region);
  });

  test("compares other names as names, ignoring case", async (api) => {
    await api.has("news", [
      { id: 1, regions: ["Europe"] },
      { id: 2, regions: ["Latin America"] },
      { id: 3, regions: ["FRA"] },
    ]);
    for (const region of ["Europe", "europe", "EUROPE"])
      assert.deepEqual(await api.ids(`/api/v2/news?region=${region}`), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?region=latin+america"), [2]);
    assert.deepEqual(await api.ids("/api/v2/news?region=Latin"), []);
  });

  test("matches an item under each of its regions", async (api) => {
    await api.has("news", [
      { id: 1, regions: ["USA", "Mexico", "Americas"] },
      { id: 2, regions: ["Mexico"] },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?region=US"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?region=MEX"), [2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?region=americas"), [1]);
  });

  test("returns an item that names one country twice once", async (api) => {
    await api.has("news", [{ id: 1, regions: ["CA", "CAN", "Canada"] }]);
    assert.deepEqual(await api.ids("/api/v2/news?region=Canada"), [1]);
  });

  test("returns an empty list for an unknown region, not an error", async (api) => {
    await api.has("news", [{ id: 1, regions: ["USA"] }]);
    for (const region of ["Atlantis", "zz", "ZZZ", "FRA", "123"]) {
      const found = await api.fetch(`/api/v2/news?region=${region}`);
      assert.deepEqual([found.status, found.text], [200, "[]"], region);
    }
  });

  test("is a single value: a comma is part of a name", async (api) => {
    await api.has("news", [
      { id: 1, regions: ["USA"] },
      { id: 2, regions: ["CAN"] },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?region=US,CA"), []);
  });

  test("is not returned with items", async (api) => {
    await api.has("news", [{ id: 1, regions: ["USA"] }]);
    const [found] = await api.get("/api/v2/news?region=US&displayOutput=full");
    assert.ok(!("regions" in found) && !("region" in found));
  });

  test("matches names with accents", async (api) => {
    await api.has("news", [
      { id: 1, regions: ["Côte d’Ivoire"] },
      { id: 2, regions: ["CIV"] },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?region=C%C3%B4te+d%E2%80%99Ivoire"), [2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?region=ci"), [2, 1]);
  });
});
