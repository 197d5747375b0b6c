// What a key may do, on PostgreSQL. Frozen.

export const scopesPostgres = `alter table api_key add column scopes text collate "C" not null default '["read"]'`;
