// Keys, shapes, and orders of responses that clients of other implementations expect, with and without the switch.
import assert from "node:assert/strict";
import { resourceNamed } from "../support/clients/api.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";
import { bothWays, idsOf } from "./both-ways.ts";

const calendar = (name: string) => `/api/v2.1/calendar/${name}`;

sharingEveryStore("keys and shapes", (test) => {
  test("conference calls are also under the key conference", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("conference-calls", [{ id: "a", name: "Café AG" }, { id: "b" }]);
    const { json } = await lenient(calendar("conference-calls"));
    assert.deepEqual(Object.keys(json), ["conference-calls", "conference"]);
    assert.deepEqual(json.conference, json["conference-calls"]);
    assert.deepEqual(json.conference.length, 2);
    assert.deepEqual(Object.keys((await strict(calendar("conference-calls"))).json), ["conference-calls"]);
  });

  test("a long page of conference calls is whole under both keys", async (api) => {
    const { lenient } = await bothWays(api);
    const records = Array.from({ length: 200 }, (_, index) => ({ id: `é${index}`, notes: "x".repeat(100) }));
    await api.has("conference-calls", records);
    const { json, headers, bytes } = await lenient(`${calendar("conference-calls")}?pagesize=200`);
    assert.deepEqual([json.conference.length, json["conference-calls"].length], [200, 200]);
    assert.equal(headers["content-length"], String(bytes.length));
  });

  test("analysts and firms have other keys, further filters, and pages of a hundred", async (api) => {
    const { lenient, strict } = await bothWays(api);
    const names = Array.from({ length: 120 }, (_, index) => String(index).padStart(3, "0"));
    await api.has(
      "ratings",
      names.map((each) => ({
        ...{ id: each, date: "2024-01-01", updated: 1000 + Number(each) },
        ...{ analyst_id: `p${each}`, analyst_name: `Ana ${each}`, firm_id: `f${each}`, analyst: `Firm ${each}` },
      })),
    );
    const analysts = `${calendar("ratings")}/analysts`;
    const { json } = await lenient(analysts);
    assert.deepEqual(Object.keys(json), ["analyst_ratings_analyst"]);
    assert.equal(json.analyst_ratings_analyst.length, 100);
    assert.equal((await lenient(`${analysts}?page=1`)).json.analyst_ratings_analyst.length, 20);
    assert.equal((await strict(analysts)).json.analysts.length, 50);
    const filters: [string, string[]][] = [
      ["analyst=p007", ["p007"]],
      ["analyst_name=ana+007,Ana+008", ["p007", "p008"]],
      ["firm=f009", ["p009"]],
      ["firm_name=FIRM+010", ["p010"]],
      ["updated=1118", ["p118", "p119"]],
      ["firm=f009&analyst=p001", []],
    ];
    for (const [filter, ids] of filters) assert.deepEqual(idsOf(await lenient(`${analysts}?${filter}`)), ids, filter);
    assert.equal((await strict(`${analysts}?analyst_name=x`)).headers["x-ignored-parameters"], "analyst_name");
    const chosen = await lenient(`${analysts}?fields=id,name_full&analyst=p007`);
    assert.deepEqual(chosen.json.analyst_ratings_analyst, [{ id: "p007", name_full: "Ana 007" }]);
    const firms = `${calendar("ratings")}/firms`;
    const found = await lenient(`${firms}?firm_name=Firm+003`);
    assert.deepEqual(found.json, { analyst_ratings_firm: [{ id: "f003", name: "Firm 003" }] });
    assert.deepEqual(idsOf(await lenient(`${firms}?analyst_name=Ana+005`)), ["f005"]);
    assert.deepEqual(idsOf(await lenient(`${firms}?parameters[updated]=1119`)), ["f119"]);
    assert.deepEqual(idsOf(await lenient(`${calendar("ratings")}?analyst_name=ana+005`)), ["005"]);
    assert.deepEqual(idsOf(await lenient(`${calendar("ratings")}?firm_name=Firm+006,firm+007`)), ["007", "006"]);
  });

  test("analysts that a key with a history or delay can't see aren't found by a filter", async (api) => {
    const key = await api.key({ compat: true, history: "2024-06-01" });
    await api.has("ratings", [
      { id: "a", date: "2024-01-01", analyst_id: "p1", firm_id: "f1" },
      { id: "b", date: "2024-07-01", analyst_id: "p2", firm_id: "f1" },
    ]);
    const found = await api.request(`${calendar("ratings")}/analysts?token=${key}&firm=f1`);
    assert.deepEqual(idsOf(found), ["p2"]);
  });

  test("channels are in an envelope, as objects of id, parent, channel, and weight", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("news", [{ id: 1, channels: [{ id: 17, name: "Earnings" }, { name: "M&A" }] }]);
    const url = "/api/v2.1/news/channels";
    assert.deepEqual((await lenient(url)).json, {
      ok: true,
      data: [
        { id: 17, parent: 0, channel: "Earnings", weight: 0 },
        { id: 0, parent: 0, channel: "M&A", weight: 0 },
      ],
    });
    assert.equal((await strict(url)).text, '[{"id":17,"name":"Earnings"},{"name":"M&A"}]');
  });

  test("removed news has the time as text", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("news", [{ id: 1 }]);
    await api.store.remove(resourceNamed("news"), ["1"]);
    const url = "/api/v2/news-removed";
    assert.deepEqual((await lenient(url)).json, {
      removed: [{ id: 1, updated: "Thu, 15 Jan 2026 07:00:00 -0500" }],
    });
    assert.equal(typeof (await strict(url)).json.removed[0].updated, "number");
    assert.deepEqual(idsOf(await lenient(`${url}?updated_since=1768478400`)), [1]);
  });

  test("removed conference calls have the type conference calls, which is also accepted as a filter", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("conference-calls", [{ id: "a" }]);
    await api.has("ratings", [{ id: "b" }]);
    await api.store.remove(resourceNamed("conference-calls"), ["a"]);
    await api.store.remove(resourceNamed("ratings"), ["b"]);
    const url = "/api/v2.1/calendar-removed";
    const types = (await lenient(url)).json.removed.map(({ type }: { type: string }) => type);
    assert.deepEqual(types.sort(), ["conference calls", "ratings"]);
    for (const type of ["conference+calls", "conference-calls", "Conference%20Calls"])
      assert.deepEqual(idsOf(await lenient(`${url}?type=${type}`)), ["a"], type);
    assert.equal((await strict(`${url}?type=conference+calls`)).status, 400);
    assert.equal((await strict(`${url}?type=conference-calls`)).json.removed[0].type, "conference-calls");
  });

  test("cusip is a string of nine characters, with letters too", async (api) => {
    const { lenient, strict } = await bothWays(api);
    for (const name of ["ratings", "dividends", "guidance", "earnings", "conference-calls"]) {
      const primary = name === "guidance" ? { is_primary: "true" } : {};
      await api.has(name, [
        { id: "a", cusip: 37833100, ...primary },
        { id: "b", cusip: "38259P508", ...primary },
        { id: "c", ...primary },
      ]);
      const path = name === "dividends" ? "/api/v2.2/calendar/dividends" : calendar(name);
      const cusips = (json: Record<string, { id: string; cusip?: unknown }[]>) =>
        Object.fromEntries((json[name] ?? []).map(({ id, cusip }) => [id, cusip]));
      assert.deepEqual(cusips((await lenient(path)).json), { a: "037833100", b: "38259P508", c: undefined }, name);
      assert.deepEqual(cusips((await strict(path)).json), { a: 37833100, b: undefined, c: undefined }, name);
    }
  });

  test("every other byte of a record is the same, also with selected fields", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("ratings", [
      {
        ...{ id: "a", ticker: "AAPL", pt_prior: "230", pt_current: "260.00", rating_current: "Overweight" },
        ...{ cusip: 37833100, ratings_accuracy: { smart_score: "71.20" }, notes: 'a "quoted" note' },
      },
    ]);
    const asText = (text: string) => text.replace('"cusip":37833100', '"cusip":"037833100"');
    for (const query of [
      "",
      "?fields=*",
      "?fields=cusip,id,pt_pct_change",
      "?simplify=true",
      "?fields=id,rating_current&simplify=true",
    ]) {
      const url = `${calendar("ratings")}${query}`;
      assert.equal((await lenient(url)).text, asText((await strict(url)).text), url);
    }
  });
});

sharingEveryStore("the order of ratings", (test) => {
  const records = [
    { id: "a", date: "2024-01-01", time: "09:00:00", updated: 300 },
    { id: "b", date: "2024-01-01", time: "10:00:00", updated: 100 },
    { id: "c", date: "2024-01-01", time: "11:00:00", updated: 200 },
    { id: "d", date: "2024-01-02", time: "08:00:00", updated: 50 },
    { id: "e", date: "2024-01-01", time: "", updated: 200 },
  ];

  test("is by date and update with the switch, and by date and time without", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("ratings", records);
    assert.deepEqual(idsOf(await lenient(calendar("ratings"))), ["d", "a", "e", "c", "b"]);
    assert.deepEqual(idsOf(await strict(calendar("ratings"))), ["d", "c", "b", "a", "e"]);
    assert.deepEqual(idsOf(await lenient(`${calendar("ratings")}?dateSort=asc`)), ["b", "c", "e", "a", "d"]);
  });

  test("is total: pages by number and by cursor are the whole list", async (api) => {
    const { lenient } = await bothWays(api);
    await api.has("ratings", records);
    const byNumber: (string | number)[] = [];
    for (const page of [0, 1, 2])
      byNumber.push(...idsOf(await lenient(`${calendar("ratings")}?pagesize=2&page=${page}`)));
    assert.deepEqual(byNumber, ["d", "a", "e", "c", "b"]);
    const byCursor: (string | number)[] = [];
    for (let next: string | undefined = "/api/v1/calendar/ratings?page_size=2"; next !== undefined; ) {
      const found = await lenient(next);
      byCursor.push(...idsOf(found));
      next = /<([^>]+)>/.exec(found.headers.link ?? "")?.[1];
    }
    assert.deepEqual(byCursor, byNumber);
  });

  test("is the same in deep pages, which are found by counts", async (api) => {
    const { lenient } = await bothWays(api);
    const many = Array.from({ length: 700 }, (_, n) => ({
      ...{ id: `r${n}`, date: `2024-01-0${1 + (n % 7)}`, time: `0${n % 10}:00:00`, importance: n % 6 },
      updated: 1_700_000_000 + ((n * 7919) % 1000),
    }));
    await api.has("ratings", many);
    for (const query of ["", "&dateSort=asc", "&importance=3", "&date_from=2024-01-03&date_to=2024-01-06"]) {
      const url = `${calendar("ratings")}?${query}`;
      const all = idsOf(await lenient(`${url}&pagesize=1000`));
      const pages: (string | number)[] = [];
      for (let page = 0; page * 50 < all.length; page++)
        pages.push(...idsOf(await lenient(`${url}&pagesize=50&page=${page}`)));
      assert.deepEqual(pages, all, query);
      assert.ok(all.length > 300, query);
    }
  });
});
