// Every store responds to random requests over random records exactly as the plan evaluated in memory.
// A failure prints the smallest URL that differs and the seed; BELLWIRE_TEST_SEED=seed repeats it.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Resource } from "../../src/core/catalog/resource.ts";
import { cursorAt } from "../../src/core/query/cursor.ts";
import { evaluate, positionOf } from "../../src/core/query/evaluate.ts";
import type { Plan } from "../../src/core/query/plan.ts";
import type { View } from "../../src/core/query/planner.ts";
import type { Row } from "../../src/core/record/row.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { runs } from "../support/budget.ts";
import { type Api, type RecordInput, recordsOf, testNow } from "../support/clients/api.ts";
import { expectedBody, expectedRecord, firstLook, type Shown, viewed, withoutHeavy } from "../support/expected.ts";
import { crowd, sample, seed } from "../support/records/records.ts";
import { inputsOf, parseUrl, requests, rowsOf } from "../support/requests/requests.ts";
import { onEveryStore } from "../support/stores/every-store.ts";

// Verified by breaking the store: an order without its ID, or with the ID always ascending; a list padded with the wrong
// value; a second list filter left untested, or tested without its kind; a link that counts twice; ranks in the wrong
// order, or not mutually exclusive; `and` mistaken for `or`; no break between passages; a day that starts a second late;
// links or search text of a replaced record left behind; a cursor that repeats its own record, ignores the rank of a
// search, or compares the columns of the order independently. Each of these fails here. Three did not, and have named
// cases in traps.test.ts and traps-topics.test.ts: letters that a database doesn't know, words that it stores in one
// form, and values that thousands of records share.
const recordCount = runs(120, 240);
/** Those with more rules have more combinations. */
const requestCount = (resource: Resource): number => runs(40, 200) + runs(7, 35) * resource.rules.length;

onEveryStore("random requests", (test) => {
  for (const resource of catalog) {
    test(`${resource.name} are matched, sorted, paged, and rendered as by evaluation in memory`, async (api) => {
      const { records, rows } = await crowdIn(api, resource);
      const shown = new Map(records.map((record) => [record.id, expectedRecord(resource, record, firstLook, testNow)]));
      const nonEmpty = new Map<string, number>();
      let responses = 0;
      let full = 0;
      const property = fc.asyncProperty(requests(resource, records, rows), async (url) => {
        const parsed = parseUrl(resource, url);
        assert.ok(parsed, `${url} is not understood`);
        const { plan, view } = parsed;
        const { found, link } = await sees(url, plan, view);
        responses++;
        if (found.length === 0) return;
        full++;
        for (const { names } of parsed.parts)
          for (const name of names) nonEmpty.set(name, (nonEmpty.get(name) ?? 0) + 1);
        // A full page links to what comes after its last record, and other pages have no link.
        const last = found.at(-1);
        assert.equal(link !== undefined, found.length === plan.limit, `${url} has ${found.length} records: ${link}`);
        if (link === undefined || last === undefined) return;
        const after = positionOf(plan, last);
        const next = /^<(.*)>; rel="next"$/.exec(link)?.[1] ?? assert.fail(link);
        assert.equal(new URL(next, "http://localhost").searchParams.get("cursor"), cursorAt(plan, after), url);
        const rest = await sees(next, { ...plan, offset: 0, after }, view);
        if (rest.found.length > 0) nonEmpty.set("cursor", (nonEmpty.get("cursor") ?? 0) + 1);
      });
      /** The rows that match in memory, after comparing the response with them; and the next link. */
      const sees = async (url: string, plan: Plan, view: View): Promise<{ found: Row[]; link: string | undefined }> => {
        const inMemory = evaluate(plan, rows);
        const found = inMemory.map((row) => shown.get(row.id) as Shown);
        const response = await api.fetch(url);
        assert.equal(response.status, 200, response.text);
        if (view.selectedFields === undefined || view.selectedFields.includes("id")) {
          assert.deepEqual(idsIn(recordsOf(response.json)), idsIn(found), url);
        }
        const bodies = found.map((record) => viewed(resource, withoutHeavy(resource, record, plan.include), view));
        assert.equal(response.text, expectedBody(resource, bodies), url);
        return { found: inMemory, link: response.headers.link };
      };
      await fc.assert(property, { seed, numRuns: requestCount(resource) });
      // Mostly empty responses would agree whatever is wrong, and so would parameters that never match.
      assert.ok(full > responses * 0.5, `only ${full} of ${responses} responses contain a record`);
      for (const { names, forOtherFormats } of inputsOf(resource)) {
        if (forOtherFormats) continue;
        assert.ok(
          names.some((name) => nonEmpty.has(name)),
          `nothing was found with ${names[0]}`,
        );
      }
    });
  }
});

type Crowd = {
  readonly earlier: readonly RecordInput[];
  readonly replaced: readonly RecordInput[];
  readonly gone: readonly RecordInput[];
  /** The final records. */
  readonly records: readonly RecordInput[];
  readonly rows: readonly Row[];
};

/** Created once for all stores: what is derived from them is cached. */
const made = new Map<Resource, Crowd>();

function crowdOf(resource: Resource): Crowd {
  const earlier = sample(crowd(resource, recordCount));
  const others = sample(crowd(resource, recordCount * 2)).slice(recordCount);
  const replaced = earlier.map((record, index) => (index % 2 === 0 ? record : { ...others[index], id: record.id }));
  const records = replaced.filter((_, index) => index % 10 !== 5);
  const gone = replaced.filter((_, index) => index % 5 === 0);
  return { earlier, replaced, gone, records, rows: rowsOf(resource, records) };
}

/** Records that went through every kind of write: created, replaced by a different one, removed, created again. */
async function crowdIn(api: Api, resource: Resource): Promise<Crowd> {
  const all = made.get(resource) ?? crowdOf(resource);
  made.set(resource, all);
  const { earlier, replaced, gone } = all;
  await api.has(resource.name, earlier);
  await api.has(resource.name, replaced);
  await api.store.remove(
    resource,
    gone.map(({ id }) => String(id)),
  );
  await api.has(
    resource.name,
    gone.filter((_, index) => index % 2 === 0),
  );
  return all;
}

const idsIn = (records: readonly Shown[]): unknown[] => records.map(({ id }) => id);
