// Tables of the service itself: settings that shape answers, the change log, data versions and keys. Frozen.
import type { Migration } from "../migrate.ts";
import { servicePostgres } from "./002-service.postgres.ts";

export const service: Migration = {
  name: "002-service",
  postgres: servicePostgres,
  sqlite: `
    create table setting (
      name text primary key,
      value text not null
    ) strict, without rowid;
    insert into setting (name, value) values ('database', lower(hex(randomblob(6))));

    create table change (
      seq integer primary key autoincrement,
      resource text not null,
      id text not null,
      kind text not null check (kind in ('created', 'updated', 'removed')),
      at integer not null
    ) strict;
    create index change_by_resource on change (resource, seq);

    create table version (
      name text primary key,
      seq integer not null
    ) strict, without rowid;

    create table api_key (
      key integer primary key,
      name text not null,
      hash text not null unique,
      licenses text not null,
      created integer not null,
      expires text not null,
      revoked integer
    ) strict;
    create unique index api_key_by_name on api_key (name) where revoked is null;
  `,
};
