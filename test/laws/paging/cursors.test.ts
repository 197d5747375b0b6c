// Following Link headers returns every stable record exactly once, in every order, whatever is written meanwhile and
// however large each page is.
import assert from "node:assert/strict";
import fc from "fast-check";
import { evaluate } from "../../../src/core/query/evaluate.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { runs } from "../../support/budget.ts";
import { type Api, type RecordInput, recordsOf } from "../../support/clients/api.ts";
import { crowd, sample, seed } from "../../support/records/records.ts";
import { orderedUrl, orders } from "../../support/requests/orders.ts";
import { parseUrl, rowsOf } from "../../support/requests/requests.ts";
import { sharingEveryStore } from "../../support/stores/every-store.ts";
import { withWriter } from "../../support/stores/second-store.ts";

type Id = string | number;

/** What happens after a page: the size of the next one, how many records are added, how many are removed. */
type Step = { readonly size: number; readonly come: number; readonly go: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ size: fc.integer({ min: 1, max: 30 }), come: fc.nat({ max: 5 }), go: fc.nat({ max: 5 }) }),
  { minLength: 1, maxLength: 12 },
);

/** Records that stay throughout, and others of which some exist at the start. */
const [staying, passing] = [60, 60];

const nextOf = (link: string | undefined): string | undefined => /^<([^<>]*)>; rel="next"$/.exec(link ?? "")?.[1];

/** IDs of all pages, by link until there is none; `between` runs after each page and returns the size of the next. */
async function followLinks(api: Api, first: string, between: () => Promise<number>): Promise<Id[]> {
  const ids: Id[] = [];
  for (let url: string | undefined = first; url !== undefined; ) {
    const { status, headers, json, text } = await api.fetch(url);
    assert.equal(status, 200, text);
    ids.push(...recordsOf(json).map(({ id }) => id));
    assert.ok(ids.length <= staying + passing, `a record occurs twice, or ${url} leads back`);
    const next = nextOf(headers.link);
    const size = await between();
    url = next?.replace(/pagesize=\d+/, `pagesize=${size}`);
  }
  return ids;
}

sharingEveryStore("following Link headers", (test) => {
  for (const resource of catalog) {
    test(`${resource.name}: every stable record is returned once and in order, while others are added and removed`, async (api) => {
      const all = sample(crowd(resource, staying + passing));
      const stable = all.slice(0, staying);
      const found = orders(resource, all, rowsOf(resource, all));
      assert.ok(found.size >= 2, "at least the default order and that of a since-filter");
      await api.has(resource.name, stable);
      await withWriter(api, resource, async (put, remove) => {
        for (const [order, pair] of found) {
          const plan = parseUrl(resource, orderedUrl(resource, pair))?.plan ?? assert.fail(order);
          const inOrder = (records: readonly RecordInput[]): Id[] =>
            evaluate({ ...plan, limit: records.length }, rowsOf(resource, records)).map(({ id }) => id as Id);
          const everything = inOrder(all);
          const property = fc.asyncProperty(steps, fc.nat({ max: passing }), async (script, present) => {
            // Temporary records form a ring: they are added at its end and removed at its start.
            const ring = all.slice(staying);
            const there = ring.splice(0, present);
            if (there.length > 0) await put(there);
            let at = 0;
            const between = async (): Promise<number> => {
              const { size, come, go } = script[at++ % script.length] as Step;
              const gone = there.splice(0, go);
              if (gone.length > 0) await remove(gone);
              const coming = ring.splice(0, come);
              if (coming.length > 0) await put(coming);
              there.push(...coming);
              return size;
            };
            const first = orderedUrl(resource, pair, { page: 0, size: script[0]?.size ?? 1 });
            const seen = await followLinks(api, first, between).finally(async () => {
              if (there.length > 0) await remove(there);
            });
            const stayed = new Set(stable.map(({ id }) => id));
            assert.equal(new Set(seen).size, seen.length, `by ${order}: a record occurs twice`);
            assert.deepEqual(
              seen.filter((id) => stayed.has(id)),
              inOrder(stable),
              `by ${order}: of those that stayed`,
            );
            const met = new Set(seen);
            assert.deepEqual(
              seen,
              everything.filter((id) => met.has(id)),
              `by ${order}: out of order`,
            );
          });
          await fc.assert(property, { seed, numRuns: runs(1, 4) });
        }
      });
    });
  }
});
