// Deep pages are the same slices of the list as any others, whether by offset seek or by scanning.
// A failure prints the smallest plan that differs and the seed; BELLWIRE_TEST_SEED=seed repeats it.
import assert from "node:assert/strict";
import fc from "fast-check";
import { fieldOf, type Resource } from "../../../src/core/catalog/resource.ts";
import { evaluate } from "../../../src/core/query/evaluate.ts";
import { type Comparison, type Condition, newestFirst, type Plan } from "../../../src/core/query/plan.ts";
import type { Row } from "../../../src/core/record/row.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { countIndexOf } from "../../../src/store/sql/count-index.ts";
import { minSeekOffset } from "../../../src/store/sql/offset-seek.ts";
import { runs } from "../../support/budget.ts";
import type { Api, RecordInput } from "../../support/clients/api.ts";
import { crowd, sample, seed } from "../../support/records/records.ts";
import { spread, spreadDays, spreadSeconds } from "../../support/records/spread.ts";
import { parseUrl, requests, rowsOf } from "../../support/requests/requests.ts";
import { sharingEveryStore } from "../../support/stores/every-store.ts";

// Verified by breaking the store: a remainder that is off by one, counts of exactly a value for those of at least it, a
// day missing from the records up to it, siblings scanned from the oldest, a period that ends a second early or starts
// late, and the seconds of a partial period left out. Each of these fails here.
const recordCount = runs(420, 700);

const comparisons: readonly Comparison[] = ["eq", "gt", "gte", "lt", "lte"];

/** Conditions that counts can resolve, individually and combined; some match nothing. */
function countedConditions(resource: Resource): fc.Arbitrary<Condition[]> {
  const { columns, values } = countIndexOf(resource) ?? assert.fail(`${resource.name} is not counted`);
  const [first = ""] = resource.order.map(({ column }) => column);
  const places: readonly (string | number)[] =
    resource.packedKey === undefined
      ? [...spreadDays, "2024-06-15"]
      : [...spreadSeconds, ...spreadSeconds.map((second) => second + 1), -1, 2 ** 32, 253_402_300_800];
  const bounds = fc.record({
    op: fc.constantFrom<Comparison>("gt", "gte", "lt", "lte"),
    column: fc.constant(first),
    value: fc.constantFrom(...places),
  });
  const tests = columns.map((column, index) => {
    const value = fc.constantFrom(...(values[index] ?? []));
    return fc.oneof(
      { weight: 3, arbitrary: fc.record({ op: fc.constant("gte" as const), column: fc.constant(column), value }) },
      fc.record({ op: fc.constantFrom(...comparisons), column: fc.constant(column), value }),
      fc.record({
        op: fc.constant("in" as const),
        column: fc.constant(column),
        values: fc.uniqueArray(value, { minLength: 1 }),
      }),
    );
  });
  return fc
    .tuple(
      fc.array(bounds, { maxLength: 2 }),
      ...tests.map((test) => fc.option(test, { nil: undefined }) as fc.Arbitrary<Condition | undefined>),
    )
    .map(([days, ...others]) => [...days, ...others.filter((condition) => condition !== undefined)]);
}

/** Most start where a filtered list still has records. */
const offsets = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: minSeekOffset - 2, max: minSeekOffset + 40 }) },
  fc.integer({ min: minSeekOffset - 2, max: recordCount + 5 }),
);

const slices = fc.record({
  offset: offsets,
  limit: fc.integer({ min: 1, max: 60 }),
});

type Spread = { readonly records: readonly RecordInput[]; readonly rows: readonly Row[] };

/** Created once for all stores: what is derived from them is cached. */
const made = new Map<Resource, Spread>();

async function spreadIn(api: Api, resource: Resource): Promise<Spread> {
  const found = made.get(resource) ?? makeSpread(resource);
  made.set(resource, found);
  await api.has(resource.name, found.records);
  return found;
}

function makeSpread(resource: Resource): Spread {
  const records = spread(resource, sample(crowd(resource, recordCount)));
  return { records, rows: rowsOf(resource, records) };
}

async function assertSlice({ store }: Api, plan: Plan, rows: readonly Row[]): Promise<number> {
  const expected = evaluate(plan, rows).map(({ id }) => id);
  const { records } = await store.records(plan);
  const { resource, ...rest } = plan;
  assert.deepEqual(
    records.map(({ json }) => JSON.parse(json).id),
    expected,
    `${resource.name} ${JSON.stringify(rest)}`,
  );
  const page = await store.page(plan);
  assert.equal(Buffer.from(page.records).toString(), records.map(({ json }) => json).join());
  return expected.length;
}

const usesCounts = async ({ store }: Api, plan: Plan): Promise<boolean> =>
  (await store.explain(plan)).sql.includes("_count ");

sharingEveryStore("deep pages", (test) => {
  for (const resource of catalog) {
    test(`deep pages of ${resource.name} by counted columns are slices of the list, in both directions`, async (api) => {
      const { rows } = await spreadIn(api, resource);
      const base = parseUrl(resource, resource.path)?.plan ?? assert.fail();
      let full = 0;
      let counted = 0;
      let attempts = 0;
      const property = fc.asyncProperty(
        countedConditions(resource),
        slices,
        fc.constantFrom("asc", "desc"),
        async (where, slice, direction) => {
          const order = resource.order.map(({ column }) => ({ column, direction }) as const);
          const plan = { ...base, ...slice, where, order };
          attempts++;
          if (await usesCounts(api, plan)) counted++;
          if ((await assertSlice(api, plan, rows)) > 0) full++;
        },
      );
      await fc.assert(property, { seed, numRuns: runs(20, 150) });
      assert.ok(counted > attempts * 0.5, `only ${counted} of ${attempts} pages were found by counts`);
      assert.ok(full > attempts * 0.1, `only ${full} of ${attempts} pages hold a record`);
    });

    test(`deep pages of ${resource.name} by other columns are slices of the list too`, async (api) => {
      const { records, rows } = await spreadIn(api, resource);
      const property = fc.asyncProperty(requests(resource, records, rows), slices, async (url, slice) => {
        const parsed = parseUrl(resource, url) ?? assert.fail(url);
        await assertSlice(api, { ...parsed.plan, ...slice }, rows);
      });
      await fc.assert(property, { seed, numRuns: runs(8, 60) });
    });

    test(`the list of ${resource.name}, by day and by each counted column, uses offset seek, and others don't`, async (api) => {
      const base = parseUrl(resource, resource.path)?.plan ?? assert.fail();
      const deep = { ...base, offset: minSeekOffset };
      assert.ok(await usesCounts(api, deep), "as it comes");
      assert.ok(!(await usesCounts(api, { ...base, offset: minSeekOffset - 1 })), "a page that is not deep");
      for (const column of resource.countedBy ?? []) {
        const condition = { op: "gte" as const, column, value: 1 };
        assert.ok(await usesCounts(api, { ...deep, where: [condition] }), column);
      }
      const [first = ""] = resource.order.map(({ column }) => column);
      const bounds = (["gte", "lte"] as const).map((op) => ({
        op,
        column: first,
        value: fieldOf(resource, first).column === "text" ? "2024-11-05" : 1_730_817_000,
      }));
      assert.ok(await usesCounts(api, { ...deep, where: bounds }), first);
      assert.ok(!(await usesCounts(api, { ...deep, order: newestFirst("updated", "id") })), "another order");
      const other = { op: "gte" as const, column: "updated", value: 1 };
      assert.ok(!(await usesCounts(api, { ...deep, where: [other] })), "another column");
    });
  }
});
