// Webhooks, and the log of their deliveries. Secrets and progress are JSON. Frozen.
import type { Migration } from "../migrate.ts";
import { webhooksPostgres } from "./013-webhooks.postgres.ts";

export const webhooks: Migration = {
  name: "013-webhooks",
  postgres: webhooksPostgres,
  sqlite: `
    create table webhook (
      id text primary key,
      url text not null,
      resource text not null,
      filters text not null,
      api_key text not null,
      secrets text not null,
      created integer not null,
      state text not null,
      reason text not null,
      changed integer not null,
      version integer not null,
      progress text not null
    ) strict, without rowid;

    create table webhook_delivery (
      key integer primary key,
      webhook text not null,
      at integer not null,
      message text not null,
      event text not null,
      attempt integer not null,
      status integer,
      ms integer not null,
      response text not null
    ) strict;
    create index webhook_delivery_by_webhook on webhook_delivery (webhook, key);
  `,
};
