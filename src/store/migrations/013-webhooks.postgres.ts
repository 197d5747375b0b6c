// Webhooks and the log of their deliveries on PostgreSQL. Frozen.

export const webhooksPostgres = `
    create table webhook (
      id text collate "C" primary key,
      url text collate "C" not null,
      resource text collate "C" not null,
      filters text collate "C" not null,
      api_key text collate "C" not null,
      secrets text collate "C" not null,
      created bigint not null,
      state text collate "C" not null,
      reason text collate "C" not null,
      changed bigint not null,
      version bigint not null,
      progress text collate "C" not null
    );

    create table webhook_delivery (
      key bigint generated always as identity primary key,
      webhook text collate "C" not null,
      at bigint not null,
      message text collate "C" not null,
      event text collate "C" not null,
      attempt bigint not null,
      status bigint,
      ms bigint not null,
      response text collate "C" not null
    );
    create index webhook_delivery_by_webhook on webhook_delivery (webhook, key);
  `;
