// Adds the column ratings.analyst_name (and 5 more). Written by `npm run migration`. Frozen. On PostgreSQL.

export const compatFiltersPostgres = `
    alter table ratings add column analyst_name text collate "C";
    alter table ratings add column analyst text collate "C";
    alter table economics add column event_name text collate "C";
    create index ratings_by_analyst_name on ratings (analyst_name, date, time, id);
    create index ratings_by_analyst on ratings (analyst, date, time, id);
    create index economics_by_event_name on economics (event_name, date, time, id, importance);
  `;
