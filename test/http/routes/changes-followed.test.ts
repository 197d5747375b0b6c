// A follower of the change feed ends up with the same records, whatever is written meanwhile.
import assert from "node:assert/strict";
import fc from "fast-check";
import { exported } from "../../../src/core/record/encoding.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { news } from "../../../src/resources/news.ts";
import { runs } from "../../support/budget.ts";
import { type Api, type Body, resourceNamed, startApi } from "../../support/clients/api.ts";
import { follower } from "../../support/clients/replicating.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

/** Every record of a store in import format. */
async function exportOf(api: Api): Promise<unknown[]> {
  const { rendering } = await api.store.state();
  const records: unknown[] = [];
  for (const resource of catalog)
    for await (const row of api.store.scan(resource)) records.push([resource.name, exported(resource, row, rendering)]);
  return records;
}

onEveryStore("a follower", (test) => {
  /** Writes a random history to the source. */
  const steps = fc.array(
    fc.record({
      resource: fc.constantFrom("news", "ratings", "economics"),
      id: fc.integer({ min: 1, max: 6 }),
      what: fc.constantFrom("write", "write", "remove", "follow"),
      note: fc.string({ maxLength: 5 }),
    }),
    { maxLength: 40 },
  );

  test("that starts with a snapshot and reads small batches ends up with the same records, whatever happens", async (api) => {
    const get = await follower(api);
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (history, limit) => {
        const copy = await startApi();
        try {
          let position: number | undefined;
          const put = (resource: string, records: readonly Body[]) => copy.has(resource, records);
          const snapshot = async () => {
            const before = await get("/changes/records/news?limit=1");
            for (const { name } of catalog) {
              for (let next: string | undefined = ""; next !== undefined; ) {
                const page: Body = await get(
                  `/changes/records/${name}?limit=${limit}&after=${encodeURIComponent(next)}`,
                );
                await put(name, page.records);
                next = page.next;
              }
            }
            return before.last as number;
          };
          const follow = async () => {
            position ??= await snapshot();
            for (let last = position + 1; position < last; ) {
              const response: Body = await get(`/changes?after=${position}&limit=${limit}`);
              for (const { resource, id, record } of response.changes) {
                if (record === undefined) await copy.store.remove(resourceNamed(resource), [id]);
                else await put(resource, [record]);
              }
              position = response.next as number;
              last = response.last;
            }
          };
          for (const { resource, id, what, note } of history) {
            const text = note.toWellFormed().replaceAll("\0", "");
            if (what === "follow") await follow();
            else if (what === "remove") await api.store.remove(resourceNamed(resource), [String(id)]);
            else if (resource === "news") await api.has("news", [{ id, title: `t${text}`, content_type: text }]);
            else await api.has(resource, [{ id: String(id), notes: text }]);
          }
          await follow();
          assert.deepEqual(await exportOf(copy), await exportOf(api));
        } finally {
          await copy.close();
        }
      }),
      { numRuns: runs(2, 15) },
    );
  });

  test("that reads while others write misses nothing", async (api) => {
    const get = await follower(api);
    let isDone = false;
    const writing = (async () => {
      for (let n = 0; n < 60; n++) {
        await api.has("ratings", [{ id: `r${n % 20}`, notes: `${n}` }]);
        await api.has("news", [{ id: n + 1 }]);
        if (n % 7 === 0) await api.store.remove(news, [String(n)]);
        await new Promise((resolve) => setImmediate(resolve));
      }
      isDone = true;
    })();
    const seqs: number[] = [];
    const ofRatings: number[] = [];
    // Only a read after the last write proves that nothing is left.
    for (let after = 0, other = 0, last = 1, isLast = false; !isLast || after < last || other < last; ) {
      isLast = isDone;
      const all = await get(`/changes?after=${after}&limit=5`);
      const some = await get(`/changes?after=${other}&limit=5&resource=ratings`);
      seqs.push(...all.changes.map(({ seq }: Body) => seq));
      ofRatings.push(...some.changes.map(({ seq }: Body) => seq));
      [after, other, last] = [all.next, some.next, some.last];
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writing;
    const log = await api.store.changes(0, 1000);
    assert.deepEqual(
      seqs,
      log.map(({ seq }) => seq),
    );
    assert.deepEqual(
      ofRatings,
      log.filter(({ resource }) => resource === "ratings").map(({ seq }) => seq),
    );
  });
});
