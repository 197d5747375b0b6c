// Record counts by period always match the records, whatever is done to them, and a deep page read during writes sees a
// single snapshot.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import pg from "pg";
import type { Resource } from "../../src/core/catalog/resource.ts";
import { evaluate } from "../../src/core/query/evaluate.ts";
import type { Row } from "../../src/core/record/row.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { isPostgres } from "../../src/settings/setting.ts";
import { migrations } from "../../src/store/migrate.ts";
import { tableName } from "../../src/store/sql/compile.ts";
import { runs } from "../support/budget.ts";
import { type Api, type RecordInput, resourceNamed } from "../support/clients/api.ts";
import { crowd, sample, seed } from "../support/records/records.ts";
import { spread } from "../support/records/spread.ts";
import { parseUrl, rowsOf } from "../support/requests/requests.ts";
import { onEveryStore } from "../support/stores/every-store.ts";

type Raw = Record<string, string | number>;
type Run = (sql: string) => Promise<Raw[]>;

/** Runs statements on the database directly, bypassing the store. */
async function rawly<T>({ file }: Api, work: (run: Run) => Promise<T>): Promise<T> {
  if (isPostgres(file)) {
    const client = new pg.Client(file);
    await client.connect();
    return work(async (sql) => (await client.query(sql)).rows).finally(() => client.end());
  }
  const db = new DatabaseSync(file);
  return work(async (sql) => db.prepare(sql).all() as Raw[]).finally(() => db.close());
}

/** Rows of a count table as `parent period column=number …`, in order. */
async function countsIn(run: Run, resource: Resource): Promise<string[]> {
  const rows = await run(`select * from ${tableName(resource)}_count`);
  return rows
    .map(({ parent, period, ...counts }) => printed(String(parent), String(period), counts))
    .sort((a, b) => (a < b ? -1 : 1));
}

const printed = (parent: string, period: string, counts: Raw): string =>
  [parent || "-", period, ...Object.entries(counts).map(([name, count]) => `${name}=${count}`)].join(" ");

/** Lengths of period names, as in decision 031. */
const lengths = (resource: Resource) => (resource.packedKey === undefined ? [4, 7, 10] : [3, 5, 6]);

const valuesOf: Readonly<Record<string, readonly number[]>> = {
  ...{ news: [], "conference-calls": [], economics: [0, 1, 2, 3] },
  ...{ ratings: [0, 1, 2, 3, 4, 5], dividends: [0, 1, 2, 3, 4, 5], earnings: [0, 1, 2, 3, 4, 5] },
};

const isPrimary = (row: Row): number => (/^(true|y|yes|1)$/i.test(String(row.is_primary).trim()) ? 1 : 0);

/** What is counted separately, by the suffix of its columns, and whether a record belongs to it. */
function groupsOf(resource: Resource): [ending: string, holds: (row: Row) => boolean][] {
  const values = valuesOf[resource.name];
  if (values === undefined)
    return [0, 1, 2, 3, 4, 5].flatMap((least) =>
      [0, 1].map((primary): [string, (row: Row) => boolean] => [
        `_${least}_${primary}`,
        (row) => Number(row.importance) >= least && isPrimary(row) >= primary,
      ]),
    );
  if (values.length === 0) return [["", () => true]];
  return values.map((least) => [`_${least}`, (row) => Number(row.importance) >= least]);
}

/** The expected counts, computed record by record. */
async function expectedCounts({ store }: Api, resource: Resource): Promise<string[]> {
  const rows: { row: Row; place: string }[] = [];
  for await (const row of store.scan(resource)) {
    const place = resource.packedKey === undefined ? String(row.date) : String(row.created).padStart(10, "0");
    rows.push({ row, place });
  }
  const groups = groupsOf(resource);
  const lines = lengths(resource).flatMap((length, step) => {
    const above = lengths(resource)[step - 1] ?? 0;
    return [...new Set(rows.map(({ place }) => place.slice(0, length)))].map((period) => {
      const parent = period.slice(0, above);
      const held = rows.filter(({ place }) => place.startsWith(period));
      const earlier = rows.filter(({ place }) => place.startsWith(parent) && place.slice(0, length) < period);
      const count = (what: string, of: typeof rows) =>
        groups.map(([ending, holds]) => [`${what}${ending}`, of.filter(({ row }) => holds(row)).length]);
      return printed(parent, period, Object.fromEntries([...count("n", held), ...count("earlier", earlier)]));
    });
  });
  return lines.sort((a, b) => (a < b ? -1 : 1));
}

async function assertInStep(api: Api, run: Run, resource: Resource, when: string): Promise<void> {
  assert.deepEqual(await countsIn(run, resource), await expectedCounts(api, resource), `${resource.name} ${when}`);
}

type Step = { readonly what: "put" | "remove" | "render"; readonly from: number; readonly to: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    what: fc.constantFrom("put" as const, "put" as const, "put" as const, "remove" as const, "render" as const),
    from: fc.nat({ max: 79 }),
    to: fc.nat({ max: 79 }),
  }),
  { minLength: 4, maxLength: 10 },
);

/** Performs random steps with the records of a pool. */
function taker(api: Api, resource: Resource, pool: readonly RecordInput[]) {
  const zones = ["UTC", "Asia/Tokyo", "America/New_York"];
  let last = 0;
  return async ({ what, from, to }: Step): Promise<void> => {
    const some = pool.slice(Math.min(from, to), Math.max(from, to) + 1);
    // Records with the same IDs but other days and values, one of them twice: the later one wins.
    const others = some.map(({ id }, index) => ({ ...pool[(index * 7 + from) % pool.length], id }));
    if (what === "put")
      await api.has(resource.name, [...others, ...others.slice(0, 1).map(({ id }) => ({ ...some[0], id }))]);
    if (what === "remove") await api.store.remove(resource, [...some.map(({ id }) => String(id)), "none"]);
    if (what === "render") await api.store.render({ zone: zones[last++ % zones.length] ?? "UTC" });
  };
}

onEveryStore("counts", (test) => {
  for (const resource of catalog) {
    test(`of ${resource.name} match its records after any puts, removals, and renderings`, (api) =>
      rawly(api, async (run) => {
        const pool = spread(resource, sample(crowd(resource, 80)));
        const take = taker(api, resource, pool);
        const property = fc.asyncProperty(steps, async (random) => {
          for (const step of random) {
            await take(step);
            await assertInStep(api, run, resource, `after ${step.what} between ${step.from} and ${step.to}`);
          }
        });
        await fc.assert(property, { seed, numRuns: runs(2, 5) });
        await api.has(resource.name, pool);
        await api.store.remove(
          resource,
          pool.map(({ id }) => String(id)),
        );
        assert.deepEqual(await countsIn(run, resource), [], "nothing is left of counts of nothing");
      }));
  }

  test("are computed by the migration for existing records as writing them would have", async (api) => {
    for (const resource of catalog) await api.has(resource.name, spread(resource, sample(crowd(resource, 120))));
    const script = migrations.find(({ name }) => name === "003-counts") ?? assert.fail();
    await rawly(api, async (run) => {
      for (const resource of catalog) await run(`drop table ${tableName(resource)}_count`);
      const text = isPostgres(api.file) ? script.postgres : script.sqlite;
      for (const statement of text.split(";\n")) if (statement.trim() !== "") await run(statement);
      for (const resource of catalog) await assertInStep(api, run, resource, "after the migration");
    });
  });

  test("are unchanged if a batch fails", async (api) => {
    const ratings = resourceNamed("ratings");
    const [good, bad] = rowsOf(ratings, [
      { id: "b", date: "2024-11-06", importance: 2 },
      { id: "c", date: "2024-11-06", importance: 3 },
    ]);
    await api.has("ratings", [{ id: "a", date: "2024-11-05", importance: 3 }]);
    const counts = () => rawly(api, (run) => countsIn(run, ratings));
    const before = await counts();
    const rows = [good, { ...bad, importance: 9 }].map((row) => ({ row: row as Row, stamped: false }));
    await assert.rejects(api.store.put(ratings, rows), /ratings: unexpected values of importance: 9/);
    assert.deepEqual(await counts(), before);
    assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings"), ["a"]);
  });

  test("let a deep page see a single snapshot while another process writes", async (api) => {
    const ratings = resourceNamed("ratings");
    const on = (date: string, time: string, name: string) => ({ id: name, date, time, importance: 3 });
    const first = Array.from({ length: 450 }, (_, index) =>
      on(index < 100 ? "2024-11-06" : index < 400 ? "2024-11-05" : "2024-11-04", "09:30:00", `old-${index}`),
    );
    await api.has("ratings", first);
    // The page starts on the middle day. Of the two records, one affects the counts and one the scan from its
    // end: counts and records of different snapshots would move the page by one record; each write moves it by two.
    const writes = Array.from({ length: runs(20, 80) }, (_, index) => [
      on("2024-11-06", "10:00:00", `later-${index}`),
      on("2024-11-05", "10:00:00", `same-${index}`),
    ]);
    const batches = writes.map((write) => rowsOf(ratings, write));
    const moments: Row[][] = [rowsOf(ratings, first)];
    for (const batch of batches) moments.push([...(moments.at(-1) ?? []), ...batch]);
    const pagings = ["", "&parameters[importance]=3", "&parameters[date_to]=2024-11-06"].map((filter) => {
      const { plan } = parseUrl(ratings, `${ratings.path}?page=26&pagesize=10${filter}`) ?? assert.fail();
      const pages = moments.map((rows) => evaluate(plan, rows).map(({ id }) => id));
      return { filter, plan, pages, at: 0, seen: 0 };
    });
    for (const { plan } of pagings) assert.match((await api.store.explain(plan)).sql, /ratings_count/);
    for await (const _ of whileWriting(api.file, batches)) {
      for (const paging of pagings) {
        const { records } = await api.store.records(paging.plan);
        const ids = records.map(({ json }) => JSON.parse(json).id);
        const found = paging.pages.findIndex((page, moment) => moment >= paging.at && page.join() === ids.join());
        assert.notEqual(found, -1, `after moment ${paging.at}, ?${paging.filter}: ${ids}`);
        if (found > paging.at) paging.seen++;
        paging.at = found;
      }
    }
    for (const { seen, at, filter } of pagings) {
      assert.equal(at, writes.length, `?${filter}`);
      assert.ok(seen > 5, `only ${seen} moments were seen, ?${filter}`);
    }
  });
});

/** Repeats while another process writes batches of ratings, and at least once after each. */
async function* whileWriting(database: string, batches: readonly (readonly Row[])[]): AsyncGenerator<void> {
  const from = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const code = `
    import { ratings } from ${from("../../src/resources/ratings.ts")};
    import { openTestStore } from ${from("../support/stores/stores.ts")};
    const store = await openTestStore(${JSON.stringify(database)}, () => 1);
    process.on("message", async (at) => {
      await store.put(ratings, ${JSON.stringify(batches)}[at].map((row) => ({ row, stamped: false })));
      process.send(at);
    });
    process.on("disconnect", () => store.close());`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  let written = -1;
  child.on("message", (at) => {
    written = Number(at);
  });
  try {
    for (const at of batches.keys()) {
      child.send(at);
      while (written < at) {
        assert.equal(child.exitCode, null);
        yield;
        // Messages of the process arrive between two iterations.
        await new Promise((resolve) => setImmediate(resolve));
      }
      yield;
    }
    child.disconnect();
    assert.deepEqual(await ended, [0, null]);
  } finally {
    child.kill("SIGKILL");
  }
}
