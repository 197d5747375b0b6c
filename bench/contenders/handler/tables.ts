// The plain tables of the baseline handler: one column per field, the same indexes as Bellwire's, lists as JSON. Also
// used by PostGraphile.

import type { DemoRecord } from "../../../demo/demo.ts";
import { printInstant, type Zone, zone } from "../../../src/core/value/time-zone.ts";

type Kind = "text" | "integer";

export const ratingsColumns = {
  id: "text",
  action_company: "text",
  action_pt: "text",
  adjusted_pt_current: "text",
  adjusted_pt_prior: "text",
  analyst: "text",
  analyst_id: "text",
  analyst_name: "text",
  currency: "text",
  cusip: "integer",
  date: "text",
  exchange: "text",
  firm_id: "text",
  importance: "integer",
  isin: "text",
  name: "text",
  notes: "text",
  pt_current: "text",
  pt_prior: "text",
  rating_current: "text",
  rating_prior: "text",
  ratings_accuracy: "text",
  ticker: "text",
  time: "text",
  updated: "integer",
  url: "text",
  url_calendar: "text",
  url_news: "text",
} as const satisfies Record<string, Kind>;

/** `created` and `updated` are stored as rendered, and as seconds to sort by. */
export const newsColumns = {
  id: "integer",
  author: "text",
  body: "text",
  channels: "text",
  created: "text",
  created_at: "integer",
  image: "text",
  stocks: "text",
  tags: "text",
  teaser: "text",
  title: "text",
  updated: "text",
  updated_at: "integer",
  url: "text",
} as const satisfies Record<string, Kind>;

type RowOf<Columns extends Record<string, Kind>> = {
  [Name in keyof Columns]: Columns[Name] extends "integer" ? number : string;
};

export type RatingRow = Omit<RowOf<typeof ratingsColumns>, "cusip"> & { cusip: number | null };
export type NewsRow = RowOf<typeof newsColumns>;

export type Tables = {
  ratings: RatingRow;
  news: NewsRow;
  news_ticker: { ticker: string; created_at: number; id: number };
  api_key: { hash: string; name: string };
};

const columnsOf = (columns: Record<string, Kind>, collation: string): string =>
  Object.entries(columns)
    .map(([name, kind]) => {
      const type = kind === "text" ? `text${collation}` : "integer";
      return `${name} ${type}${name === "id" ? " primary key" : name === "cusip" ? "" : " not null"}`;
    })
    .join(", ");

/** Compared by code point, as in SQLite: the fastest, and the same order. */
export const tablesSql = (collation: string): string => `
  create table ratings (${columnsOf(ratingsColumns, collation)});
  create table news (${columnsOf(newsColumns, collation)});
  create table news_ticker (ticker text${collation} not null, created_at integer not null, id integer not null);
  create table api_key (hash text primary key, name text not null);`;

export const indexesSql = `
  create index ratings_by_date on ratings (date, time, id, importance);
  create index ratings_by_ticker on ratings (ticker, date, time, id, importance);
  create index ratings_by_updated on ratings (updated, id, importance);
  create index news_by_created on news (created_at, id);
  create index news_by_updated on news (updated_at, id);
  create index news_ticker_by_ticker on news_ticker (ticker, created_at, id);`;

const newYork = zone("America/New_York") as Zone;
const texts = (record: DemoRecord, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, String(record[name])]));
const withText = (columns: Record<string, Kind>) => Object.keys(columns).filter((name) => columns[name] === "text");

export function ratingRow(record: DemoRecord): RatingRow {
  return {
    ...texts(record, withText(ratingsColumns)),
    // A CUSIP with letters is no integer and is omitted from responses.
    cusip: /^\d+$/.test(String(record.cusip)) ? Number(record.cusip) : null,
    importance: record.importance,
    updated: record.updated,
    ratings_accuracy: JSON.stringify(record.ratings_accuracy ?? {}),
  } as RatingRow;
}

/** An item, its searchable text, and its tickers. */
export function newsRow(record: DemoRecord): { row: NewsRow; tags: string; words: string; tickers: readonly string[] } {
  const stocks = record.stocks as readonly Record<string, unknown>[];
  const tags = record.tags as readonly { name: string }[];
  const row = {
    ...texts(record, withText(newsColumns)),
    id: record.id,
    channels: JSON.stringify((record.channels as readonly { name: string }[]).map(({ name }) => ({ name }))),
    created: printInstant(newYork, Number(record.created)),
    created_at: record.created,
    image: JSON.stringify(record.image),
    stocks: JSON.stringify(stocks.map(({ cusip, exchange, isin, name }) => ({ cusip, exchange, isin, name }))),
    tags: JSON.stringify(tags),
    updated: printInstant(newYork, Number(record.updated)),
    updated_at: record.updated,
  } as NewsRow;
  return {
    row,
    tags: tags.map(({ name }) => name).join(", "),
    words: String(record.body).replace(/<[^>]*>|&[^;]*;/g, " "),
    tickers: stocks.map(({ name }) => String(name)),
  };
}
