// On SQLite, a second way of keeping calendar records: side by side with the others of their ticker, bytes and all. And more
// memory for what a full-text index gathers before it is written, so that an import leaves fewer segments. Frozen.
import type { Migration } from "../migrate.ts";

export const together: Migration = {
  name: "004-together",
  sqlite: `
    create index ratings_of_ticker on ratings (ticker, date, time, id, importance, json0);
    create index dividends_of_ticker on dividends (ticker, date, id, importance, dividend_yield, json0);
    create index guidance_of_ticker on guidance (ticker, date, time, id, importance, is_primary, json0);
    create index earnings_of_ticker on earnings (ticker, date, time, id, importance, json0);
    create index conference_calls_of_ticker on conference_calls (ticker, date, time, id, json0);

    insert into news_search (news_search, rank) values ('hashsize', 16777216);
  `,
  // PostgreSQL has a cache for rows, and an entry of its indexes may not be that long.
  postgres: "",
};
