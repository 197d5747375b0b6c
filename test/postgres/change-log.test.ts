// The change log never skips a number for a reader, however many write at once. The trap is real: writers who only
// insert let a lower number commit after a higher one, and the same reader misses it.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Change, Store } from "../../src/store/store.ts";
import { resourceNamed, testNow } from "../support/api.ts";
import { makeSchema } from "../support/postgres.ts";
import { rowsOf } from "../support/requests.ts";
import { openTestStore, stores } from "../support/stores.ts";
import { withClient } from "./waiting.ts";

const opened: { close(): Promise<void> }[] = [];
const schemas: Awaited<ReturnType<typeof makeSchema>>[] = [];
after(async () => {
  await Promise.all(opened.map((each) => each.close()));
  for (const schema of schemas) await schema.drop();
});

async function fresh(name: string): Promise<string> {
  const server = process.env.BELLWIRE_TEST_DATABASE ?? "";
  const schema = await makeSchema(server, `${name}_${process.pid}_${Date.now().toString(36)}`);
  schemas.push(schema);
  return schema.url;
}

async function open(url: string): Promise<Store> {
  const store = await openTestStore(url, () => testNow);
  opened.push(store);
  return store;
}

/** Reads as a follower of the log does, after the last number it knows, while the writers are at work. */
async function follow(reader: Store, writing: Promise<unknown>, seen: Change[] = []) {
  let done = false;
  let turns = 0;
  const read = async () => {
    // A small limit: a page may end between two numbers of one transaction.
    const found = await reader.changes(seen.at(-1)?.seq ?? 0, 7);
    seen.push(...found);
    turns++;
    return found.length;
  };
  const finished = writing.finally(() => {
    done = true;
  });
  // So that a failure of a writer is told once the reader has stopped, and by nothing else.
  finished.catch(() => {});
  while (!done) await read();
  await finished;
  while ((await read()) > 0);
  return { seen, turns };
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

/** One that has its number takes its time before it commits. */
const slowAtCommit = `
  create function sleep() returns trigger language plpgsql as $$ begin perform pg_sleep(0.6); return null; end $$;
  create constraint trigger sleep after insert on change deferrable initially deferred
    for each row when (new.id = 'slow') execute function sleep()`;

describe("the change log [postgres]", { skip: !stores.includes("postgres") }, () => {
  test("a reader sees every number once and in order, while five write, and some fail", async (t) => {
    const url = await fresh("log");
    const reader = await open(url);
    await withClient(url, (client) => client.query(refuseAtCommit));
    const writers = await Promise.all(Array.from({ length: 5 }, () => open(url)));
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
        if (round % 6 === 3) {
          // Its numbers are used up, and nobody ever sees them.
          const refused = rows.map(({ row }) => ({ row: { ...row, id: `${row.id}!` }, stamped: false }));
          await assert.rejects(store.put(resource, refused), /not this one/);
        }
      }
    };
    const { seen, turns } = await follow(reader, Promise.all(writers.map(write)));
    const numbers = seen.map(({ seq }) => seq);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    );
    const { missed: lost, written } = await missed(reader, seen);
    assert.deepEqual(lost, []);
    assert.ok(written > 300 && turns > 50, `${written} lines, read ${turns} times`);
    assert.ok((numbers.at(-1) ?? 0) > written, "transactions that failed used up numbers");
    t.diagnostic(`${written} lines, read in ${turns} turns`);
  });

  test("the same reader misses numbers of writers who take no lock", async (t) => {
    const url = await fresh("naive");
    const reader = await open(url);
    const seen: Change[] = [];
    const write = (writer: number) =>
      withClient(url, async (client) => {
        for (let round = 0; round < (writer === 0 ? 5 : 15); round++) {
          await client.query("begin");
          const { rows } = await client.query(
            "insert into change (resource, id, kind, at) values ('ratings', $1, 'created', 1) returning seq",
            [`${writer}-${round}`],
          );
          // One of them takes its time: until the reader has seen a higher number, or there is none to come.
          for (let wait = 0; writer === 0 && wait < 20 && (seen.at(-1)?.seq ?? 0) < Number(rows[0]?.seq); wait++) {
            await pause(10);
          }
          await client.query("commit");
        }
      });
    await follow(reader, Promise.all(Array.from({ length: 5 }, (_, writer) => write(writer))), seen);
    const { missed: lost, written } = await missed(reader, seen);
    assert.equal(written, 65);
    assert.ok(lost.length > 0, "the check must notice what the lock prevents");
    t.diagnostic(`${lost.length} of ${written} lines missed`);
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
    const slow = put(first, "ratings", "slow");
    await pause(150);
    const { seen } = await follow(reader, Promise.all([slow, put(second, "dividends", "quick")]));
    assert.deepEqual(
      seen.map(({ id }) => id),
      ["slow", "quick"],
    );
  });
});
