// What a key may do. Keys of before, and those that an older server makes, may read. Frozen.
import type { Migration } from "../migrate.ts";
import { scopesPostgres } from "./005-scopes.postgres.ts";

export const scopes: Migration = {
  name: "005-scopes",
  postgres: scopesPostgres,
  sqlite: `alter table api_key add column scopes text not null default '["read"]'`,
};
