// Every commit of any connection is seen by the next look, whatever SQLite does with its log meanwhile.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { sightOf } from "../../src/store/sqlite/sight.ts";

describe("a look at the log", () => {
  const folder = mkdtempSync(join(tmpdir(), "bellwire-sight-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const opened = (name: string) => {
    const file = join(folder, name);
    const writer = new Connection(file, { readOnly: false });
    writer.db.exec("create table t (a)");
    const reader = new Connection(file, { readOnly: true });
    reader.all("select * from t");
    return { file, writer, reader };
  };

  test("says so once for each commit, and nothing where there was none", () => {
    const { file, writer, reader } = opened("commits.db");
    const moved = sightOf(file, reader);
    assert.equal(moved(), true);
    for (let round = 0; round < 500; round++) {
      assert.equal(moved(), false);
      writer.run("insert into t values (?)", round);
      assert.equal(moved(), true);
      if (round % 50 === 0) {
        // The log is emptied and begun again; what was seen before must not come to look like it.
        writer.db.exec("pragma wal_checkpoint(truncate)");
        moved();
      }
    }
    writer.db.exec("begin; insert into t values (1); rollback");
    assert.equal(moved(), false);
    writer.close();
    reader.close();
  });

  test("sees what another store on the same file commits after this one has closed a connection", () => {
    const { file, writer, reader } = opened("two.db");
    const moved = sightOf(file, reader);
    const other = new Connection(file, { readOnly: true });
    sightOf(file, other)();
    other.close();
    moved();
    writer.run("insert into t values (1)");
    assert.equal(moved(), true);
    writer.close();
    reader.close();
  });

  test("asks SQLite where there is no such file", () => {
    const { file, writer, reader } = opened("asked.db");
    const moved = sightOf(`${file}-elsewhere`, reader);
    assert.equal(moved(), true);
    assert.equal(moved(), false);
    writer.run("insert into t values (1)");
    assert.equal(moved(), true);
    writer.close();
    reader.close();
  });
});
