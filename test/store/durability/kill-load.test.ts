// A large import killed at any moment leaves only complete loads, and importing again completes it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { newsRecords } from "../../../bench/records/news.ts";
import { ratingsRecords } from "../../../bench/records/ratings.ts";
import { isPostgres } from "../../../src/settings/setting.ts";
import { runs } from "../../support/budget.ts";
import { resourceNamed } from "../../support/clients/api.ts";
import { endAfterFile } from "../../support/processes.ts";
import { execute } from "../../support/stores/postgres.ts";
import { openTestStore, ownPostgres, sqliteDatabase, stores } from "../../support/stores/stores.ts";
import { tablesIn } from "../../support/stores/tables.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** Enough for one load on SQLite, and for two on PostgreSQL, which commits every 5,000 records. Fewer aren't loaded. */
const count = 6000;

const cli = join(import.meta.dirname, "../../../src/cli.js");
const folder = mkdtempSync(join(tmpdir(), "bellwire-kill-load-"));
after(() => rmSync(folder, { recursive: true }));

const samples = {
  ratings: (count: number) => ratingsRecords(count),
  news: (count: number) => newsRecords(count, 50),
} as const;
type Name = keyof typeof samples;
/** News takes three times as long, and only in the long run. */
const names: readonly Name[] = runs(1, 2) === 1 ? ["ratings"] : ["ratings", "news"];

for (const store of stores) {
  for (const name of names) {
    describe(`a killed large import of ${name} [${store}]`, () => {
      test("leaves only complete loads, and importing again makes it identical to an uninterrupted one", async (t) => {
        const file = join(folder, `${name}-${store}.ndjson`);
        writeFileSync(file, Array.from(samples[name](count), (record) => `${JSON.stringify(record)}\n`).join(""));
        const reference = await newDatabase(store);
        let killed = await newDatabase(store);
        try {
          const began = performance.now();
          assert.equal(await run(name, file, reference.database), 0);
          let milliseconds = performance.now() - began;
          let kills = 0;
          for (let attempt = 0; kills < runs(2, 15) && attempt < runs(4, 60); attempt++) {
            const delay = milliseconds * (0.2 + 0.8 * Math.random());
            const status = await run(name, file, killed.database, delay);
            await waitUntil(() => isQuiet(killed.database), "the server has noticed");
            const there = await assertIntact(name, killed.database, count);
            t.diagnostic(`${status === 0 ? "finished" : "killed"} with ${there} records`);
            if (status === null) kills++;
            else {
              // There is nothing to interrupt in a complete database.
              await killed.release();
              killed = await newDatabase(store);
              milliseconds = Math.min(milliseconds, delay);
            }
          }
          t.diagnostic(`${kills} kills`);
          assert.equal(await run(name, file, killed.database), 0);
          assert.equal(await assertIntact(name, killed.database, count), count);
          assert.deepEqual(await contents(killed.database), await contents(reference.database));
        } finally {
          await reference.release();
          await killed.release();
        }
      });
    });
  }
}

async function newDatabase(store: string): Promise<{ database: string; release(): Promise<void> }> {
  if (store === "sqlite") {
    const { name, release } = sqliteDatabase();
    return { database: name, release };
  }
  const { url, drop } = await ownPostgres("kill_load");
  return { database: url, release: drop };
}

/** Imports the file, and kills the import after some time; returns its exit status, or null if it was killed. */
async function run(name: Name, file: string, database: string, killAfter?: number): Promise<number | null> {
  const child = spawn(process.execPath, [cli, "import", name, file, "--database", database], {
    stdio: "ignore",
    env: { ...process.env, BELLWIRE_STATEMENT_SECONDS: "300" },
  });
  endAfterFile(child);
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  if (killAfter !== undefined) {
    await Promise.race([ended, pause(killAfter)]);
    child.kill("SIGKILL");
  }
  return ended;
}

/** Whether no other process is connected: PostgreSQL may still commit what a killed one has sent. */
async function isQuiet(database: string): Promise<boolean> {
  if (!isPostgres(database)) return true;
  const others = "datname = current_database() and pid <> pg_backend_pid()";
  return (await execute(database, `select from pg_stat_activity where ${others}`)).rowCount === 0;
}

/** Returns the number of records. */
async function assertIntact(name: Name, database: string, count: number): Promise<number> {
  if (!isPostgres(database)) {
    const db = new DatabaseSync(database);
    assert.deepEqual({ ...db.prepare("pragma integrity_check").get() }, { integrity_check: "ok" });
    db.exec("insert into news_search (news_search, rank) values ('integrity-check', 1)");
    db.close();
  }
  const store = await openTestStore(database, () => 0);
  try {
    const counted = await store.count(resourceNamed(name));
    let there = 0;
    for await (const _ of store.scan(resourceNamed(name))) there++;
    assert.equal(counted, there, "the counts are those of the records");
    // On PostgreSQL there are several loads.
    if (!isPostgres(database)) assert.ok(there === 0 || there === count, `${there} of ${count} records are there`);
    return there;
  } finally {
    await store.close();
  }
}

/** Without the time of import and, on PostgreSQL, numbers from sequences, which an aborted transaction uses up. */
async function contents(database: string): Promise<Record<string, string[]>> {
  const varying = isPostgres(database) ? /"(at|seq|key)":"?\d+"?,?/g : /"at":"?\d+"?,?/g;
  const tables = await tablesIn(database);
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.map((row) => row.replace(varying, "")).sort()]),
  );
}
