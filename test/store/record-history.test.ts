// The change log with the records before and after each entry, whatever wrote them.
import assert from "node:assert/strict";
import type { Row } from "../../src/core/record/row.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { news } from "../../src/resources/news.ts";
import { ratings } from "../../src/resources/ratings.ts";
import type { RecordChange, Store } from "../../src/store/store.ts";
import type { RecordInput } from "../support/clients/api.ts";
import { crowd, sample } from "../support/records/records.ts";
import { rowsOf } from "../support/requests/requests.ts";
import { onEveryStore } from "../support/stores/every-store.ts";

const incoming = (rows: readonly Row[]) => rows.map((row) => ({ row, stamped: false }));

async function history(store: Store, resource: (typeof catalog)[number], batch = 1000): Promise<RecordChange[]> {
  const all: RecordChange[] = [];
  for (let after = 0; ; after = all.at(-1)?.seq ?? 0) {
    const some = await store.recordChanges(resource, after, batch);
    if (some.length === 0) return all;
    all.push(...some);
  }
}

const brief = ({ id, kind, before, after }: RecordChange, field: string) => [id, kind, before?.[field], after?.[field]];

onEveryStore("record history", (test) => {
  for (const resource of catalog) {
    test(`${resource.name}: every entry has the record before and after it`, async ({ store }) => {
      const ids = (rows: readonly Row[]) => rows.map(({ id }) => String(id));
      const rows = rowsOf(resource, sample(crowd(resource, 12)));
      const changed = rowsOf(resource, sample(crowd(resource, 24)).slice(12)).map((row, index) => ({
        ...row,
        id: rows[index]?.id ?? "",
      }));
      await store.put(resource, incoming(rows));
      await store.put(resource, incoming(changed.slice(0, 6)));
      await store.remove(resource, ids(rows.slice(3, 9)));
      const load = await store.load(resource);
      for (const row of incoming(changed.slice(4))) load.add(row);
      await load.commit();
      const found = await history(store, resource, 7);
      assert.deepEqual(
        found.map(({ seq, id, kind }) => ({ seq, id, kind })),
        (await store.changes(0, 1000)).map(({ seq, id, kind }) => ({ seq, id, kind })),
      );
      for (const [index, row] of rows.entries()) {
        const versions: (Row | undefined)[] = [undefined, row];
        if (index < 6) versions.push(changed[index]);
        if (index >= 3 && index < 9) versions.push(undefined);
        if (index >= 4) versions.push(changed[index]);
        const distinct = versions.filter(
          (each, at) => at === 0 || JSON.stringify(each) !== JSON.stringify(versions[at - 1]),
        );
        const own = found.filter(({ id }) => id === String(row.id));
        assert.deepEqual(
          own.map(({ before, after, isBeforeKnown }) => [before, after, isBeforeKnown]),
          distinct.slice(1).map((after, at) => [distinct[at], after, true]),
        );
      }
    });
  }

  test("large text and hidden attributes are part of a version", async (api) => {
    const input: RecordInput = {
      title: "a",
      body: "<p>b</p>",
      teaser: "t",
      channels: [{ id: 7, name: "C" }],
      importance: "high",
    };
    await api.has("news", [{ id: 4_000_000_000, ...input }]);
    await api.store.remove(news, ["4000000000"]);
    const [, removal] = await history(api.store, news);
    for (const [name, value] of Object.entries(input)) assert.deepEqual(removal?.before?.[name], value, name);
  });

  test("a record that occurs twice in a batch has two entries that build on each other", async (api) => {
    await api.has("ratings", [
      { id: "a", notes: "1" },
      { id: "a", notes: "2" },
    ]);
    assert.deepEqual(
      (await history(api.store, ratings)).map((entry) => brief(entry, "notes")),
      [
        ["a", "created", undefined, "1"],
        ["a", "updated", "1", "2"],
      ],
    );
  });

  test("entries of one resource exclude those of others, and missing versions are reported as unknown", async (api) => {
    await api.has("news", [{ id: 1 }]);
    await api.has("ratings", [{ id: "a", notes: "now" }]);
    const entry = { resource: "ratings", id: "a", at: 5 } as const;
    const seq = (await api.store.lastPosition()) + 1;
    await api.store.importChanges([
      { ...entry, seq, kind: "updated" },
      { ...entry, seq: seq + 1, id: "b", kind: "removed" },
    ]);
    assert.deepEqual(
      (await history(api.store, ratings)).map((each) => [...brief(each, "notes"), each.isBeforeKnown]),
      [
        ["a", "created", undefined, "now", true],
        ["a", "updated", undefined, "now", false],
        ["b", "removed", undefined, undefined, false],
      ],
    );
  });

  test("versions are copied with their entries, and pruned with them", async (api) => {
    await api.has("ratings", [{ id: "a", notes: "1" }]);
    await api.has("ratings", [{ id: "a", notes: "2" }]);
    await api.has("ratings", [{ id: "a", notes: "3" }]);
    const versions = await api.store.recordVersions(0, 1000);
    assert.deepEqual(
      versions.map(({ id, json }) => [id, JSON.parse(json).notes]),
      [
        ["a", "1"],
        ["a", "2"],
      ],
    );
    const last = await api.store.lastPosition();
    const [, version] = versions;
    assert.ok(version);
    await api.store.importChanges(
      [{ seq: last + 1, resource: "ratings", id: "z", kind: "removed", at: 5 }],
      [{ ...version, seq: last + 1, id: "z" }],
    );
    assert.deepEqual(brief((await history(api.store, ratings)).at(-1) as RecordChange, "notes"), [
      "z",
      "removed",
      "2",
      undefined,
    ]);
    await api.store.pruneChanges({ upTo: last }, 100);
    assert.deepEqual(
      (await api.store.recordVersions(0, 1000)).map(({ seq }) => seq),
      [last + 1],
    );
  });

  test("the state has the position of the last entry", async (api) => {
    assert.equal((await api.store.state()).position, 0);
    await api.has("ratings", [{ id: "a" }]);
    assert.equal((await api.store.state()).position, await api.store.lastPosition());
  });
});
