// Import format: hidden attributes, required ones, defaults, time formats, replacing records, unknown values.
import assert from "node:assert/strict";
import { readingEveryStore, sharingEveryStore } from "../../support/stores/every-store.ts";

const calendars = ["ratings", "dividends", "guidance", "earnings", "economics", "conference-calls"];
const item = { id: 1, title: "t", created: 1_730_817_000 };

readingEveryStore("attributes that can be filtered by but are never returned", (test) => {
  test("of news: content_type, importance, regions, stocks[].primary, channels[].id", async (api) => {
    await api.has("news", [
      {
        id: 1,
        content_type: "Story",
        importance: "high",
        regions: ["CAN", "Europe"],
        stocks: [
          { name: "AAPL", primary: true },
          { name: "F", primary: false },
        ],
        channels: [{ name: "Earnings", id: 42 }],
      },
      { id: 2, stocks: [{ name: "AAPL" }], channels: [{ name: "Earnings" }] },
    ]);
    for (const query of [
      "content_types=story",
      "importance=high",
      "region=canada",
      "region=europe",
      "primaryTickers=AAPL",
      "channels=42",
    ]) {
      assert.deepEqual(await api.ids(`/api/v2/news?${query}`), [1], query);
    }
    assert.deepEqual(await api.ids("/api/v2/news?primaryTickers=F"), []);
    const found = await api.fetch("/api/v2/news?displayOutput=full");
    assert.doesNotMatch(found.text, /content_type|importance|regions|primary|story|42|CAN/i);
    assert.match(found.text, /"channels":\[\{"name":"Earnings"\}\]/);
    const xml = await api.fetch("/api/v2/news", { accept: "application/xml" });
    assert.doesNotMatch(xml.text, /content_type|importance|regions|primary/);
  });

  test("of economics: country_code, derived from country if missing", async (api) => {
    await api.has("economics", [
      { id: "name", country: "United States" },
      { id: "code", country_code: "USA" },
      { id: "both", country: "Euro Area", country_code: "EMU" },
      { id: "alpha2", country: "GB" },
      { id: "alpha3", country: "deu" },
      { id: "area", country: "EMU" },
    ]);
    const { economics } = await api.get("/api/v2.1/calendar/economics");
    const shown = Object.fromEntries(economics.map((each: { id: string; country: string }) => [each.id, each.country]));
    assert.deepEqual(shown, {
      name: "United States",
      code: "United States",
      both: "Euro Area",
      alpha2: "United Kingdom",
      alpha3: "Germany",
      area: "Euro Area",
    });
    assert.equal("country_code" in economics[0], false);
    const idsOf = async (code: string) => (await api.ids(`/api/v2.1/calendar/economics?country=${code}`)).sort();
    assert.deepEqual(await idsOf("USA"), ["code", "name"]);
    assert.deepEqual(await idsOf("EMU"), ["area", "both"]);
    assert.deepEqual(await idsOf("GBR"), ["alpha2"]);
    assert.deepEqual(await idsOf("DEU"), ["alpha3"]);
  });

  test("rejects an importance of news other than low, medium, or high, and a country_code", async (api) => {
    assert.match(
      api.rejections("news", { ...item, importance: "urgent" })[0] ?? "",
      /^importance: .*low, medium, high/,
    );
    assert.match(
      api.rejections("economics", { id: "a", date: "2024-11-05", country_code: "US" })[0] ?? "",
      /^country_code: /,
    );
  });
});

readingEveryStore("required attributes", (test) => {
  test("of news are id, title, and created", async (api) => {
    assert.deepEqual(api.rejections("news", item), []);
    const named = api.rejections("news", {}).map((reason) => reason.split(":")[0]);
    assert.deepEqual(named.sort(), ["created", "id", "title"]);
    for (const name of ["id", "title", "created"]) {
      for (const nothing of [undefined, null, ""]) {
        const reasons = api.rejections("news", { ...item, [name]: nothing });
        assert.equal(reasons.length, 1, `${name} ${nothing}`);
        assert.ok(reasons[0]?.startsWith(`${name}: `), String(reasons));
      }
    }
  });

  test("of calendars are id and date", async (api) => {
    for (const name of calendars) {
      assert.deepEqual(api.rejections(name, { id: "a", date: "2024-11-05" }), [], name);
      const named = api.rejections(name, {}).map((reason) => reason.split(":")[0]);
      assert.deepEqual(named.sort(), ["date", "id"], name);
    }
  });
});

sharingEveryStore("updated", (test) => {
  test("defaults to the time of import for calendar records", async (api) => {
    for (const name of calendars) await api.has(name, [{ id: "a", date: "2024-11-05" }]);
    const { ratings } = await api.get("/api/v2.1/calendar/ratings");
    assert.equal(ratings[0].updated, api.clock.now);
    await api.has("ratings", [{ id: "b", updated: 1_700_000_000 }]);
    assert.equal((await api.get("/api/v2.1/calendar/ratings?parameters[updated]=0")).ratings[0].updated, 1_700_000_000);
  });

  test("defaults to created for news", async (api) => {
    await api.has("news", [{ id: 1, created: "2024-11-05T14:30:00Z" }]);
    const [found] = await api.get("/api/v2/news");
    assert.equal(found.updated, "Tue, 05 Nov 2024 09:30:00 -0500");
  });

  test("and created of news are accepted in printed form, as ISO 8601 with an offset, or as Unix seconds", async (api) => {
    const forms = [
      "Tue, 05 Nov 2024 09:30:00 -0500",
      "Tue, 05 Nov 2024 14:30:00 +0000",
      "2024-11-05T14:30:00Z",
      "2024-11-05T09:30:00-05:00",
      "2024-11-05T20:00:00+05:30",
      1_730_817_000,
    ];
    await api.has(
      "news",
      forms.map((form, at) => ({ id: at + 1, created: form, updated: form })),
    );
    for (const found of await api.get("/api/v2/news")) {
      assert.equal(found.created, "Tue, 05 Nov 2024 09:30:00 -0500", `form ${found.id}`);
      assert.equal(found.updated, "Tue, 05 Nov 2024 09:30:00 -0500", `form ${found.id}`);
    }
  });

  test("and created are truncated to whole seconds", async (api) => {
    const forms = [
      "2024-11-05T14:30:00.999Z",
      "2024-11-05T09:30:00.5-05:00",
      "2024-11-05T14:30:00.000001Z",
      1_730_817_000.9,
    ];
    await api.has(
      "news",
      forms.map((created, at) => ({ id: at + 1, created })),
    );
    for (const found of await api.get("/api/v2/news")) {
      assert.equal(found.created, "Tue, 05 Nov 2024 09:30:00 -0500", `form ${found.id}`);
    }
  });

  test("is rejected by name if it has no offset or is not a time", async (api) => {
    for (const created of [
      "2024-11-05T14:30:00",
      "2024-11-05",
      "yesterday",
      "Mon, 05 Nov 2024 09:30:00 -0500",
      true,
      -1,
    ]) {
      const [reason = ""] = api.rejections("news", { ...item, created });
      assert.match(reason, /^created: expected .*, got /, String(created));
    }
  });
});

sharingEveryStore("importing the same ID again", (test) => {
  test("replaces the whole record: attributes missing from the new one become unknown", async (api) => {
    await api.has("ratings", [{ id: "a", ticker: "F", notes: "old", updated: 5 }]);
    assert.deepEqual(await api.has("ratings", [{ id: "a", ticker: "GM", updated: 6 }]), ["updated"]);
    const { ratings } = await api.get("/api/v2.1/calendar/ratings");
    assert.deepEqual(
      ratings.map(({ id, ticker, notes, updated }: Record<string, unknown>) => [id, ticker, notes, updated]),
      [["a", "GM", "", 6]],
    );
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings?parameters[tickers]=F"), []);
  });

  test("replaces everything that news is filtered by, including hidden attributes", async (api) => {
    await api.has("news", [{ id: 1, title: "Merger", stocks: [{ name: "F", primary: true }], importance: "high" }]);
    await api.has("news", [{ id: 1, title: "Split", stocks: [{ name: "GM" }] }]);
    for (const query of ["tickers=F", "primaryTickers=F", "importance=high", "topics=merger"]) {
      assert.deepEqual(await api.ids(`/api/v2/news?${query}`), [], query);
    }
    for (const query of ["tickers=GM", "topics=split"]) assert.deepEqual(await api.ids(`/api/v2/news?${query}`), [1]);
  });

  test("changes nothing if the content is the same, including updated", async (api) => {
    const record = { id: "a", ticker: "F", eps: "1.50" };
    await api.has("earnings", [record]);
    const before = await api.fetch("/api/v2.1/calendar/earnings");
    api.clock.now += 3600;
    assert.deepEqual(await api.has("earnings", [record]), ["unchanged"]);
    const after = await api.fetch("/api/v2.1/calendar/earnings");
    assert.deepEqual([after.text, after.headers.etag], [before.text, before.headers.etag]);
    assert.deepEqual(await api.has("earnings", [{ ...record, eps: "1.5" }]), ["updated"]);
    assert.equal((await api.get("/api/v2.1/calendar/earnings")).earnings[0].updated, api.clock.now);
  });

  test("is an update if only a hidden attribute has changed", async (api) => {
    await api.has("news", [{ id: 1, importance: "low" }]);
    assert.deepEqual(await api.has("news", [{ id: 1, importance: "high" }]), ["updated"]);
    assert.deepEqual(await api.has("news", [{ id: 1, importance: "high" }]), ["unchanged"]);
  });
});

readingEveryStore("null", (test) => {
  test("means unknown, for every attribute that isn't required", async (api) => {
    const nothing = {
      author: null,
      stocks: null,
      tags: null,
      image: null,
      importance: null,
      regions: null,
      updated: null,
    };
    await api.has("news", [{ id: 1, ...nothing, channels: [{ name: "News", id: null }] }]);
    assert.deepEqual(await api.has("news", [{ id: 1, channels: [{ name: "News" }] }]), ["unchanged"]);
    await api.has("dividends", [
      { id: "a", confirmed: null, dividend: null, frequency: null, cusip: null, updated: null },
    ]);
    assert.deepEqual(await api.has("dividends", [{ id: "a" }]), ["unchanged"]);
  });
});
