// All pages of a list that moves while it is read: what is there throughout is never missed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type List, placeBefore, walk } from "../../src/mirror/lists/walk.ts";
import type { Upstream } from "../../src/mirror/upstream/upstream.ts";
import { runs } from "../support/budget.ts";
import { seed } from "../support/records/records.ts";

type Item = { id: string; place: number };

const list = (most: number): List => ({
  path: "/list",
  size: { name: "size", most },
  expected: "list",
  recordsOf: (body) => body as unknown[],
});

/** A list in order of `place`, changed by `change` after each answer. */
function source(items: Item[], change: (asked: number) => void, deepest = 100_000): Upstream["ask"] {
  let asked = 0;
  return async ({ parameters }) => {
    const { page, size } = Object.fromEntries(parameters) as Record<string, string>;
    if (Number(page) > deepest) return { refused: { status: 400, detail: "too deep" } };
    const start = Number(page) * Number(size);
    items.sort((a, b) => a.place - b.place);
    const body = items.slice(start, start + Number(size)).map((item) => ({ ...item }));
    change(++asked);
    return { body, date: 0 };
  };
}

async function idsOf(ask: Upstream["ask"], most: number): Promise<{ ids: Set<string>; end: string }> {
  const ids = new Set<string>();
  const { end } = await walk(ask, list(most), [], async ({ records }) => {
    for (const { id } of records as Item[]) ids.add(id);
  });
  return { ids, end };
}

const itemsOf = (count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, place: index }));

describe("a walk over pages", () => {
  test("gives a list that rests, whole, with few requests", async () => {
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

  test("misses no record that is there throughout, whatever is added, removed or moved meanwhile", async () => {
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
          const change = (asked: number) => {
            for (const { kind, at, count: times } of all[asked - 1] ?? []) {
              for (let time = 0; time < times; time++) {
                const index = Math.floor(at * items.length);
                const item = items[index];
                if (kind === "add") items.push({ id: `new${made++}`, place: (item?.place ?? 0) - 0.5 });
                else if (item !== undefined) {
                  stable.delete(item.id);
                  items.splice(index, 1);
                  // As in a list by stamps, what is touched goes to the end.
                  if (kind === "move") items.push({ id: item.id, place: 1000 + made++ });
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

  test("ends at the limit where the upstream refuses deeper pages, and gives up on a list that never rests", async () => {
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
          void items.splice(0, items.length, ...itemsOf(500).map(({ place }) => ({ id: `${Math.random()}`, place }))),
      ),
      20,
    );
    assert.equal(end, "refused");
  });

  test("follows links where answers have them", async () => {
    const pages = [["a", "b"], ["c", "d"], ["e"]];
    const ask: Upstream["ask"] = async ({ parameters }) => {
      const { cursor = "0" } = Object.fromEntries(parameters) as Record<string, string>;
      const next = Number(cursor) + 1;
      return {
        body: pages[Number(cursor)]?.map((id) => ({ id })),
        date: 0,
        ...(next < pages.length ? { next: [["cursor", String(next)]] as const } : {}),
      };
    };
    assert.deepEqual([...(await idsOf(ask, 2)).ids], ["a", "b", "c", "d", "e"]);
  });

  test("a page overlaps what was read and always leads beyond it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 1000 }), fc.integer({ min: 1, max: 1e6 }), (most, more) => {
        const end = most + more;
        const overlap = Math.max(3, Math.floor(most / 50));
        const { page, size } = placeBefore(end, overlap, most);
        assert.ok(size <= most && page * size <= end - overlap);
        assert.ok((page + 1) * size > end);
      }),
      { seed },
    );
  });
});
