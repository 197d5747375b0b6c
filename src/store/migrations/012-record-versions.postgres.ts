// Previous versions of records on PostgreSQL. Frozen.

export const recordVersionsPostgres = `
    create table record_version (
      seq bigint primary key,
      resource text collate "C" not null,
      id text collate "C" not null,
      json text collate "C" not null,
      hidden text collate "C" not null
    );
    create index record_version_by_id on record_version (resource, id, seq);
  `;
