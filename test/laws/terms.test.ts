// A key that sees some of the records gets the same responses as from a service that contains only those.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Resource } from "../../src/core/catalog/resource.ts";
import type { Row } from "../../src/core/record/row.ts";
import { localDay, zone } from "../../src/core/value/time-zone.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { extensions } from "../../src/resources/lists/extensions.ts";
import { runs } from "../support/budget.ts";
import { type Api, type ApiResponse, type RecordInput, startApi, testNow } from "../support/clients/api.ts";
import { firstLook } from "../support/expected.ts";
import { crowd, sample, seed } from "../support/records/records.ts";
import { requests, rowsOf } from "../support/requests/requests.ts";
import { onEveryStore } from "../support/stores/every-store.ts";

const recordCount = 120;

const dayOf = ({ date, created }: Row): string =>
  typeof date === "string" ? date : localDay(zone(firstLook.zone) ?? assert.fail("no zone"), Number(created));

/** When a record arrived, as far as a delay is concerned. */
const cameAt = (resource: Resource, { created, updated }: Row): number =>
  Number(resource.name === "news" ? created : updated);

/** The quantile of all values. */
const quantile = <T>(values: readonly T[], part: number): T =>
  values.toSorted((a, b) => (a < b ? -1 : 1))[Math.floor(values.length * part)] as T;

const seen = ({ status, text, headers: { link, "content-type": type } }: ApiResponse) => ({ status, text, link, type });

onEveryStore("key terms", (test) => {
  for (const resource of catalog) {
    test(`${resource.name}: history and delay hide what is beyond them, on every page in every order`, async (api) => {
      const records: readonly RecordInput[] = sample(crowd(resource, recordCount)).map((record, index) =>
        // Past times, several per minute, so that a delay hides some.
        ({ ...record, updated: testNow - 7200 + index * 20 + (index % 7), ...createdAt(resource, index) }),
      );
      const rows = rowsOf(resource, records);
      await api.has(resource.name, records);
      const history = quantile(rows.map(dayOf), 0.5);
      const delay = Math.floor(
        (testNow -
          quantile(
            rows.map((row) => cameAt(resource, row)),
            0.7,
          )) /
          60,
      );
      const lastSecond = Math.floor(testNow / 60) * 60 - delay * 60;
      const isOld = (row: Row) => cameAt(resource, row) <= lastSecond;
      const isNew = (row: Row) => dayOf(row) >= history;
      for (const [terms, isSeen] of [
        [{ history }, isNew],
        [{ delay }, isOld],
        [{ history, delay }, (row: Row) => isNew(row) && isOld(row)],
      ] as const) {
        const part = records.filter((_, index) => isSeen(rows[index] as Row));
        assert.ok(part.length > 0 && part.length < records.length, `${JSON.stringify(terms)} sees ${part.length}`);
        await holding(resource, part, async (other) => {
          const key = await api.key({ ...terms, licenses: ["cusip"] });
          const property = fc.asyncProperty(requests(resource, records, rows), async (url) => {
            const expected = seen(await other.fetch(url));
            // Fresh, stored, and cached.
            for (let time = 0; time < 3; time++)
              assert.deepEqual(seen(await api.fetch(url, { authorization: `Bearer ${key}` })), expected, url);
            const next = /^<(.*)>; rel="next"$/.exec(expected.link ?? "")?.[1];
            if (next === undefined) return;
            assert.deepEqual(
              seen(await api.fetch(next, { authorization: `Bearer ${key}` })),
              seen(await other.fetch(next)),
              next,
            );
          });
          await fc.assert(property, { seed, numRuns: runs(4, 40) });
        });
      }
    });
  }

  test("every list returns 403 to a key licensed for another resource, and names that resource", async (api) => {
    for (const listing of [...catalog, ...extensions]) {
      const names = "resources" in listing ? listing.resources : [listing.name];
      const other = catalog.find(({ name }) => !names.includes(name));
      // Lists of all resources show each key its own.
      if (other === undefined) continue;
      const url = listing.path.replace("{id}", "1");
      const key = await api.key({ resources: [other.name] });
      const rejected = await api.request(url, { headers: { authorization: `Bearer ${key}` } });
      assert.deepEqual([rejected.status, rejected.json.code], [403, "key.resource"], url);
      for (const name of names) assert.ok(rejected.json.detail.includes(`"${name}"`), rejected.json.detail);
      assert.ok(rejected.json.detail.endsWith(`this key is licensed for ${other.name}.`), rejected.json.detail);
      for (const name of names) {
        const sold = await api.key({ resources: [name] });
        const { status } = await api.request(url, { headers: { authorization: `Bearer ${sold}` } });
        assert.equal(status, 200, `${url} with ${name}`);
      }
    }
  });
});

/** The days of news are those of its creation; it has not changed since. */
function createdAt({ name }: Resource, index: number): RecordInput {
  const created = testNow - 86_400 * Math.floor((recordCount - index) / 12) - 7200 + index * 20;
  return name === "news" ? { created, updated: created } : {};
}

/** Runs a function with a service that contains only these records. */
async function holding(
  resource: Resource,
  records: readonly RecordInput[],
  run: (api: Api) => Promise<void>,
): Promise<void> {
  const api = await startApi();
  try {
    await api.has(resource.name, records);
    await run(api);
  } finally {
    await api.close();
  }
}
