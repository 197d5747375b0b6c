// The plain tables in PostgreSQL, filled from the same records by COPY.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import copy from "pg-copy-streams";
import { hashKey } from "../../../src/keys/key.ts";
import { type BenchData, recordsOf } from "../../records/database.ts";
import { indexesSql, newsColumns, newsRow, ratingRow, ratingsColumns, tablesSql } from "./tables.ts";

export async function plainPostgres(url: string, data: BenchData, say: (line: string) => void): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const start = performance.now();
    await fillTables(client, data);
    say(`PostgreSQL: filled the handler's tables in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  } finally {
    await client.end();
  }
}

async function fillTables(client: pg.Client, { sizes, token }: BenchData): Promise<void> {
  const records = recordsOf(sizes);
  await client.query(tablesSql(' collate "C"'));
  await client.query("alter table news add search tsvector");
  const ratings = Object.keys(ratingsColumns) as (keyof typeof ratingsColumns)[];
  await copyRows(client, `ratings (${ratings.join(", ")})`, function* () {
    for (const record of records.ratings()) {
      const row = ratingRow(record);
      yield ratings.map((name) => row[name]);
    }
  });
  const news = Object.keys(newsColumns) as (keyof typeof newsColumns)[];
  // Through a staging table, so that no row is written twice for its search vector.
  await client.query("create unlogged table news_read as select *, ''::text as tag_words, ''::text as words from news");
  await copyRows(client, `news_read (${[...news, "tag_words", "words"].join(", ")})`, function* () {
    for (const record of records.news()) {
      const { row, tags, words } = newsRow(record);
      yield [...news.map((name) => row[name]), tags, words];
    }
  });
  const vector = [
    ["title", "A"],
    ["tag_words", "B"],
    ["words", "D"],
  ].map(([column, weight]) => `setweight(to_tsvector('simple', ${column}), '${weight}')`);
  await client.query(
    `insert into news (${news.join(", ")}, search) select ${news.join(", ")}, ${vector.join(" || ")} from news_read`,
  );
  await client.query("drop table news_read");
  await copyRows(client, "news_ticker (ticker, created_at, id)", function* () {
    for (const record of records.news()) {
      const { row, tickers } = newsRow(record);
      for (const ticker of tickers) yield [ticker, row.created_at, row.id];
    }
  });
  await client.query("insert into api_key (hash, name) values ($1, 'bench')", [hashKey(token)]);
  await client.query(indexesSql);
  await client.query("create index news_by_search on news using gin (search)");
  await client.query("vacuum analyze");
}

async function copyRows(client: pg.Client, into: string, rows: () => Generator<readonly unknown[]>): Promise<void> {
  function* lines() {
    let text = "";
    for (const row of rows()) {
      text += `${row.map(cell).join("\t")}\n`;
      if (text.length > 65_536) {
        yield text;
        text = "";
      }
    }
    yield text;
  }
  await pipeline(Readable.from(lines()), client.query(copy.from(`copy ${into} from stdin`)));
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const cell = (value: unknown): string =>
  value === null ? "\\N" : String(value).replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
