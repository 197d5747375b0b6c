// Adds the column ratings.analyst_name (and 5 more). Written by `npm run migration`. Frozen.
import type { Migration } from "../migrate.ts";
import { compatFiltersPostgres } from "./011-compat-filters.postgres.ts";

export const compatFilters: Migration = {
  name: "011-compat-filters",
  postgres: compatFiltersPostgres,
  sqlite: `
    alter table ratings add column analyst_name text;
    alter table ratings add column analyst text;
    alter table economics add column event_name text;
    create index ratings_by_analyst_name on ratings (analyst_name, date, time, id);
    create index ratings_by_analyst on ratings (analyst, date, time, id);
    create index economics_by_event_name on economics (event_name, date, time, id, importance);
  `,
  adds: { ratings: ["analyst_name", "analyst"], economics: ["event_name"] },
};
