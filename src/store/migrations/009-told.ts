// On SQLite, the covering index of ratings by ticker includes whether a record states its change in percent: if none on a
// page does, a page of chosen fields is built from the bytes alone. Frozen.
import type { Migration } from "../migrate.ts";

export const ratingsOfTicker: Migration = {
  name: "009-told",
  sqlite: `
    drop index ratings_of_ticker;
    create index ratings_of_ticker on ratings
      (ticker, date, time, id, importance, json0, instr(beside, '"pt_pct_change":'));
  `,
  // The row itself is read.
  postgres: "",
};
