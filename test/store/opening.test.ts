// Opening and closing a SQLite database: failures are reported, pending calls are completed, and no file remains open.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { openSqlite } from "../../src/open-sqlite.ts";
import { ratings } from "../../src/resources/ratings.ts";
import { type Migration, migrate } from "../../src/store/migrate.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";

describe("opening a SQLite database", () => {
  let folder = "";
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "bellwire-opening-")));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Files of the folder that the process has open. */
  const openFiles = (): string[] =>
    readdirSync("/proc/self/fd").flatMap((descriptor) => {
      try {
        const file = readlinkSync(join("/proc/self/fd", descriptor));
        return file.startsWith(folder) ? [file] : [];
      } catch {
        return [];
      }
    });
  const onLinux = { skip: process.platform === "linux" ? false : "needs /proc" };

  test("leaves a file that isn't a database closed", onLinux, () => {
    const file = join(folder, "text.db");
    writeFileSync(file, "This is not a database, but it is long enough to be read as one. ".repeat(200));
    assert.throws(() => new Connection(file, { readOnly: false }), /not a database/);
    assert.deepEqual(openFiles(), []);
  });

  test("reports why a migration failed, although SQLite has rolled it back already", () => {
    const db = new DatabaseSync(":memory:");
    const sqlite = "create table a (id integer unique); insert into a values (1); insert or rollback into a values (1)";
    assert.throws(
      () => migrate(db, [{ name: "fails", sqlite, postgres: "" } satisfies Migration]),
      /UNIQUE constraint/,
    );
    db.close();
  });

  test("completes the calls that were made before it is closed, and then leaves nothing open", onLinux, async () => {
    const store = openSqlite({ file: join(folder, "records.db") });
    const calls = [store.count(ratings), store.setMetadata("a", "b"), store.getMetadata("c"), store.close()];
    const outcomes = await Promise.allSettled(calls);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      calls.map(() => "fulfilled"),
    );
    assert.deepEqual(openFiles(), []);
    await assert.rejects(store.getMetadata("c"), /is closed/);
  });
});
