// A cached page is used only while its data is current: it always equals a fresh read.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { evaluate } from "../../../src/core/query/evaluate.ts";
import type { Row } from "../../../src/core/record/row.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { runs } from "../../support/budget.ts";
import { type RecordInput, testNow } from "../../support/clients/api.ts";
import { expectedBody, expectedRecord, firstLook, type Shown, viewed, withoutHeavy } from "../../support/expected.ts";
import { crowd, sample, seed } from "../../support/records/records.ts";
import { parseUrl, requests, rowsOf } from "../../support/requests/requests.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

const ratings = "/api/v2.1/calendar/ratings";

/** Returns the expected body of a request over these records. Each record is rendered once. */
function bodiesOf(resource: Resource) {
  const made = new Map<RecordInput, { readonly row: Row; readonly shown: Shown }>();
  const madeOf = (record: RecordInput) => {
    const [row] = made.has(record) ? [] : rowsOf(resource, [record]);
    if (row !== undefined) made.set(record, { row, shown: expectedRecord(resource, record, firstLook, testNow) });
    return made.get(record) ?? assert.fail();
  };
  return (url: string, records: readonly RecordInput[]): string => {
    const { plan, view } = parseUrl(resource, url) ?? assert.fail(`${url} is not understood`);
    const known = records.map(madeOf);
    const shown = new Map(known.map((each) => [each.row, each.shown]));
    const found = evaluate(
      plan,
      known.map(({ row }) => row),
    ).map((row) => shown.get(row) as Shown);
    return expectedBody(
      resource,
      found.map((record) => viewed(resource, withoutHeavy(resource, record, plan.include), view)),
    );
  };
}

onEveryStore("cached pages", (test) => {
  for (const resource of catalog) {
    test(
      `${resource.name}: every page is current while records are added, changed, and removed`,
      async (api) => {
        const records = sample(crowd(resource, 120));
        const [first, later] = [records.slice(0, 80), records.slice(80)];
        const urls = fc.sample(requests(resource, records, rowsOf(resource, records)), { seed, numRuns: runs(10, 20) });
        const present = new Map(first.map((record) => [record.id, record]));
        const bodyOf = bodiesOf(resource);
        await api.has(resource.name, first);
        const requestAll = async (after: string) => {
          for (const url of urls) {
            const { status, text } = await api.fetch(url);
            assert.equal(status, 200, text);
            assert.equal(text, bodyOf(url, [...present.values()]), `${url} after ${after}`);
          }
        };
        for (let time = 0; time < 3; time++) await requestAll("the first records");
        for (const [step, record] of later.slice(0, runs(12, 24)).entries()) {
          if (step % 6 === 4) {
            const [id, old] = [...present][step] ?? assert.fail();
            const changed = { ...record, id: old.id };
            present.set(id, changed);
            await api.has(resource.name, [changed]);
          } else if (step % 6 === 5) {
            const [id] = [...present.keys()].slice(step);
            present.delete(id);
            await api.store.remove(resource, [String(id)]);
          } else {
            present.set(record.id, record);
            await api.has(resource.name, [record]);
          }
          await requestAll(`step ${step}`);
        }
      },
      { cacheBytes: 32_000_000 },
    );
  }

  test("after any change of a resource its pages have a new ETag, and only that one gets a 304", async (api) => {
    const url = `${ratings}?parameters[tickers]=AAPL`;
    await api.has("ratings", [{ id: "a", ticker: "AAPL" }]);
    for (let time = 0; time < 3; time++) await api.get(url);
    const { headers: old } = await api.fetch(url);
    await api.has("ratings", [{ id: "b", ticker: "MSFT" }]);
    const { headers } = await api.fetch(url);
    assert.notEqual(headers.etag, old.etag);
    assert.equal((await api.fetch(url, { "if-none-match": headers.etag ?? "" })).status, 304);
    assert.equal((await api.fetch(url, { "if-none-match": old.etag ?? "" })).status, 200);
  });

  test("pages are current after large imports and after the change log was truncated", async (api) => {
    const url = `${ratings}?parameters[tickers]=AAPL`;
    await api.has("ratings", [{ id: "a", ticker: "AAPL", date: "2024-11-01" }]);
    for (let time = 0; time < 3; time++) assert.deepEqual(await api.ids(url), ["a"]);
    const many = Array.from({ length: 150 }, (_, index) => ({ id: `m${index}`, ticker: "MSFT", date: "2024-11-02" }));
    await api.has("ratings", [...many, { id: "b", ticker: "AAPL", date: "2024-11-02" }]);
    assert.deepEqual(await api.ids(url), ["b", "a"]);
    await api.has("ratings", [{ id: "c", ticker: "AAPL", date: "2024-11-03" }]);
    await api.has("ratings", [{ id: "d", ticker: "MSFT", date: "2024-11-04" }]);
    await api.store.pruneChanges({ upTo: await api.store.lastPosition() }, 1000);
    assert.deepEqual(await api.ids(url), ["c", "b", "a"]);
  });

  test("pages are current after changes that the change log doesn't list: copied records, another time zone", async (api) => {
    const url = "/api/v2/news?tickers=AAPL";
    const [resource] = catalog.filter(({ name }) => name === "news");
    assert.ok(resource);
    const stocks = [{ name: "AAPL" }];
    await api.has("news", [{ id: 1, stocks }]);
    for (let time = 0; time < 3; time++) assert.deepEqual(await api.ids(url), [1]);
    const [row] = rowsOf(resource, [{ id: 2, stocks, title: "moved in", created: "2026-01-14T12:00:00Z" }]);
    assert.ok(row);
    await api.store.put(resource, [{ row, stamped: false }], { log: false });
    assert.deepEqual(new Set(await api.ids(url)), new Set([1, 2]));
    const [before] = await api.get(url);
    await api.store.render({ zone: "Europe/Berlin" });
    const [after] = await api.get(url);
    assert.notEqual(after.created, before.created);
  });
});
