// Links: URLs with a token of their own, each of which serves one list with fixed parameters on behalf of a key. Frozen.
import type { Migration } from "../migrate.ts";
import { linksPostgres } from "./014-links.postgres.ts";

export const links: Migration = {
  name: "014-links",
  postgres: linksPostgres,
  sqlite: `
    create table link (
      id text primary key,
      hash text not null unique,
      key text not null,
      name text not null,
      list text not null,
      query text not null,
      extension text not null,
      created integer not null,
      revoked integer
    ) strict, without rowid;
    create index link_by_key on link (key);

    create table link_use (
      link text primary key,
      requests integer not null,
      at integer not null
    ) strict, without rowid;
  `,
};
