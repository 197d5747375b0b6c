// The health of a SQLite file is determined by reading and writing it.
import assert from "node:assert/strict";
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { catalog } from "../../../src/resources/catalog.ts";
import { checkHealth } from "../../../src/store/sqlite/file/health.ts";
import { throttled } from "../../../src/store/sqlite/file/health-throttle.ts";
import { startApi } from "../../support/clients/api.ts";
import { sqliteDatabase } from "../../support/stores/stores.ts";

function file(t: TestContext): string {
  const { name, release } = sqliteDatabase();
  t.after(release);
  return name;
}

/** Everything but the header, so that it still looks like a database. */
function damage(name: string): void {
  const descriptor = openSync(name, "r+");
  writeSync(descriptor, Buffer.alloc(statSync(name).size - 4096, 0xff), 0, undefined, 4096);
  closeSync(descriptor);
}

const probed = (name: string): unknown => {
  const db = new DatabaseSync(name);
  const row = db.prepare("select value from setting where name = 'note:probe'").get();
  db.close();
  return row?.value;
};

describe("health of a database file [sqlite]", () => {
  test("is good if it can be read and written, whatever it contains", async (t) => {
    const name = file(t);
    const api = await startApi({ database: name });
    for (const { name: resource, fields } of catalog)
      await api.has(resource, [{ id: fields.id?.column === "integer" ? 1 : "a" }]);
    await api.close();
    assert.deepEqual(checkHealth(name, catalog), { ready: true, checks: { database: "ok" } });
    assert.match(String(probed(name)), /^\d{4}-/);
  });

  test("is good while another connection writes", (t) => {
    const name = file(t);
    const other = new DatabaseSync(name);
    other.exec("begin immediate");
    assert.deepEqual(checkHealth(name, catalog), { ready: true, checks: { database: "ok" } });
    other.exec("rollback");
    other.close();
  });

  test("is bad if the file is damaged", (t) => {
    const name = file(t);
    damage(name);
    const { ready, checks } = checkHealth(name, catalog);
    assert.equal(ready, false);
    assert.match(checks.database ?? "", /malformed|not a database/);
  });

  test("is checked again after ten seconds, and not before", async (t) => {
    const name = file(t);
    const clock = { ms: 0 };
    const health = throttled(
      async () => checkHealth(name, catalog),
      () => clock.ms,
    );
    assert.ok((await health()).ready);
    damage(name);
    clock.ms = 9999;
    assert.ok((await health()).ready);
    clock.ms = 10_000;
    assert.ok(!(await health()).ready);
  });
});
