// `doctor` reports findings with advice and changes nothing.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { checkService } from "../../src/commands/checks/service.ts";
import { openStore } from "../../src/commands/shared/open-store.ts";
import { configure } from "../../src/config.ts";
import { hashKey, pageKey } from "../../src/keys/key.ts";
import { migrations } from "../../src/store/migrate.ts";
import { dropSchema, postgresDatabase, stores } from "../support/stores/stores.ts";
import { bellwire, bellwireWrites, fileOf, freshDatabase, keyOn, serving } from "./support/bellwire.ts";

type Finding = { check: string; level: string; found: string; advice?: string };

/** Nothing listens on port 1; another test's server may be on any other port. */
async function examined(args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = await bellwire(["doctor", "--json", "--port", "1", ...args], { env });
  assert.equal(stderr, "");
  const findings = JSON.parse(stdout) as Finding[];
  return {
    status,
    of: (check: string): Finding[] => findings.filter((each) => each.check === check),
    troubles: findings.filter(({ level }) => level !== "ok"),
  };
}

const ratings = '{"id":"a","date":"2024-11-05","ticker":"F"}\n';

async function filled(): Promise<string> {
  const database = freshDatabase();
  await bellwireWrites(["import", "ratings", fileOf("doctor.ndjson", ratings), "--database", database]);
  await keyOn(database);
  chmodSync(database, 0o600);
  return database;
}

describe("doctor", () => {
  test("finds nothing wrong with an intact database, thoroughly or not, and writes nothing to it", async () => {
    const database = await filled();
    const before = readFileSync(database);
    for (const more of [[], ["--thorough"]]) {
      const { status, troubles, of } = await examined(["--database", database, ...more]);
      assert.deepEqual([status, troubles], [0, []]);
      assert.match(of("records")[0]?.found ?? "", /ratings 1/);
      assert.match(of("zone")[0]?.found ?? "", /^America\/New_York/);
    }
    assert.deepEqual(readFileSync(database), before);
    const text = await bellwireWrites(["doctor", "--port", "1", "--database", database], { ownProcess: true });
    assert.match(text, /^ok {5}database {4} SQLite [\d.]+, schema \d+ of \d+$/m);
  });

  test("doesn't create a missing database", async () => {
    const database = freshDatabase();
    const { status, of } = await examined(["--database", database]);
    assert.deepEqual([status, of("database")[0]?.level], [0, "warning"]);
    assert.equal(existsSync(database), false);
  });

  test("reports a damaged database, a foreign one, and one with a missing index, with status 1", async () => {
    const broken = fileOf("broken.db", "this is no database at all, but long enough to be taken for one".repeat(100));
    const strange = freshDatabase();
    new DatabaseSync(strange).exec("create table other (x)");
    const lacking = await filled();
    const db = new DatabaseSync(lacking);
    const [index] = db.prepare("select name from sqlite_schema where type = 'index' and sql is not null").all();
    db.exec(`drop index ${index?.name}`);
    db.close();
    for (const database of [broken, strange, lacking]) {
      const { status, of } = await examined(["--database", database]);
      assert.deepEqual([status, of("database")[0]?.level], [1, "fault"], database);
    }
    assert.match((await examined(["--database", lacking])).of("database")[0]?.found ?? "", /is missing from schema/);
    assert.match((await examined(["--database", broken])).of("database")[0]?.advice ?? "", /^restore the latest/);
  });

  test("reports stored counts that don't match the records", async () => {
    const database = await filled();
    const db = new DatabaseSync(database);
    db.exec("delete from ratings_count where parent = ''");
    db.close();
    const { status, of } = await examined(["--database", database]);
    assert.deepEqual([status, of("indexes")[0]?.found], [1, "ratings has 1 records, but its count index says 0"]);
  });

  test("leaves an older schema unchanged", async () => {
    const database = freshDatabase();
    const db = new DatabaseSync(database);
    db.exec(`${migrations[0]?.sqlite}; pragma user_version = 1`);
    const version = () => db.prepare("pragma user_version").get()?.user_version;
    const { of } = await examined(["--database", database]);
    assert.match(of("database")[0]?.advice ?? "", /backup first/);
    assert.equal(version(), 1);
    db.close();
  });

  test("warns about settings that don't fit the machine, are misspelled, or expose too much", async () => {
    const database = await filled();
    const args = ["--database", database, "--host", "0.0.0.0", "--workers", "256", "--metrics-open", "true"];
    const { status, troubles } = await examined([...args, "--test-mode", "true"], { BELLWIRE_DATABSE: "x" });
    assert.equal(status, 1, "test mode for the public is a fault");
    const output = troubles.map(({ found }) => found).join("\n");
    for (const part of [
      /BELLWIRE_DATABSE is not a setting/,
      /256 workers/,
      /metrics are exposed/,
      /test-mode is on/,
      /public port/,
    ])
      assert.match(output, part);
    for (const { advice } of troubles) assert.ok(advice, "each trouble has its advice");
  });

  test("warns about file permissions, a changed time zone, a wrong clock, and expiring or missing keys", async () => {
    const database = await filled();
    chmodSync(database, 0o644);
    const db = new DatabaseSync(database);
    db.exec("update change set at = at + 864000");
    db.close();
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    await bellwireWrites(["keys", "create", "--name", "brief", "--expires", day, "--database", database]);
    const { status, of } = await examined(["--database", database, "--zone", "UTC"]);
    assert.equal(status, 0);
    assert.match(of("rights")[0]?.advice ?? "", /^chmod 600/);
    assert.match(of("zone")[0]?.found ?? "", /UTC is configured/);
    assert.match(of("clock")[0]?.found ?? "", /in the future/);
    assert.match(of("keys")[1]?.found ?? "", /brief/);
  });

  test("warns about valid demo keys, and reports a fault if others can reach the server", async () => {
    const database = await filled();
    const store = await openStore(configure({ database }, {}), "must exist");
    const page = hashKey(pageKey((await store.state()).databaseId));
    await store.addKey({ name: "page", hash: page, licenses: [], scopes: ["read"], created: 1, expires: "" });
    await store.close();
    await bellwireWrites(["keys", "create", "--name", "demo", "--database", database]);
    const output = async (...args: string[]) => {
      const { status, of } = await examined(["--database", database, ...args]);
      return [
        status,
        ...of("keys")
          .slice(1)
          .map(({ level, found, advice }) => [level, found, advice]),
      ];
    };
    const found = (level: string) => [
      [level, '/page.json publishes the key "page"', "revoke it with: bellwire keys revoke page"],
      [level, "the demo key is valid", "revoke it with: bellwire keys revoke demo"],
    ];
    assert.deepEqual(await output(), [0, ...found("warning")]);
    assert.deepEqual(await output("--host", "0.0.0.0"), [1, ...found("fault")]);
    for (const name of ["page", "demo"]) await bellwireWrites(["keys", "revoke", name, "--database", database]);
    // A user's own key may have the same name.
    await bellwireWrites(["keys", "create", "--name", "page", "--database", database]);
    assert.deepEqual(await output("--host", "0.0.0.0"), [0]);
  });

  test("determines expiry by days of the service's time zone", async () => {
    const database = await filled();
    await bellwireWrites(["keys", "create", "--name", "brief", "--expires", "2099-06-30", "--database", database]);
    const config = configure({ database }, {});
    const store = await openStore(config, "must exist");
    const valid = async (now: string) =>
      (await checkService(store, config, Date.parse(now) / 1000)).find(({ check }) => check === "keys")?.found;
    // Midnight in New York is four hours later.
    assert.equal(await valid("2099-07-01T03:59:00Z"), "2 valid");
    assert.equal(await valid("2099-07-01T04:00:00Z"), "1 valid");
    await store.close();
  });

  test("finds a running server", async () => {
    const database = await filled();
    const server = await serving(["--database", database, "--log-level", "silent"]);
    const { of } = await examined(["--database", database, "--port", new URL(server.url).port]);
    assert.match(of("server")[0]?.found ?? "", /is running .* its database is ok/);
    await server.stop();
  });

  test("reports an unreachable PostgreSQL database as a fault, without its password", async () => {
    const { status, of } = await examined(["--database", "postgres://user:hidden@127.0.0.1:1/news"]);
    assert.equal(status, 1);
    assert.match(of("database")[0]?.found ?? "", /not available/);
    assert.doesNotMatch(of("database")[0]?.found ?? "", /hidden/);
  });

  test("checks a PostgreSQL database: schema, indexes, clock, connections", {
    skip: !stores.includes("postgres"),
  }, async () => {
    const { name } = await postgresDatabase();
    try {
      const { status, of, troubles } = await examined(["--database", name]);
      assert.deepEqual(
        [status, of("indexes")[0]?.level, of("connections")[0]?.level],
        [0, "ok", "ok"],
        JSON.stringify(troubles),
      );
      assert.match(of("database")[0]?.found ?? "", /^PostgreSQL \d/);
      const { of: crowded } = await examined(["--database", name, "--pool-size", "1000"]);
      assert.equal(crowded("connections")[0]?.level, "warning");
    } finally {
      await dropSchema();
    }
  });

  test("finds a damaged page with --thorough", async () => {
    const database = freshDatabase();
    const lines = Array.from(
      { length: 3000 },
      (_, at) => `{"id":"r${at}","date":"2024-11-05","ticker":"T${at % 50}"}\n`,
    );
    await bellwireWrites(["import", "ratings", fileOf("many.ndjson", lines.join("")), "--database", database]);
    const bytes = readFileSync(database);
    bytes.fill(0x7e, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 20_000);
    writeFileSync(database, bytes);
    assert.equal((await examined(["--database", database, "--thorough"])).status, 1);
  });
});
