// `restore`: what it accepts and rejects, and what happens to the previous database.
import assert from "node:assert/strict";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { migrations } from "../../../src/store/migrate.ts";
import { bellwire, bellwireWrites, folder, keyOn, serving } from "../support/bellwire.ts";
import { around, damagePage, databaseOf, exportOf, generations } from "./generations.ts";

function changed(file: string, sql: string): void {
  const db = new DatabaseSync(file, { defensive: false });
  db.exec(sql);
  db.close();
}

describe("restore", () => {
  test("restores if no database exists, creating its directory, and leaves the backup unchanged", async () => {
    const original = await databaseOf("A", 100);
    const copy = join(dirname(original), "copy.db");
    await bellwireWrites(["backup", copy, "--database", original]);
    const bytes = readFileSync(copy);
    chmodSync(copy, 0o444);
    const target = join(dirname(original), "new", "target.db");
    const output = await bellwireWrites(["restore", copy, "--database", target], { ownProcess: true });
    assert.match(output, /^.*target\.db: news 300, ratings 1000, /);
    assert.deepEqual(around(target), ["target.db"]);
    assert.equal(await exportOf(target), await exportOf(original));
    assert.deepEqual(readFileSync(copy), bytes);
    assert.deepEqual(around(copy), ["copy.db", "new", "test.db"]);
  });

  test("replaces a database only with --force, and saves each previous one", async () => {
    const [target, other] = [await databaseOf("OLD", 100), await databaseOf("NEW", 100)];
    const rejected = await bellwire(["restore", other, "--database", target]);
    assert.equal(rejected.status, 2);
    assert.match(rejected.stderr, /".*" already exists; expected no database, or --force to replace it/);
    assert.deepEqual(generations(target), ["OLD"]);
    const run = await bellwire(["restore", other, "--force", "--database", target]);
    assert.equal(run.status, 0, run.stderr);
    assert.equal(run.stderr, `the previous database was saved as ${target}.before-restore\n`);
    assert.deepEqual(generations(target), ["NEW"]);
    assert.deepEqual(generations(`${target}.before-restore`), ["OLD"]);
    await bellwire(["restore", `${target}.before-restore`, "--force", "--database", target]);
    assert.deepEqual(generations(target), ["OLD"]);
    assert.deepEqual(generations(`${target}.before-restore-2`), ["NEW"]);
    assert.deepEqual(around(target), ["test.db", "test.db.before-restore", "test.db.before-restore-2"]);
  });

  test("a backup has its database's identity; a restored database has a new one, so that old ETags don't match", async () => {
    const identity = (file: string) => {
      const db = new DatabaseSync(file, { readOnly: true });
      const { value } = db.prepare("select value from setting where name = 'database'").get() ?? {};
      db.close();
      return String(value);
    };
    const database = await databaseOf("A", 100);
    const [copy, other] = ["copy.db", "other.db"].map((name) => join(dirname(database), name)) as [string, string];
    await bellwireWrites(["backup", copy, "--database", database]);
    assert.equal(identity(copy), identity(database));
    await bellwireWrites(["restore", copy, "--database", other]);
    await bellwireWrites(["restore", copy, "--force", "--database", database]);
    const found = [copy, other, database, `${database}.before-restore`].map(identity);
    for (const each of found) assert.match(each, /^[0-9a-f]{12}$/);
    assert.equal(found[0], found[3]);
    assert.equal(new Set(found).size, 3);
  });

  test("changes that are only in a write-ahead log are neither lost nor mixed with another database", async () => {
    const [target, other] = [await databaseOf("OLD", 100), await databaseOf("NEW", 100)];
    for (const [file, generation] of [
      [target, "OLDER"],
      [other, "NEWER"],
    ] as const) {
      // A killed process leaves its log behind.
      const db = new DatabaseSync(file);
      db.exec(`pragma journal_mode = wal; update ratings set ticker = '${generation}'`);
      for (const end of ["", "-wal"]) copyFileSync(file + end, `${file}.left${end}`);
      db.close();
      for (const end of ["", "-wal"]) copyFileSync(`${file}.left${end}`, file + end);
    }
    assert.equal((await bellwire(["restore", other, "--force", "--database", target])).status, 0);
    assert.deepEqual(generations(target), ["NEWER"]);
    assert.deepEqual(generations(`${target}.before-restore`), ["OLDER"]);
    assert.deepEqual(generations(other), ["NEWER"]);
  });

  test("a stray write-ahead log is not applied to the restored database", async () => {
    const [gone, other] = [await databaseOf("GONE", 100), await databaseOf("NEW", 100)];
    const db = new DatabaseSync(gone);
    db.exec("pragma journal_mode = wal; update ratings set ticker = 'lost'");
    copyFileSync(`${gone}-wal`, `${gone}.log`);
    db.close();
    rmSync(gone);
    copyFileSync(`${gone}.log`, `${gone}-wal`);
    assert.equal((await bellwire(["restore", other, "--database", gone])).status, 2);
    assert.equal((await bellwire(["restore", other, "--force", "--database", gone])).status, 0);
    assert.deepEqual(generations(gone), ["NEW"]);
    assert.ok(existsSync(`${gone}.before-restore-wal`));
  });

  test("rejects a database that a server is using, and changes nothing", async () => {
    const [target, other] = [await databaseOf("OLD", 100), await databaseOf("NEW", 100)];
    const key = await keyOn(target);
    const server = await serving(["--database", target, "--no-demo"]);
    const run = await bellwire(["restore", other, "--force", "--database", target]);
    assert.equal(run.status, 1);
    assert.match(run.stderr, /^bellwire: .*test\.db is in use by another process: stop the server and try again\n$/);
    assert.equal((await fetch(`${server.url}/api/v2/news?token=${key}`)).status, 200);
    await server.stop();
    assert.deepEqual(generations(target), ["OLD"]);
    assert.deepEqual(around(target), ["test.db"]);
    assert.equal((await bellwire(["restore", other, "--force", "--database", target])).status, 0);
    assert.deepEqual(generations(target), ["NEW"]);
  });

  test("rejects a damaged backup, with every reason, and changes nothing", async () => {
    const [target, good] = [await databaseOf("OLD", 100), await databaseOf("NEW", 100)];
    const before = readFileSync(target);
    const damages: [name: string, damage: (file: string) => void, output: RegExp][] = [
      ["a page", damagePage, /Tree|malformed|Freelist|page/i],
      ["the end cut off", (file) => truncateSync(file, 4096 * 30 + 100), /malformed|damaged/],
      [
        "the head",
        (file) =>
          writeFileSync(file, Buffer.concat([Buffer.from("not SQLite at all"), readFileSync(file).subarray(17)])),
        /not a (SQLite )?database/,
      ],
      ["nothing in it", (file) => writeFileSync(file, ""), /not a Bellwire database/],
      ["words", (file) => writeFileSync(file, "hello ".repeat(1000)), /not a (SQLite )?database/],
      [
        "another program's tables",
        (file) => {
          rmSync(file);
          changed(file, "create table t (x); pragma user_version = 1");
        },
        /table news is missing from schema 1/,
      ],
      ["a table that is missing", (file) => changed(file, "drop table setting"), /table setting is missing/],
      ["an index that is missing", (file) => changed(file, "drop index news_id"), /index news_id is missing/],
      [
        "a newer schema",
        (file) => changed(file, `pragma user_version = ${migrations.length + 1}`),
        /made by a newer Bellwire/,
      ],
      [
        "the full-text index",
        (file) => changed(file, "update news_search_data set block = zeroblob(length(block)) where id > 10"),
        /fts5|news_search|malformed/i,
      ],
      [
        "entries of the full-text index",
        (file) => changed(file, "delete from news_search where rowid in (select key from news limit 3)"),
        /full-text index of news contains 297 of 300/,
      ],
      ["no identity", (file) => changed(file, "delete from setting where name = 'database'"), /identity/],
    ];
    for (const [name, damage, output] of damages) {
      const file = join(dirname(good), "damaged.db");
      copyFileSync(good, file);
      damage(file);
      const run = await bellwire(["restore", file, "--force", "--database", target]);
      assert.equal(run.status, 1, `${name}: ${run.stderr}`);
      assert.match(run.stderr, output, name);
      assert.doesNotMatch(run.stderr, /\bat .*:\d+:\d+/);
      assert.deepEqual(readFileSync(target), before, name);
      assert.deepEqual(around(target), ["test.db"], name);
      rmSync(file);
    }
  });

  test("accepts a backup with an older schema, which the next start migrates", async () => {
    const file = join(mkdtempSync(join(folder, "older-")), "older.db");
    const db = new DatabaseSync(file);
    for (const { sqlite } of migrations.slice(0, 2)) db.exec(sqlite);
    db.exec("pragma user_version = 2");
    db.close();
    const target = join(dirname(file), "target.db");
    assert.equal((await bellwire(["restore", file, "--database", target])).status, 0);
    assert.equal(await exportOf(target), "");
    const opened = new DatabaseSync(target);
    assert.equal(opened.prepare("pragma user_version").get()?.user_version, migrations.length);
    opened.close();
  });

  test("replaces an unreadable database too, and saves it unchanged", async () => {
    const good = await databaseOf("NEW", 100);
    for (const [name, damage] of [
      ["words", (file: string) => writeFileSync(file, "hello ".repeat(1000))],
      ["cut", (file: string) => truncateSync(file, 4096 * 30)],
      ["page", damagePage],
    ] as const) {
      const target = await databaseOf("OLD", 100);
      damage(target);
      const bytes = readFileSync(target);
      const run = await bellwire(["restore", good, "--force", "--database", target]);
      assert.equal(run.status, 0, `${name}: ${run.stderr}`);
      assert.deepEqual(generations(target), ["NEW"]);
      const saved = readFileSync(`${target}.before-restore`);
      // If SQLite could read it, only its journal mode differs.
      assert.deepEqual(saved.subarray(4096), bytes.subarray(4096), name);
    }
  });
});
