// Pages add up to the whole list without duplicates, in every order and while others are writing.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { runs } from "../../support/budget.ts";
import type { Api, RecordInput } from "../../support/clients/api.ts";
import { crowd, sample, seed } from "../../support/records/records.ts";
import { orderedUrl, orders } from "../../support/requests/orders.ts";
import { inputsOf, type Pair, parseUrl, rowsOf, urlOf } from "../../support/requests/requests.ts";
import { sharingEveryStore } from "../../support/stores/every-store.ts";
import { withWriter } from "../../support/stores/second-store.ts";

type Id = string | number;

/** Fewer than the smallest maximum page size, so that one page can contain all. */
const recordCount = 96;

/** IDs of all pages, requested one after the other until one is empty; `between` runs after each. */
async function readPages(
  api: Api,
  resource: Resource,
  pair: Pair | undefined,
  size: number,
  between = async () => {},
): Promise<Id[]> {
  const ids: Id[] = [];
  for (let page = 0; ; page++) {
    const found = await api.ids(orderedUrl(resource, pair, { page, size }));
    assert.ok(found.length <= size);
    if (found.length === 0) return ids;
    ids.push(...found);
    await between();
  }
}

sharingEveryStore("pages", (test) => {
  for (const resource of catalog) {
    test(`pages of ${resource.name} add up to the whole list, in every order and with any page size`, async (api) => {
      const records = sample(crowd(resource, recordCount));
      await api.has(resource.name, records);
      const found = orders(resource, records, rowsOf(resource, records));
      assert.ok(found.size >= 2, "at least the default order and that of a since-filter");
      for (const [order, pair] of found) {
        const whole = await api.ids(orderedUrl(resource, pair));
        assert.equal(new Set(whole).size, whole.length, `by ${order}: a record occurs twice`);
        assert.ok(whole.length > 20, `by ${order}: only ${whole.length} records`);
        const property = fc.asyncProperty(fc.integer({ min: 2, max: 40 }), async (size) => {
          assert.deepEqual(await readPages(api, resource, pair, size), whole, `by ${order}, ${size} a page`);
        });
        await fc.assert(property, { seed, numRuns: runs(1, 4) });
      }
      assert.equal((await api.ids(orderedUrl(resource, undefined))).length, recordCount);
    });

    for (const { input, column } of sinceInputs(resource)) {
      test(`paging through ${resource.name} by ${input} misses and repeats nothing while others write`, async (api) => {
        const since = 1_730_800_000;
        const all = sample(crowd(resource, recordCount)).map((record, index) => ({
          ...record,
          [column]: since + (index % 7),
        }));
        const [existing, added] = [all.slice(0, 60), all.slice(60)];
        await api.has(resource.name, existing);
        const pair: Pair = [input, String(since)];
        const before = await api.ids(orderedUrl(resource, pair));
        assert.equal(before.length, existing.length);
        await withWriter(api, resource, async (put) => {
          let written = 0;
          const seen = await readPages(api, resource, pair, 7, async () => {
            const later = added.slice(written, written + 3).map((record, index) => ({
              ...record,
              [column]: since + 100 + Math.floor((written + index) / 2),
            }));
            written += later.length;
            if (later.length > 0) await put(later);
          });
          assert.equal(written, added.length, "paging continued until everything was written");
          assert.deepEqual(seen.slice(0, before.length), before);
          assert.deepEqual(new Set(seen.slice(before.length)), new Set(added.map(({ id }) => id)));
          assert.equal(seen.length, all.length);
          assert.deepEqual(seen, await api.ids(orderedUrl(resource, pair)));
        });
      });
    }

    test(`paging through ${resource.name} of a past day is not affected by records of other days`, async (api) => {
      const onDay = resource.fields.created === undefined ? "parameters[date]" : "date";
      // 18:00 UTC is the same day in New York.
      const dated = (record: RecordInput, day: string): RecordInput =>
        resource.fields.created === undefined ? { ...record, date: day } : { ...record, created: `${day}T18:00:00Z` };
      const all = sample(crowd(resource, recordCount));
      await api.has(
        resource.name,
        all.slice(0, 50).map((record) => dated(record, "2024-11-05")),
      );
      const pair: Pair = [onDay, "2024-11-05"];
      const before = await api.ids(orderedUrl(resource, pair));
      assert.equal(before.length, 50);
      await withWriter(api, resource, async (put) => {
        let written = 50;
        const days = ["2024-11-06", "2024-11-04", "2031-01-01", "2000-02-29"];
        const seen = await readPages(api, resource, pair, 9, async () => {
          await put(all.slice(written, written + 4).map((record, index) => dated(record, days[index] ?? "")));
          written += 4;
        });
        assert.deepEqual(seen, before);
      });
    });
  }
});

/** Parameters for records at or after a timestamp, oldest first, and the column of the timestamp. */
function sinceInputs(resource: Resource): { input: string; column: string }[] {
  const found = inputsOf(resource).flatMap(({ names: [input] }) => {
    const plan = parseUrl(resource, urlOf(resource, [[input, "0"]]))?.plan;
    const first = plan?.order[0];
    const isSince = plan?.where.some(
      ({ op, ...rest }) => op === "gte" && "column" in rest && rest.column === first?.column,
    );
    return first !== undefined && isSince ? [{ input, column: first.column }] : [];
  });
  assert.ok(found.length > 0, `${resource.name} can't be paged by a timestamp`);
  return found;
}
