// What was sold with a key, of which keys of before have nothing, and until when one that was replaced is good. Frozen.
import type { Migration } from "../migrate.ts";
import { grantsPostgres } from "./007-grants.postgres.ts";

export const grants: Migration = {
  name: "007-grants",
  postgres: grantsPostgres,
  sqlite: `
    alter table api_key add column grants text not null default '{}';
    alter table api_key add column retires integer;
  `,
};
