// What was sold with a key, on PostgreSQL. Frozen.

export const grantsPostgres = `
    alter table api_key add column grants text collate "C" not null default '{}';
    alter table api_key add column retires bigint;
  `;
