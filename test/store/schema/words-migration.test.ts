// A database from before words were stored individually: those of titles and tags are copied from the full-text index.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import { migrations } from "../../../src/store/migrate.ts";
import { openTestStore, sqliteDatabase } from "../../support/stores/stores.ts";

const before = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === "010-words"),
);

const item = (key: number, title: string, tags: string, body: string) => [
  `insert into news (key, id, updated, json0, json1, json2, beside) values (${key}, ${key}, 0, '', '', '', '')`,
  `insert into news_search (rowid, title, tags, body) values (${key}, '${title}', '${tags}', '${body}')`,
];

const inserts = [
  ...item(1, "merger of two", "deals _ merger", "a long body"),
  ...item(2, "gone", "deals", ""),
  ...item(3, "two two two", "", "merger"),
  "delete from news_search where rowid = 2",
  "delete from news where key = 2",
];

describe("words of an older database", () => {
  const database = sqliteDatabase({ isMade: false });
  after(database.release);

  test("are those of titles and tags of existing items, each with its first position", async () => {
    const old = new DatabaseSync(database.name);
    for (const { sqlite } of before) old.exec(sqlite);
    for (const insert of inserts) old.exec(insert);
    old.exec(`pragma user_version = ${before.length}`);
    old.close();
    const store = await openTestStore(database.name, () => 0);
    await store.close();
    const migrated = new DatabaseSync(database.name);
    const rows = migrated.prepare("select word, place, key from news_word order by key, word").all();
    migrated.close();
    assert.deepEqual(
      rows.map(({ word, place, key }) => [word, place, key]),
      [
        ["deals", 1, 1],
        ["merger", 0, 1],
        ["of", 0, 1],
        ["two", 0, 1],
        ["two", 0, 3],
      ],
    );
  });
});
