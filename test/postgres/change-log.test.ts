// Readers of the change log never miss a position, even under concurrent writes. Without the write lock, a lower
// position could commit after a higher one.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Change, Store } from "../../src/store/store.ts";
import { resourceNamed, testNow } from "../support/clients/api.ts";
import { rowsOf } from "../support/requests/requests.ts";
import { type OwnPostgres, openTestStore, ownPostgres, stores } from "../support/stores/stores.ts";
import { passing, withGates } from "./pool/gates.ts";
import { withClient } from "./pool/waiting.ts";

const opened: { close(): Promise<void> }[] = [];
const databases: OwnPostgres[] = [];

after(async () => {
  await Promise.all(opened.map((each) => each.close()));
  for (const database of databases) await database.drop();
});

async function fresh(name: string): Promise<string> {
  const database = await ownPostgres(name);
  databases.push(database);
  return database.url;
}

async function open(url: string): Promise<Store> {
  const store = await openTestStore(url, () => testNow);
  opened.push(store);
  return store;
}

/** Follows the log from the last position read. */
function follower(reader: Store) {
  const seen: Change[] = [];
  let turns = 0;
  let waiting: (() => void)[] = [];
  return {
    seen,
    read: async (): Promise<number> => {
      // A small limit, so that pages end within a transaction.
      const found = await reader.changes(seen.at(-1)?.seq ?? 0, 7);
      seen.push(...found);
      turns++;
      for (const resolve of waiting.splice(0)) resolve();
      return found.length;
    },
    /** Resolves after the next read. */
    hasRead: () =>
      new Promise<void>((resolve) => {
        waiting = [...waiting, resolve];
      }),
    turns: () => turns,
  };
}

/** Reads until the writers are done, and then the rest. */
async function follow({ read }: ReturnType<typeof follower>, writing: Promise<unknown>): Promise<void> {
  let done = false;
  const finished = writing.finally(() => {
    done = true;
  });
  // A writer's failure is reported below, once the reader has stopped.
  finished.catch(() => {});
  while (!done) await read();
  await finished;
  while ((await read()) > 0);
}

/** Positions in the log that the follower missed. */
async function missed(reader: Store, seen: readonly Change[]): Promise<{ missed: number[]; written: number }> {
  const all = await reader.changes(0, 1_000_000);
  const known = new Set(seen.map(({ seq }) => seq));
  return { missed: all.map(({ seq }) => seq).filter((seq) => !known.has(seq)), written: all.length };
}

/** Transactions that log an ID with an exclamation mark fail at commit. */
const failAtCommit = `
  create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
  create constraint trigger refuse after insert on change deferrable initially deferred
    for each row when (new.id like '%!') execute function refuse()`;

/** The transaction waits at a gate between getting its position and committing. */
const slowAtCommit = `
  create function pass() returns trigger language plpgsql as $$ begin perform ${passing("9")}; return null; end $$;
  create constraint trigger pass after insert on change deferrable initially deferred
    for each row when (new.id = 'slow') execute function pass()`;

describe("the change log [postgres]", { skip: !stores.includes("postgres") }, () => {
  test("a reader sees every position once and in order despite five writers and failures", async (t) => {
    const url = await fresh("log");
    const reader = await open(url);
    await withClient(url, (client) => client.query(failAtCommit));
    const writers = await Promise.all(Array.from({ length: 5 }, () => open(url)));
    const following = follower(reader);
    const write = async (store: Store, writer: number) => {
      for (let round = 0; round < 30; round++) {
        const resource = resourceNamed(round % 3 === 0 ? "dividends" : "ratings");
        const ids = Array.from({ length: 1 + (round % 4) }, (_, index) => `${writer}-${round}-${index}`);
        const rows = rowsOf(
          resource,
          ids.map((id) => ({ id, date: "2024-11-05" })),
        ).map((row) => ({ row, stamped: false }));
        await store.put(resource, rows);
        if (round % 5 === 1) await store.remove(resource, ids.slice(0, 1));
        if (round % 7 === 2)
          await store.addKey({ name: ids[0] ?? "", hash: ids[0] ?? "", licenses: [], created: 1, expires: "" });
        // Ensures that reads and writes interleave.
        if (round % 3 === 2) await following.hasRead();
        if (round % 6 === 3) {
          // Leaves a gap in the positions.
          const rejected = rows.map(({ row }) => ({ row: { ...row, id: `${row.id}!` }, stamped: false }));
          await assert.rejects(store.put(resource, rejected), /not this one/);
        }
      }
    };
    await follow(following, Promise.all(writers.map(write)));
    const { seen } = following;
    const numbers = seen.map(({ seq }) => seq);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    );
    const { missed: lost, written } = await missed(reader, seen);
    assert.deepEqual(lost, []);
    assert.ok(written > 300 && following.turns() > 10, `${written} lines, read ${following.turns()} times`);
    assert.ok((numbers.at(-1) ?? 0) > written, "failed transactions left gaps");
    t.diagnostic(`${written} lines, read in ${following.turns()} turns`);
  });

  test("the same reader misses positions of writers that skip the lock", async () => {
    const url = await fresh("naive");
    const reader = await open(url);
    const { seen, read } = follower(reader);
    const insert = "insert into change (resource, id, kind, at) values ('ratings', $1, 'created', 1)";
    await withClient(url, (slow) =>
      withClient(url, async (quick) => {
        await slow.query("begin");
        await slow.query(insert, ["first"]);
        await quick.query(insert, ["second"]);
        await read();
        await slow.query("commit");
        await read();
      }),
    );
    const { missed: lost, written } = await missed(reader, seen);
    assert.deepEqual([lost, written], [[1], 2], "the check must notice what the lock prevents");
  });

  test("writers wait for one that is slow to commit, and the reader misses neither", async () => {
    const url = await fresh("slow");
    const [reader, first, second] = await Promise.all([open(url), open(url), open(url)]);
    await withClient(url, (client) => client.query(slowAtCommit));
    const put = (store: Store, name: string, id: string) => {
      const rows = rowsOf(resourceNamed(name), [{ id, date: "2024-11-05" }]);
      return store.put(
        resourceNamed(name),
        rows.map((row) => ({ row, stamped: false })),
      );
    };
    const following = follower(reader);
    await withGates(url, async (gates) => {
      await gates.close(9);
      const slow = put(first, "ratings", "slow");
      await gates.waiting(1);
      const writing = Promise.all([slow, put(second, "dividends", "quick")]);
      // One at the gate, the other for the write lock.
      await gates.waiting(2);
      assert.equal(await following.read(), 0);
      await gates.open(9);
      await follow(following, writing);
    });
    assert.deepEqual(
      following.seen.map(({ id }) => id),
      ["slow", "quick"],
    );
  });
});
