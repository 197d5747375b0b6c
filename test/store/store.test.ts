// The contract of a store: outcome of each record, change log, versions, removal, atomic batches, and snapshots.
import assert from "node:assert/strict";
import { validateRecord } from "../../src/core/record/validate.ts";
import { catalog } from "../../src/resources/catalog.ts";
import type { IncomingRow } from "../../src/store/store.ts";
import { runs } from "../support/budget.ts";
import { type Api, type RecordInput, resourceNamed } from "../support/clients/api.ts";
import { onEveryStore } from "../support/stores/every-store.ts";

const news = resourceNamed("news");
const ratings = resourceNamed("ratings");
const calendars = catalog.filter((resource) => resource.name !== "news");

/** Change log entries as `resource id kind`, oldest first. */
const log = async ({ store }: Api) =>
  (await store.changes(0, 10_000)).map(({ resource, id, kind }) => `${resource} ${id} ${kind}`);

const stamps = async ({ store }: Api) => {
  const state = await store.state();
  return Object.fromEntries(catalog.map((resource) => [resource.name, state.versionTag(resource)]));
};

/** Names of the resources whose version changes during an action. */
async function moved(api: Api, work: () => Promise<unknown>): Promise<string[]> {
  const before = await stamps(api);
  await work();
  const after = await stamps(api);
  return Object.keys(after).filter((name) => after[name] !== before[name]);
}

async function idsOfAll(api: Api, name: string): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const row of api.store.scan(resourceNamed(name))) ids.push(row.id);
  return ids;
}

const incoming = (name: string, record: RecordInput): IncomingRow => {
  const accepted = validateRecord(resourceNamed(name), record, 1);
  assert.ok("row" in accepted);
  return accepted;
};

onEveryStore("store", (test) => {
  test("reports each record of a batch as created, updated, or unchanged, and logs each change", async (api) => {
    const batch = ["a", "b", "c"].map((id) => ({ id, ticker: "A" }));
    assert.deepEqual(await api.has("ratings", batch), ["created", "created", "created"]);
    api.clock.now += 100;
    const again = [{ id: "c", ticker: "C" }, ...batch.slice(0, 2), { id: "d" }];
    assert.deepEqual(await api.has("ratings", again), ["updated", "unchanged", "unchanged", "created"]);
    assert.deepEqual(await api.has("ratings", again), Array(4).fill("unchanged"));
    assert.deepEqual(await api.has("dividends", [{ id: "a" }]), ["created"]);
    const expected = ["ratings a created", "ratings b created", "ratings c created", "ratings c updated"];
    assert.deepEqual(await log(api), [...expected, "ratings d created", "dividends a created"]);
    const changes = await api.store.changes(0, 100);
    assert.deepEqual(
      changes.map(({ at }) => api.clock.now - at),
      [100, 100, 100, 0, 0, 0],
    );
    for (let at = 1; at < changes.length; at++) assert.ok((changes[at]?.seq ?? 0) > (changes[at - 1]?.seq ?? 0));
    assert.deepEqual(await api.store.changes(changes[2]?.seq ?? 0, 2), changes.slice(3, 5));
    assert.deepEqual(await api.store.changes(changes.at(-1)?.seq ?? 0, 2), []);
  });

  test("ignores a changed time of import by itself, and uses it as the time of other changes", async (api) => {
    const updated = async () => (await api.get("/api/v2.1/calendar/ratings")).ratings[0].updated;
    await api.has("ratings", [{ id: "a", notes: "one" }]);
    const first = api.clock.now;
    api.clock.now += 60;
    assert.deepEqual(await api.has("ratings", [{ id: "a", notes: "one" }]), ["unchanged"]);
    assert.equal(await updated(), first);
    assert.deepEqual(await api.has("ratings", [{ id: "a", notes: "two" }]), ["updated"]);
    assert.equal(await updated(), first + 60);
    assert.deepEqual(await api.has("ratings", [{ id: "a", notes: "two", updated: 5 }]), ["updated"]);
    assert.equal(await updated(), 5);
  });

  test("writes a batch entirely or not at all: records, links, search text, log, and version", async (api) => {
    await api.has("news", [{ id: 1, title: "before" }]);
    const before = { log: await log(api), stamps: await stamps(api) };
    const input = { title: "lost", created: 5, stocks: [{ name: "LOST" }] };
    const good = incoming("news", { id: 2, ...input });
    const changed = incoming("news", { id: 1, ...input });
    // No import would accept such a row: it can't be written as JSON. Written last, since it is the newest.
    const bad: IncomingRow = { ...good, row: { ...good.row, id: 3, created: 2e9, title: 1n as unknown as string } };
    await assert.rejects(api.store.put(news, [changed, good, bad]));
    assert.deepEqual({ log: await log(api), stamps: await stamps(api) }, before);
    assert.deepEqual(await idsOfAll(api, "news"), [1]);
    for (const query of ["topics=lost", "tickers=LOST"]) assert.deepEqual(await api.ids(`/api/v2/news?${query}`), []);
    assert.deepEqual(await api.ids("/api/v2/news?topics=before"), [1]);
    assert.deepEqual(await api.store.put(news, [changed, good]), ["updated", "created"]);
  });

  test("removes a record from lists, links, and search, and logs it once", async (api) => {
    const input = { title: "Gone", body: "<p>gone too</p>", stocks: [{ name: "GO" }], tags: [{ name: "leaving" }] };
    await api.has("news", [
      { id: 1, ...input },
      { id: 2, ...input },
    ]);
    await api.has("ratings", [{ id: "1", ticker: "GO" }]);
    assert.equal(await api.store.remove(news, ["1", "77", "1"]), 1);
    for (const query of ["", "topics=gone", "topics=gone too", "topics=leaving", "tickers=go", "displayOutput=full"])
      assert.deepEqual(await api.ids(`/api/v2/news?${query}`), [2]);
    assert.equal((await api.get("/api/v2.1/calendar/ratings")).ratings.length, 1);
    assert.equal(await api.store.remove(ratings, ["1"]), 1);
    assert.deepEqual(await log(api), [
      ...["news 1 created", "news 2 created", "ratings 1 created"],
      ...["news 1 removed", "ratings 1 removed"],
    ]);
    assert.deepEqual(await api.has("news", [{ id: 1, ...input }]), ["created"]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=leaving&tickers=GO"), [2, 1]);
  });

  test("increments a version with every change of its resource or of the rendering, and with nothing else", async (api) => {
    const every = catalog.map(({ name }) => name);
    assert.deepEqual(await moved(api, () => api.store.render({ zone: "Asia/Tokyo" })), every);
    await api.store.render({ zone: "America/New_York" });
    const seen = new Set<string | undefined>([(await stamps(api)).ratings]);
    for (const work of [
      () => api.has("ratings", [{ id: "a" }]),
      () => api.has("ratings", [{ id: "a", notes: "x" }, { id: "b" }]),
      () => api.store.remove(ratings, ["a"]),
      () => api.has("ratings", [{ id: "a" }]),
      () => api.store.remove(ratings, ["a", "b"]),
    ]) {
      assert.deepEqual(await moved(api, work), ["ratings"]);
      const { ratings: stamp } = await stamps(api);
      assert.ok(!seen.has(stamp), "a stamp came back");
      seen.add(stamp);
    }
    await api.has("ratings", [{ id: "a" }]);
    for (const work of [
      () => api.has("ratings", [{ id: "a" }]),
      () => api.has("ratings", []),
      () => api.store.remove(ratings, ["unknown"]),
      () => api.store.remove(ratings, []),
      () => api.store.render({}),
      () => api.store.render({ zone: "America/New_York", cusip: "integer" }),
      () => api.store.setMetadata("remembered", "yes"),
      () => api.key({ name: "another" }),
      () => api.store.revokeKey("another", 5),
      () => api.get("/api/v2.1/calendar/ratings"),
    ]) {
      assert.deepEqual(await moved(api, work), []);
    }
    assert.deepEqual(await moved(api, () => api.store.render({ zone: "UTC" })), every);
    assert.deepEqual(await moved(api, () => api.store.render({ cusip: "string" })), every);
  });

  test("finds a record whose publication time changes only at its new position", async (api) => {
    const moving = { id: 7, title: "Moving", body: "<p>in the body</p>", stocks: [{ name: "MOVE" }], updated: 1 };
    await api.has("news", [
      { id: 5, title: "Fixed", created: "2024-03-05T12:00:00Z", stocks: [{ name: "MOVE" }] },
      { ...moving, created: "2024-03-01T12:00:00Z" },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=move"), [5, 7]);
    assert.deepEqual(await api.has("news", [{ ...moving, created: "2024-03-09T12:00:00Z" }]), ["updated"]);
    for (const query of ["", "tickers=MOVE", "sort=created:desc", "sort=id:desc&tickers=MOVE"])
      assert.deepEqual(new Set(await api.ids(`/api/v2/news?${query}`)), new Set([7, 5]), query);
    assert.deepEqual(await api.ids("/api/v2/news?tickers=MOVE"), [7, 5]);
    for (const query of ["topics=moving", "topics=the body", "date=2024-03-09", "tickers=MOVE&dateFrom=2024-03-06"])
      assert.deepEqual(await api.ids(`/api/v2/news?${query}`), [7], query);
    assert.deepEqual(await api.ids("/api/v2/news?date=2024-03-01"), []);
    const [record] = await api.get("/api/v2/news?displayOutput=full&topics=moving");
    assert.equal(record.body, "<p>in the body</p>");
    assert.deepEqual(await idsOfAll(api, "news"), [5, 7]);
  });

  test("stores the later of two records with the same ID in a batch", async (api) => {
    for (const [first, second] of [
      [100, 200],
      [200, 100],
    ]) {
      const twice = [
        { id: 1, title: `early ${first}`, created: first, stocks: [{ name: "EARLY" }] },
        { id: 2, title: "between", created: 150 },
        { id: 1, title: `late ${second}`, created: second, stocks: [{ name: "LATE" }] },
      ];
      const outcomes = await api.has("news", twice);
      assert.equal(outcomes.length, 3);
      assert.deepEqual(await api.ids("/api/v2/news?tickers=early"), []);
      assert.deepEqual(await api.ids(`/api/v2/news?tickers=late&topics=late ${second}`), [1]);
      assert.deepEqual((await idsOfAll(api, "news")).length, 2);
    }
    const same = { id: "a", ticker: "A" };
    assert.deepEqual(await api.has("ratings", [same, same, { ...same, ticker: "B" }]), [
      "created",
      "unchanged",
      "updated",
    ]);
    assert.deepEqual((await log(api)).slice(-2), ["ratings a created", "ratings a updated"]);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings?parameters[tickers]=b"), ["a"]);
  });

  test("returns and finds texts of 100,000 characters and thousands of stocks unchanged", async (api) => {
    const body = `<p>${`“Quoted” \\ text & é 😀 `.repeat(5000)} lastword</p>`;
    const stocks = Array.from({ length: 20_000 }, (_, index) => ({ name: `T${index}` }));
    assert.ok(body.length > 100_000);
    await api.has("news", [{ id: 1, body, teaser: "t".repeat(100_000), stocks }]);
    const [record] = await api.get("/api/v2/news?displayOutput=full&topics=lastword&tickers=T19999");
    assert.equal(record.body, body);
    assert.equal(record.teaser.length, 100_000);
    assert.equal(record.stocks.length, 20_000);
    assert.deepEqual(await api.has("news", [{ id: 1, body: "", stocks: [] }]), ["updated"]);
    for (const query of ["topics=lastword", "tickers=T0"]) assert.deepEqual(await api.ids(`/api/v2/news?${query}`), []);
  });

  test("returns all records in order of their IDs, from a single snapshot", async (api) => {
    const ids = ["B", "_", "a", "é", "\uffee", "😀", "10", "9"];
    await api.has(
      "ratings",
      ids.map((id) => ({ id, ticker: "OLD" })),
    );
    await api.has(
      "news",
      [90, 9, 100].map((id) => ({ id, title: "old" })),
    );
    const byCodePoint = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(await idsOfAll(api, "ratings"), byCodePoint);
    const seen: unknown[] = [];
    for await (const row of api.store.scan(news)) {
      seen.push([row.id, row.title]);
      if (seen.length > 1) continue;
      await api.has("news", [
        { id: 100, title: "changed" },
        { id: 10, title: "added" },
        { id: 200, title: "added" },
      ]);
      await api.store.remove(news, ["90"]);
    }
    assert.deepEqual(seen, [
      [9, "old"],
      [90, "old"],
      [100, "old"],
    ]);
    assert.deepEqual(await idsOfAll(api, "news"), [9, 10, 100, 200]);
  });

  test("applies another rendering to every record, and can revert it completely", async (api) => {
    const many = Array.from({ length: 2100 }, (_, index) => ({ id: `a${index}`, cusip: "037833100", updated: index }));
    // More than two batches of one resource; more than one page of the others.
    const count = (name: string) => (name === "ratings" ? many.length : runs(130, many.length));
    for (const { name } of calendars)
      await api.has(name, name === "economics" ? [{ id: "a" }] : many.slice(0, count(name)));
    const item = { created: "2024-11-05T03:00:00Z", stocks: [{ name: "A", primary: true }], body: "<p>b</p>" };
    await api.has("news", [{ id: 1, ...item }]);
    const total = many.length + 4 * count("others") + 2;
    const query = "displayOutput=full&parameters[is_primary]=All&page=1&pagesize=100";
    const responses = () => Promise.all(catalog.map(async ({ path }) => (await api.fetch(`${path}?${query}`)).text));
    const before = await responses();
    const changes = await log(api);
    assert.equal(await api.store.render({ zone: "Asia/Tokyo" }), total);
    assert.equal((await api.get("/api/v2/news"))[0].created, "Tue, 05 Nov 2024 12:00:00 +0900");
    assert.deepEqual(await api.ids("/api/v2/news?date=2024-11-05&primaryTickers=A&topics=b"), [1]);
    assert.equal(await api.store.render({ cusip: "string" }), total);
    const { ratings: rendered } = await api.get("/api/v2.1/calendar/ratings?page=2&pagesize=1000");
    assert.ok(rendered.length === 100 && rendered.every((each: RecordInput) => each.cusip === "037833100"));
    assert.equal((await api.get("/api/v2/news"))[0].created, "Tue, 05 Nov 2024 12:00:00 +0900");
    assert.equal(await api.store.render({ zone: "Asia/Tokyo", cusip: "string" }), 0);
    assert.equal(await api.store.render({ zone: "America/New_York", cusip: "integer" }), total);
    assert.deepEqual(await responses(), before);
    assert.deepEqual(await api.ids("/api/v2/news?date=2024-11-04"), [1]);
    assert.deepEqual(await log(api), changes);
  });
});
