// Scanning a list that changes during the scan never misses a record that is present throughout.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type ListEndpoint, overlappingPage, scanList } from "../../src/mirror/lists/scan.ts";
import type { Upstream } from "../../src/mirror/upstream/upstream.ts";
import { runs } from "../support/budget.ts";
import { seed } from "../support/records/records.ts";

type Item = { id: string; position: number };

const list = (most: number): ListEndpoint => ({
  path: "/list",
  size: { name: "size", max: most },
  pageSizes: {},
  expected: "a list",
  extractRecords: (body) => body as unknown[],
});

/** A list in order of `position`, changed by `change` after each response. */
function source(items: Item[], change: (count: number) => void, deepest = 100_000): Upstream["request"] {
  let count = 0;
  return async ({ parameters }) => {
    const { page, size } = Object.fromEntries(parameters) as Record<string, string>;
    if (Number(page) > deepest) return { refused: { status: 400, detail: "too deep" } };
    const start = Number(page) * Number(size);
    items.sort((a, b) => a.position - b.position);
    const body = items.slice(start, start + Number(size)).map((item) => ({ ...item }));
    change(++count);
    return { body, date: 0 };
  };
}

async function idsOf(request: Upstream["request"], most: number): Promise<{ ids: Set<string>; end: string }> {
  const ids = new Set<string>();
  const { end } = await scanList(request, list(most), [], async ({ records }) => {
    for (const { id } of records as Item[]) ids.add(id);
  });
  return { ids, end };
}

const itemsOf = (count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, position: index }));

describe("a scan of all pages", () => {
  test("reads an unchanging list completely, with few requests", async () => {
    for (const count of [0, 1, 19, 20, 21, 200, 999]) {
      let requests = 0;
      const { ids, end } = await idsOf(
        source(itemsOf(count), () => {
          requests++;
        }),
        20,
      );
      assert.equal(end, "complete");
      assert.equal(ids.size, count);
      assert.ok(requests <= count / 12 + 2, `${requests} requests for ${count} records`);
    }
  });

  test("misses no record that is present throughout, whatever is added, removed, or moved", async () => {
    const changes = fc.array(
      fc.array(
        fc.record({
          kind: fc.constantFrom("remove", "add", "move"),
          at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
          count: fc.integer({ min: 1, max: 12 }),
        }),
        { maxLength: 3 },
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 8, max: 40 }),
        changes,
        async (count, most, all) => {
          const items = itemsOf(count);
          const stable = new Set(items.map(({ id }) => id));
          let made = 0;
          const change = (request: number) => {
            for (const { kind, at, count: times } of all[request - 1] ?? []) {
              for (let time = 0; time < times; time++) {
                const index = Math.floor(at * items.length);
                const item = items[index];
                if (kind === "add") items.push({ id: `new${made++}`, position: (item?.position ?? 0) - 0.5 });
                else if (item !== undefined) {
                  stable.delete(item.id);
                  items.splice(index, 1);
                  // As in a list by change timestamp, a changed record moves to the end.
                  if (kind === "move") items.push({ id: item.id, position: 1000 + made++ });
                }
              }
            }
          };
          const { ids, end } = await idsOf(source(items, change), most);
          if (end !== "complete") return;
          assert.deepEqual(
            [...stable].filter((id) => !ids.has(id)),
            [],
          );
        },
      ),
      { seed, numRuns: runs(150, 1500) },
    );
  });

  test("ends at the limit if deeper pages are rejected, and gives up on a list that never settles", async () => {
    assert.equal(
      (
        await idsOf(
          source(itemsOf(500), () => {}, 5),
          20,
        )
      ).end,
      "limit",
    );
    const items = itemsOf(500);
    const { end } = await idsOf(
      source(
        items,
        () =>
          void items.splice(
            0,
            items.length,
            ...itemsOf(500).map(({ position }) => ({ id: `${Math.random()}`, position })),
          ),
      ),
      20,
    );
    assert.equal(end, "refused");
  });

  test("reads pages that are shorter than requested, wherever they begin", async () => {
    for (const most of [10, 15, 37, 100]) {
      for (const pagesBegin of ["at multiples of the size served", "at multiples of the size requested"]) {
        for (const count of [1, most - 1, most, most + 1, 3 * most, 500]) {
          const items = itemsOf(count);
          const request: Upstream["request"] = async ({ parameters }) => {
            const { page, size } = Object.fromEntries(parameters) as Record<string, string>;
            const served = Math.min(most, Number(size));
            const start = Number(page) * (pagesBegin.endsWith("served") ? served : Number(size));
            return { body: items.slice(start, start + served), date: 0 };
          };
          const { ids, end } = await idsOf(request, 1000);
          assert.deepEqual([end, ids.size], ["complete", count], `${most} at most, ${count} records, ${pagesBegin}`);
        }
      }
    }
  });

  test("treats a short page as the end of the list without another request if longer ones were served", async () => {
    const items = itemsOf(60);
    let requests = 0;
    const request = source(items, () => {
      requests++;
    });
    const endpoint = list(100);
    const scan = () => scanList(request, endpoint, [], async () => {});
    await scan();
    assert.equal(requests, 2);
    items.length = 59;
    await scan();
    assert.equal(requests, 3);
    assert.equal(endpoint.pageSizes.most, undefined);
  });

  test("doesn't mistake a growing list for one with short pages", async () => {
    const items = itemsOf(5);
    const endpoint = list(100);
    const request = source(items, (count) => {
      items.push({ id: `new${count}`, position: 100 + count });
    });
    assert.equal((await scanList(request, endpoint, [], async () => {})).end, "complete");
    assert.equal(endpoint.pageSizes.most, undefined);
  });

  test("follows Link headers", async () => {
    const pages = [["a", "b"], ["c", "d"], ["e"]];
    const request: Upstream["request"] = async ({ parameters }) => {
      const { cursor = "0" } = Object.fromEntries(parameters) as Record<string, string>;
      const next = Number(cursor) + 1;
      return {
        body: pages[Number(cursor)]?.map((id) => ({ id })),
        date: 0,
        ...(next < pages.length ? { next: [["cursor", String(next)]] as const } : {}),
      };
    };
    assert.deepEqual([...(await idsOf(request, 2)).ids], ["a", "b", "c", "d", "e"]);
  });

  test("a page overlaps what was read and always makes progress", () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 1000 }), fc.integer({ min: 1, max: 1e6 }), (most, more) => {
        const end = most + more;
        const overlap = Math.max(3, Math.floor(most / 50));
        const { page, size } = overlappingPage(end, overlap, most);
        assert.ok(size <= most && page * size <= end - overlap);
        assert.ok((page + 1) * size > end);
      }),
      { seed },
    );
  });
});
