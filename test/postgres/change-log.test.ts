// The change log never skips a number for a reader, however many write at once. The trap is real: writers who only
// insert let a lower number commit after a higher one, and the same reader misses it.
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

/** A follower of the log, which reads after the last number that it knows. */
function follower(reader: Store) {
  const seen: Change[] = [];
  let turns = 0;
  let waiting: (() => void)[] = [];
  return {
    seen,
    read: async (): Promise<number> => {
      // A small limit: a page may end between two numbers of one transaction.
      const found = await reader.changes(seen.at(-1)?.seq ?? 0, 7);
      seen.push(...found);
      turns++;
      for (const resolve of waiting.splice(0)) resolve();
      return found.length;
    },
    /** Resolves when it has read once more. */
    hasRead: () =>
      new Promise<void>((resolve) => {
        waiting = [...waiting, resolve];
      }),
    turns: () => turns,
  };
}

/** Reads while the writers are at work, and what is left then. */
async function follow({ read }: ReturnType<typeof follower>, writing: Promise<unknown>): Promise<void> {
  let done = false;
  const finished = writing.finally(() => {
    done = true;
  });
  // So that a failure of a writer is told once the reader has stopped, and by nothing else.
  finished.catch(() => {});
  while (!done) await read();
  await finished;
  while ((await read()) > 0);
}

/** What the follower did not see: numbers that are in the log at the end, and not in what it read. */
async function missed(reader: Store, seen: readonly Change[]): Promise<{ missed: number[]; written: number }> {
  const all = await reader.changes(0, 1_000_000);
  const known = new Set(seen.map(({ seq }) => seq));
  return { missed: all.map(({ seq }) => seq).filter((seq) => !known.has(seq)), written: all.length };
}

/** Transactions that log an id with an exclamation mark fail when they have done everything but commit. */
const refuseAtCommit = `
  create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
  create constraint trigger refuse after insert on change deferrable initially deferred
    for each row when (new.id like '%!') execute function refuse()`;

/** One that has its number waits at a gate before it commits. */
const slowAtCommit = `
  create function pass() returns trigger language plpgsql as $$ begin perform ${passing("9")}; return null; end $$;
  create constraint trigger pass after insert on change deferrable initially deferred
    for each row when (new.id = 'slow') execute function pass()`;

describe("the change log [postgres]", { skip: !stores.includes("postgres") }, () => {
  test("a reader sees every number once and in order, while five write, and some fail", async (t) => {
    const url = await fresh("log");
    const reader = await open(url);
    await withClient(url, (client) => client.query(refuseAtCommit));
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
        // So that the log is read in the midst of the writes, whoever is faster.
        if (round % 3 === 2) await following.hasRead();
        if (round % 6 === 3) {
          // Its numbers are used up, and nobody ever sees them.
          const refused = rows.map(({ row }) => ({ row: { ...row, id: `${row.id}!` }, stamped: false }));
          await assert.rejects(store.put(resource, refused), /not this one/);
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
    assert.ok((numbers.at(-1) ?? 0) > written, "transactions that failed used up numbers");
    t.diagnostic(`${written} lines, read in ${following.turns()} turns`);
  });

  test("the same reader misses numbers of writers who take no lock", async () => {
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

  test("a writer that is slow to commit is waited for by the next one, and the reader misses neither", async () => {
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
      // The one at the gate, the other for its turn to write.
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
