// On SQLite, ratings of one ticker stand together with a word on whether the record tells its own change in percent: where
// none does, a page of chosen fields is made of the bytes alone. Frozen.
import type { Migration } from "../migrate.ts";

export const told: Migration = {
  name: "009-told",
  sqlite: `
    drop index ratings_of_ticker;
    create index ratings_of_ticker on ratings
      (ticker, date, time, id, importance, json0, instr(beside, '"pt_pct_change":'));
  `,
  // The row itself is read.
  postgres: "",
};
