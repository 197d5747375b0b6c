// `copy` between SQLite and PostgreSQL: a round trip loses nothing, an interrupted copy resumes, and differences are
// detected.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { parseListQuery } from "../../src/core/query/planner.ts";
import { exported } from "../../src/core/record/encoding.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { calendarRemoved, newsRemoved } from "../../src/resources/lists/removed.ts";
import type { Store } from "../../src/store/store.ts";
import { bellwire, bellwireWrites, type Finished, folder, start } from "../commands/support/bellwire.ts";
import { type Api, type RecordInput, resourceNamed, startApi, testNow } from "../support/clients/api.ts";
import { anyRecord, crowd, sample } from "../support/records/records.ts";
import { rowsOf } from "../support/requests/requests.ts";
import { bareSchema, type OwnPostgres, openTestStore, ownPostgres, stores } from "../support/stores/stores.ts";
import { waitUntil } from "../support/wait-until.ts";
import { hangs, withClient } from "./pool/waiting.ts";

const databases: OwnPostgres[] = [];
let made = 0;

async function freshPostgres(make = ownPostgres): Promise<string> {
  const database = await make("copy");
  databases.push(database);
  return database.url;
}

const freshFile = (): string => join(folder, `copy-${++made}.db`);
const copy = (from: string, to: string): Promise<Finished> => bellwire(["copy", "--from", from, "--to", to]);

async function using<T>(database: string, run: (store: Store) => Promise<T>): Promise<T> {
  const store = await openTestStore(database, () => testNow);
  try {
    return await run(store);
  } finally {
    await store.close();
  }
}

const put = (store: Store, name: string, records: readonly RecordInput[]) => {
  const resource = resourceNamed(name);
  return store.put(
    resource,
    rowsOf(resource, records).map((row) => ({ row, stamped: false })),
  );
};

/** The contents of a database in comparable form. */
const everything = (database: string) =>
  using(database, async (store) => {
    const { rendering, settings } = await store.state();
    const records: Record<string, unknown[]> = {};
    for (const resource of catalog) {
      const list: unknown[] = [];
      for await (const row of store.scan(resource)) list.push(JSON.stringify(exported(resource, row, rendering)));
      records[resource.name] = list;
    }
    const changes = (await store.changes(0, 1_000_000)).map(({ seq, resource, id, kind, at }) => [
      seq,
      resource,
      id,
      kind,
      at,
    ]);
    const removed = await Promise.all(
      [newsRemoved, calendarRemoved].map(async (listing) => {
        const reading = parseListQuery(listing, new Map([["pageSize", ["1000"]]]), rendering);
        return "ok" in reading ? (await store.page(reading.ok.plan)).records : assert.fail();
      }),
    );
    const { zone, cusip } = settings;
    const versions = (await store.recordVersions(0, 1_000_000)).map(({ seq, id, json, hidden }) => [
      seq,
      id,
      json,
      hidden,
    ]);
    const log = { changes, versions, removed, oldest: await store.oldestPosition() };
    const usage = [await store.usage({ from: "2000-01-01", to: "2999-12-31" }), await store.lastUsed()];
    return { records, keys: await store.listKeys(), usage, ...log, settings: { zone, cusip } };
  });

const simple = (from: number, count: number): RecordInput[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `r${String(from + at).padStart(5, "0")}`,
    date: "2024-11-05",
    updated: 7,
  }));

describe("copy [postgres]", { ...hangs, skip: !stores.includes("postgres") }, () => {
  const origin = freshFile();

  before(async () => {
    const api: Api = await startApi({ database: origin, rendering: { zone: "Europe/Berlin", cusip: "string" } });
    for (const resource of catalog) {
      const { name } = resource;
      const any = sample(fc.array(anyRecord(resource), { minLength: 40, maxLength: 40 }));
      const records = [
        ...sample(crowd(resource, 40)),
        ...any.filter((record) => api.rejections(name, record).length === 0),
      ];
      await api.has(name, records);
      await api.has(
        name,
        records.slice(0, 20).map((record, at) => ({ ...records[at + 20], id: record.id })),
      );
      await api.store.remove(
        resource,
        records.slice(0, 5).map(({ id }) => String(id)),
      );
    }
    await api.key({ name: "again" });
    await api.store.revokeKey("again", testNow + 1);
    await api.key({ name: "again", licenses: ["cusip"], scopes: ["read", "write"], expires: "2030-01-01" });
    await api.key({ name: "gone" });
    await api.store.revokeKey("gone", testNow + 2);
    await api.close();
  });

  after(async () => {
    for (const database of databases) await database.drop();
  });

  test("a round trip to PostgreSQL and back preserves records, keys, log, and settings", async () => {
    const there = await freshPostgres(bareSchema);
    const back = freshFile();
    for (const [from, to] of [
      [origin, there],
      [there, back],
    ] as const) {
      const { status, stdout, stderr } = await copy(from, to);
      assert.equal(status, 0, stderr);
      assert.equal(stdout.match(/^same {2}/gm)?.length, catalog.length + 5);
      for (const { name } of catalog) assert.match(stderr, new RegExp(`^${name}: \\d+ of \\d+ records copied$`, "m"));
    }
    const first = await everything(origin);
    assert.ok(first.changes.length > 500 && first.versions.length > 100 && first.keys.length === 4);
    assert.deepEqual(await everything(there), first);
    assert.deepEqual(await everything(back), first);
    const exports = [origin, there, back].map((database) => bellwireWrites(["export", "news", "--database", database]));
    const [one, ...others] = await Promise.all(exports);
    for (const other of others) assert.equal(other, one);

    for (const database of [there, back]) {
      await using(database, async (store) => {
        await put(store, "ratings", [{ id: "new", date: "2024-11-05" }]);
        const next = (first.changes.at(-1)?.[0] as number) + 1;
        assert.equal(await store.lastPosition(), next, "the log continues after the last copied position");
      });
    }
  });

  test("starts over after being killed, and detects and repairs what changed meanwhile", async () => {
    const from = freshFile();
    await using(from, async (store) => {
      for (const at of [0, 2000, 4000]) await put(store, "ratings", simple(at, at === 4000 ? 500 : 2000));
      await put(store, "dividends", simple(0, 10));
    });
    const to = await freshPostgres();
    await using(to, async () => {});
    await withClient(to, async (client) => {
      await client.query(`
        create function hold() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(77); return new; end $$;
        create trigger hold before insert on ratings for each row when (new.id = 'r04200') execute function hold();
        select pg_advisory_lock(77)`);
      const isHeld = async () =>
        (await client.query("select 1 from pg_locks where locktype = 'advisory' and objid = 77 and not granted"))
          .rowCount;
      const killed = start(["copy", "--from", from, "--to", to]);
      await waitUntil(async () => (await isHeld()) === 1, "the copy is held up");
      await killed.stop("SIGKILL");
      // The server would notice at the end of the statement.
      await client.query("select pg_terminate_backend(pid, 120000) from pg_locks where objid = 77 and not granted");
      assert.equal(await isHeld(), 0);
      await using(to, async (store) => assert.equal(await store.count(resourceNamed("ratings")), 0));

      const second = copy(from, to);
      await waitUntil(async () => (await isHeld()) === 1, "the copy is held up");
      // The copy has read this record already.
      await using(from, (store) => put(store, "ratings", [{ id: "r00010", date: "2020-01-01", updated: 8 }]));
      await client.query("select pg_advisory_unlock(77)");
      const { status, stdout, stderr } = await second;
      assert.equal(status, 1);
      assert.match(stderr, /^ratings: 4500 of 4500 records copied$/m);
      assert.match(stdout, /^DIFFERENT {2}ratings: 4500 and 4500, sha256 /m);
      assert.match(stdout, /^same {2}dividends: 10 and 10, sha256 /m);
      assert.match(stderr, /the copy differs .* run the command again/);
    });

    const third = await copy(from, to);
    assert.equal(third.status, 0, third.stdout);
    assert.match(third.stderr, /^ratings: 4500 of 4500 records copied$/m);
    assert.deepEqual(await everything(to), await everything(from));
  });

  test("another run copies what the source has gained: records, keys, usage, and log entries", async () => {
    const from = freshFile();
    const key = (name: string, hash: string) => ({ name, hash, licenses: [], created: 1, expires: "" });
    const used = (name: string, resource: string) => ({
      ...{ day: "2026-01-15", key: name, resource },
      ...{ requests: 3, records: 20, bytes: 1000, errors: 1, limited: 0 },
    });
    await using(from, async (store) => {
      await put(store, "ratings", simple(100, 20));
      await store.addKey(key("a", "1"));
      await store.addKey(key("sold", "3"));
      await store.addUsage([used("a", "news"), used("b", "news")], 100);
    });
    const to = await freshPostgres();
    assert.equal((await copy(from, to)).status, 0);
    await using(from, async (store) => {
      await put(store, "ratings", [...simple(0, 5), { id: "r00105", date: "2021-01-01", updated: 9 }]);
      await store.revokeKey("a", 5);
      await store.addKey(key("a", "2"));
      await store.updateKey("sold", { resources: ["news"], history: "365d" }, 5);
      await store.rotateKey("sold", { hash: "4", created: 6, retires: 4_000_000_000 });
      await store.addUsage([used("a", "news"), used("a", "ratings")], 200);
    });
    assert.equal((await copy(from, to)).status, 0);
    assert.deepEqual(await everything(to), await everything(from));
    await using(from, async (store) => {
      await store.updateKey("sold", { delay: 15 }, 7);
      await store.revokeKey("sold", 8);
    });
    assert.equal((await copy(from, to)).status, 0);
    assert.deepEqual(await everything(to), await everything(from));
  });

  test("entries pruned from the source's log are pruned in the copy", async () => {
    const from = freshFile();
    await using(from, async (store) => {
      await put(store, "ratings", simple(0, 30));
      await store.remove(resourceNamed("ratings"), ["r00003", "r00004"]);
    });
    const to = await freshPostgres();
    assert.equal((await copy(from, to)).status, 0);
    await using(from, async (store) => {
      await put(store, "ratings", simple(30, 1));
      assert.equal(await store.pruneChanges({ upTo: 12 }, 100), 12);
    });
    const { status, stdout } = await copy(from, to);
    assert.equal(status, 0, stdout);
    const expected = await everything(from);
    assert.deepEqual([expected.oldest, expected.changes.length], [12, 21]);
    assert.deepEqual(await everything(to), expected);
    const back = freshFile();
    assert.equal((await copy(to, back)).status, 0);
    assert.deepEqual(await everything(back), expected);
  });

  test("rejects a target with other contents and leaves it unchanged", async () => {
    const from = freshFile();
    await using(from, (store) => put(store, "ratings", simple(0, 3)));
    const targets: Record<string, (store: Store) => Promise<unknown>> = {
      records: (store) => put(store, "dividends", simple(0, 1)),
      "records or keys": (store) => store.addKey({ name: "k", hash: "k", licenses: [], created: 1, expires: "" }),
      "a copy of another database": (store) => store.setMetadata("copy of", "another"),
    };
    const attempts = Object.entries(targets).map(async ([holds, fill], at) => {
      const to = at === 0 ? freshFile() : await freshPostgres();
      await using(to, fill);
      const before = await everything(to);
      const { status, stderr } = await copy(from, to);
      assert.equal(status, 2);
      assert.match(stderr, new RegExp(`^bellwire: --to: expected an empty database; this one holds .*${holds}`));
      assert.deepEqual(await everything(to), before);
    });
    await Promise.all(attempts);
    assert.match((await copy(from, from)).stderr, /to be different databases/);
    assert.match((await copy(freshFile(), await freshPostgres())).stderr, /--from: there is no database/);
  });

  test("reports a copy that was modified", async () => {
    const from = freshFile();
    await using(from, (store) => put(store, "ratings", simple(0, 3)));
    const to = await freshPostgres();
    assert.equal((await copy(from, to)).status, 0);
    await using(to, (store) => put(store, "ratings", simple(9, 1)));
    const { status, stdout, stderr } = await copy(from, to);
    assert.equal(status, 1);
    assert.match(stdout, /^DIFFERENT {2}ratings: 3 and 4/m);
    assert.match(stderr, /holds data that the source doesn't, .* start over with an empty database/);
  });
});
