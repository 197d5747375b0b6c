// `backup` of databases that are in use, written to, or damaged.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { waitUntil } from "../../support/wait-until.ts";
import { bellwire, bellwireWrites, keyOn, serving } from "../support/bellwire.ts";
import { around, damagePage, databaseOf, exportOf, generations } from "./generations.ts";

describe("backup", () => {
  test("writes one complete file, prints counts, and never overwrites another file", async () => {
    const database = await databaseOf("A", 100);
    await keyOn(database);
    const copy = join(dirname(database), "copy.db");
    const output = await bellwireWrites(["backup", copy, "--database", database], { ownProcess: true });
    assert.equal(
      output,
      `${copy}: news 300, ratings 1000, dividends 0, guidance 0, earnings 0, economics 0, conference-calls 0\n`,
    );
    assert.deepEqual(around(database), ["copy.db", "test.db"]);
    for (const resource of ["ratings", "news"])
      assert.equal(await exportOf(copy, resource), await exportOf(database, resource));
    assert.equal(
      await bellwireWrites(["keys", "list", "--database", copy]),
      await bellwireWrites(["keys", "list", "--database", database]),
    );
    const before = readFileSync(copy);
    const again = await bellwire(["backup", copy, "--database", database]);
    assert.equal(again.status, 2);
    assert.match(again.stderr, /FILE: ".*copy\.db" already exists; expected a new name, or --force/);
    assert.deepEqual(readFileSync(copy), before);
    writeFileSync(copy, "something else");
    await bellwireWrites(["backup", copy, "--force", "--database", database]);
    assert.deepEqual(generations(copy), ["A"]);
  });

  test("a backup has the database's file permissions", async () => {
    const database = await databaseOf("A", 100);
    chmodSync(database, 0o600);
    const copy = join(dirname(database), "copy.db");
    await bellwireWrites(["backup", copy, "--database", database]);
    assert.equal(statSync(copy).mode & 0o777, 0o600);
  });

  test("a backup during writes is a committed state: whole batches only", async () => {
    const database = await databaseOf("0");
    const source = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);
    const script = join(dirname(database), "writer.ts");
    writeFileSync(
      script,
      `import { openSqlite } from ${source("open-sqlite.ts")};
       import { catalog } from ${source("resources/catalog.ts")};
       const store = openSqlite({ file: ${JSON.stringify(database)} });
       const ratings = catalog.find(({ name }) => name === "ratings");
       const rows = await Array.fromAsync(store.scan(ratings));
       process.on("SIGTERM", () => process.exit(0));
       for (let n = 1; ; n++) {
         await store.put(ratings, rows.map((row) => ({ row: { ...row, ticker: String(n) }, stamped: false })));
         process.stdout.write(n + "\\n");
         await new Promise((resolve) => setImmediate(resolve));
       }`,
    );
    const writer = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      let written = 0;
      writer.stdout.setEncoding("utf8").on("data", (text: string) => {
        written = Number(text.trim().split("\n").at(-1));
      });
      await waitUntil(() => written > 0, "the other process writes");
      for (const name of ["one", "two"]) {
        const copy = join(dirname(database), `${name}.db`);
        const before = written;
        await bellwireWrites(["backup", copy, "--database", database]);
        const restored = join(dirname(database), `${name}-restored.db`);
        await bellwireWrites(["restore", copy, "--database", restored]);
        const found = generations(restored);
        assert.equal(found.length, 1, `of ${found.join()}`);
        assert.ok(Number(found[0]) >= before && Number(found[0]) <= written + 1, `${before} ${found[0]} ${written}`);
        assert.equal(await exportOf(restored), await exportOf(copy));
      }
      assert.equal(writer.exitCode, null, "the other process was to write all the while");
    } finally {
      writer.kill("SIGKILL");
    }
  });

  test("a backup doesn't disturb a running server", async () => {
    const database = await databaseOf("A", 100);
    const key = await keyOn(database);
    const server = await serving(["--database", database, "--no-demo"]);
    const copy = join(dirname(database), "copy.db");
    await bellwireWrites(["backup", copy, "--database", database]);
    const response = await fetch(`${server.url}/api/v2/news?token=${key}`);
    assert.equal(response.status, 200);
    await server.stop();
    assert.equal(await exportOf(copy), await exportOf(database));
  });

  test("a damaged database yields no backup, and an earlier backup survives", async () => {
    const database = await databaseOf("A", 100);
    const copy = join(dirname(database), "copy.db");
    await bellwireWrites(["backup", copy, "--database", database]);
    const yesterday = readFileSync(copy);
    damagePage(database);
    const run = await bellwire(["backup", copy, "--force", "--database", database]);
    assert.equal(run.status, 1);
    assert.match(run.stderr, /test\.db is damaged, so no backup was written: /);
    assert.deepEqual(readFileSync(copy), yesterday);
    assert.deepEqual(around(database), ["copy.db", "test.db"]);
  });

  test("invalid arguments are reported", async () => {
    const database = await databaseOf("A", 100);
    const missing = join(dirname(database), "none.db");
    for (const [args, status, output] of [
      [["backup", "--database", database], 2, /FILE: expected/],
      [["backup", "x.db", "--database", missing], 2, /there is no database at ".*none\.db"/],
      [["backup", database, "--force", "--database", database], 2, /a file other than the database/],
      [["backup", join(dirname(database), "no", "x.db"), "--database", database], 1, /ENOENT/],
      [["backup", "x.db", "--database", "postgres://u:secret@h/d"], 2, /pg_dump --format=custom/],
      [["restore", "x.db", "--database", "postgresql://u:secret@h/d"], 2, /pg_restore/],
      [["restore", "--database", database], 2, /FILE: expected/],
      [["restore", missing, "--database", database], 2, /".*none\.db" does not exist/],
      [["restore", database, "--force", "--database", database], 2, /a file other than the database/],
    ] as const) {
      const run = await bellwire(args);
      assert.deepEqual([run.status, run.stdout], [status, ""], `${args.join(" ")}: ${run.stderr}`);
      assert.match(run.stderr, output);
      assert.doesNotMatch(run.stderr, /secret|\n./);
    }
    assert.equal(existsSync(missing), false);
    assert.deepEqual(around(database), ["test.db"]);
  });
});
