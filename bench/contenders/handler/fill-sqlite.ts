// The plain tables in a SQLite file, created once from the same records, next to Bellwire's.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { hashKey } from "../../../src/keys/key.ts";
import { type BenchData, makeOnce, readThrough, recordsOf } from "../../records/database.ts";
import { indexesSql, newsColumns, newsRow, ratingRow, ratingsColumns, tablesSql } from "./tables.ts";

export async function plainSqlite(data: BenchData, say: (line: string) => void): Promise<string> {
  const file = join(data.folder, "plain.db");
  if (!existsSync(file)) await makeOnce(file, (making) => makeFile(making, data, say));
  await readThrough(file);
  return file;
}

function makeFile(file: string, data: BenchData, say: (line: string) => void): void {
  const db = new DatabaseSync(file);
  try {
    const start = performance.now();
    fillTables(db, data);
    say(`filled the handler's tables in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  } finally {
    db.close();
  }
}

function fillTables(db: DatabaseSync, { sizes, token }: BenchData): void {
  db.exec("pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -65536");
  db.exec(tablesSql(""));
  db.exec("create virtual table news_fts using fts5 (title, tags, body, content = '')");
  db.exec("begin");
  const insert = (table: string, columns: readonly string[]) => {
    const statement = db.prepare(
      `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`,
    );
    return (...values: readonly unknown[]) => statement.run(...(values as SQLInputValue[]));
  };
  const records = recordsOf(sizes);
  const ratings = Object.keys(ratingsColumns) as (keyof typeof ratingsColumns)[];
  const addRating = insert("ratings", ratings);
  for (const record of records.ratings()) {
    const row = ratingRow(record);
    addRating(...ratings.map((name) => row[name]));
  }
  const news = Object.keys(newsColumns) as (keyof typeof newsColumns)[];
  const addNews = insert("news", news);
  const addTicker = insert("news_ticker", ["ticker", "created_at", "id"]);
  const addWords = insert("news_fts", ["rowid", "title", "tags", "body"]);
  for (const record of records.news()) {
    const { row, tags, words, tickers } = newsRow(record);
    addNews(...news.map((name) => row[name]));
    for (const ticker of tickers) addTicker(ticker, row.created_at, row.id);
    addWords(row.id, row.title, tags, words);
  }
  insert("api_key", ["hash", "name"])(hashKey(token), "bench");
  db.exec("commit");
  db.exec(indexesSql);
  db.exec("analyze");
  // Persistent, so that the file is opened as an application would.
  db.exec("pragma journal_mode = wal");
}
