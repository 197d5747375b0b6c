// What keys have used, on PostgreSQL. Frozen.

export const usagePostgres = `
    create table usage (
      day text collate "C" not null,
      key text collate "C" not null,
      resource text collate "C" not null,
      requests bigint not null,
      records bigint not null,
      bytes bigint not null,
      errors bigint not null,
      limited bigint not null,
      primary key (day, key, resource)
    );

    create table last_use (
      key text collate "C" primary key,
      at bigint not null
    );

    create table spent (
      key text collate "C" not null,
      period text collate "C" not null,
      requests bigint not null,
      until double precision not null,
      primary key (key, period)
    );
  `;
