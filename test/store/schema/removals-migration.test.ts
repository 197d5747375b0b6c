// A database from before removals were stored: the removed records in its log are taken over.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import pg from "pg";
import { migrations } from "../../../src/store/migrate.ts";
import { makeSchema } from "../../support/stores/postgres.ts";
import { openTestStore, sqliteDatabase, stores } from "../../support/stores/stores.ts";

const before = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === "006-removals"),
);

/** Log entries: `a` is removed, `b` was restored, `c` was removed twice; news 7 is removed, 8 exists. */
const lines = [
  ["ratings", "a", "created", 1],
  ["ratings", "b", "removed", 2],
  ["ratings", "a", "removed", 3],
  ["ratings", "b", "created", 4],
  ["ratings", "c", "removed", 5],
  ["ratings", "c", "created", 6],
  ["ratings", "c", "removed", 7],
  ["conference-calls", "b", "removed", 8],
  ["news", "7", "removed", 9],
  ["news", "8", "removed", 10],
  ["news", "8", "created", 11],
] as const;

const ratingsRow = `insert into ratings (id, date, time, importance, ticker, updated, analyst_id, firm_id, action_company, json0, beside)
  values ('b', '', '', 0, '', 0, '', '', '', '{}', '')`;
const newsRow = "insert into news (key, id, updated, json0, json1, json2, beside) values (8, 8, 0, '', '', '', '')";
const inserts = [
  ...lines.map(
    ([resource, id, kind, at]) =>
      `insert into change (resource, id, kind, at) values ('${resource}', '${id}', '${kind}', ${at})`,
  ),
  ratingsRow,
  newsRow,
];

const expected = [
  ["conference-calls", "b", 8],
  ["news", "7", 9],
  ["ratings", "a", 3],
  ["ratings", "c", 7],
];
const found = "select resource, id, at from removal order by resource, id";
const valuesOf = (rows: readonly Record<string, unknown>[]) =>
  rows.map(({ resource, id, at }) => [resource, id, Number(at)]);

describe("removals from an earlier log [sqlite]", () => {
  const database = sqliteDatabase({ isMade: false });
  after(database.release);

  test("are taken over for records that no longer exist, with the time of their last removal", async () => {
    const old = new DatabaseSync(database.name);
    for (const { sqlite } of before) old.exec(sqlite);
    for (const insert of inserts) old.exec(insert);
    old.exec(`pragma user_version = ${before.length}`);
    old.close();
    await (await openTestStore(database.name, () => 0)).close();
    const db = new DatabaseSync(database.name);
    assert.deepEqual(valuesOf(db.prepare(found).all()), expected);
    db.close();
  });
});

describe("removals from an earlier log [postgres]", { skip: !stores.includes("postgres") }, () => {
  test("are taken over for records that no longer exist, with the time of their last removal", async () => {
    const schema = await makeSchema(process.env.BELLWIRE_TEST_DATABASE ?? "", `test_old_${process.pid}`);
    const client = new pg.Client(schema.url);
    await client.connect();
    try {
      await client.query("create table migration (number bigint primary key, name text not null)");
      for (const [index, { postgres, name }] of before.entries()) {
        await client.query(postgres);
        await client.query("insert into migration (number, name) values ($1, $2)", [index + 1, name]);
      }
      for (const insert of inserts) await client.query(insert);
      await (await openTestStore(schema.url, () => 0)).close();
      assert.deepEqual(valuesOf((await client.query(found)).rows), expected);
    } finally {
      await client.end();
      await schema.drop();
    }
  });
});
