// Tables of the seven resources. Frozen: a later change is a later migration.
import type { Migration } from "../migrate.ts";
import { recordsPostgres } from "./001-records.postgres.ts";

// `key` of news holds (created - 2^31) * 2^32 + id, so that its order is the default order. Texts named jsonN are the
// answer's bytes, cut where heavy values belong; `beside` is what the answer does not show.
export const records: Migration = {
  name: "001-records",
  postgres: recordsPostgres,
  links: {
    news: ["isin", "cusip", "ticker", "primary", "channel", "author", "content type", "importance", "region"],
  },
  sqlite: `
    create table news (
      key integer primary key,
      id integer not null,
      updated integer not null,
      json0 text not null,
      json1 text not null,
      json2 text not null,
      beside text not null
    ) strict;
    create unique index news_id on news (id);
    create index news_by_updated on news (updated, id);
    create table news_text (
      key integer primary key,
      body text not null,
      teaser text not null
    ) strict;
    create table news_link (
      kind text not null,
      value text not null,
      key integer not null,
      primary key (kind, value, key)
    ) strict, without rowid;
    create virtual table news_search using fts5 (
      title, tags, body,
      content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 tokenchars '_'"
    );

    create table ratings (
      key integer primary key,
      id text not null,
      date text not null,
      time text not null,
      importance integer not null,
      ticker text not null,
      updated integer not null,
      analyst_id text not null,
      firm_id text not null,
      action_company text not null,
      json0 text not null,
      beside text not null
    ) strict;
    create unique index ratings_id on ratings (id);
    create index ratings_by_date on ratings (date, time, id, importance);
    create index ratings_by_ticker on ratings (ticker, date, time, id, importance);
    create index ratings_by_updated on ratings (updated, id, importance);
    create index ratings_by_analyst_id on ratings (analyst_id, date, time, id);
    create index ratings_by_firm_id on ratings (firm_id, date, time, id);
    create index ratings_by_action_company on ratings (action_company, date, time, id);

    create table dividends (
      key integer primary key,
      id text not null,
      date text not null,
      importance integer not null,
      dividend_yield text,
      ticker text not null,
      updated integer not null,
      ex_dividend_date text not null,
      payable_date text not null,
      record_date text not null,
      json0 text not null,
      beside text not null
    ) strict;
    create unique index dividends_id on dividends (id);
    create index dividends_by_date on dividends (date, id, importance, dividend_yield);
    create index dividends_by_ticker on dividends (ticker, date, id, importance, dividend_yield);
    create index dividends_by_updated on dividends (updated, id, importance);
    create index dividends_by_ex_dividend_date on dividends (ex_dividend_date, date, id, importance);
    create index dividends_by_payable_date on dividends (payable_date, date, id, importance);
    create index dividends_by_record_date on dividends (record_date, date, id, importance);
    create index dividends_by_dividend_yield on dividends (dividend_yield, date, id, importance);

    create table guidance (
      key integer primary key,
      id text not null,
      date text not null,
      time text not null,
      importance integer not null,
      is_primary integer not null,
      ticker text not null,
      updated integer not null,
      json0 text not null,
      beside text not null
    ) strict;
    create unique index guidance_id on guidance (id);
    create index guidance_by_date on guidance (date, time, id, importance, is_primary);
    create index guidance_by_ticker on guidance (ticker, date, time, id, importance, is_primary);
    create index guidance_by_updated on guidance (updated, id, importance, is_primary);

    create table earnings (
      key integer primary key,
      id text not null,
      date text not null,
      time text not null,
      importance integer not null,
      ticker text not null,
      updated integer not null,
      json0 text not null,
      beside text not null
    ) strict;
    create unique index earnings_id on earnings (id);
    create index earnings_by_date on earnings (date, time, id, importance);
    create index earnings_by_ticker on earnings (ticker, date, time, id, importance);
    create index earnings_by_updated on earnings (updated, id, importance);

    create table economics (
      key integer primary key,
      id text not null,
      date text not null,
      time text not null,
      importance integer not null,
      updated integer not null,
      country_code text not null,
      event_category text not null,
      json0 text not null,
      beside text not null
    ) strict;
    create unique index economics_id on economics (id);
    create index economics_by_date on economics (date, time, id, importance);
    create index economics_by_updated on economics (updated, id, importance);
    create index economics_by_country_code on economics (country_code, date, time, id, importance);
    create index economics_by_event_category on economics (event_category, date, time, id, importance);

    create table conference_calls (
      key integer primary key,
      id text not null,
      date text not null,
      time text not null,
      ticker text not null,
      updated integer not null,
      json0 text not null,
      beside text not null
    ) strict;
    create unique index conference_calls_id on conference_calls (id);
    create index conference_calls_by_date on conference_calls (date, time, id);
    create index conference_calls_by_ticker on conference_calls (ticker, date, time, id);
    create index conference_calls_by_updated on conference_calls (updated, id);
  `,
};
