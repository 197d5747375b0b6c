// Links on PostgreSQL. Frozen.

export const linksPostgres = `
    create table link (
      id text collate "C" primary key,
      hash text collate "C" not null unique,
      key text collate "C" not null,
      name text collate "C" not null,
      list text collate "C" not null,
      query text collate "C" not null,
      extension text collate "C" not null,
      created bigint not null,
      revoked bigint
    );
    create index link_by_key on link (key);

    create table link_use (
      link text collate "C" primary key,
      requests bigint not null,
      at bigint not null
    );
  `;
