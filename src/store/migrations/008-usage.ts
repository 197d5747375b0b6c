// What keys have used: counts by day and resource, when each was used last, and what their limits are measured by. Frozen.
import type { Migration } from "../migrate.ts";
import { usagePostgres } from "./008-usage.postgres.ts";

export const usage: Migration = {
  name: "008-usage",
  postgres: usagePostgres,
  sqlite: `
    create table usage (
      day text not null,
      key text not null,
      resource text not null,
      requests integer not null,
      records integer not null,
      bytes integer not null,
      errors integer not null,
      limited integer not null,
      primary key (day, key, resource)
    ) strict, without rowid;

    create table last_use (
      key text primary key,
      at integer not null
    ) strict, without rowid;

    create table spent (
      key text not null,
      period text not null,
      requests integer not null,
      until real not null,
      primary key (key, period)
    ) strict, without rowid;
  `,
};
