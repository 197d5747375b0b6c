// Removed records, so that they can be learned of, and the two lists in which they are served. Frozen.
import type { Migration } from "../migrate.ts";
import { removalsPostgres } from "./006-removals.postgres.ts";

// The lists are views in the form of a record's table, so that they are read like any other list.
export const removals: Migration = {
  name: "006-removals",
  postgres: removalsPostgres,
  sqlite: `
    create table removal (
      key integer primary key,
      resource text not null,
      id text not null,
      at integer not null
    ) strict;
    create unique index removal_by_id on removal (resource, id);
    create index removal_by_resource on removal (resource, at, id);
    create index removal_by_at on removal (at, resource, id);

    insert into removal (resource, id, at)
      select c.resource, c.id, max(c.at) from change c
      where c.kind = 'removed'
        and not exists (select 1 from news r where c.resource = 'news' and r.id = cast(c.id as integer))
        and not exists (select 1 from ratings r where c.resource = 'ratings' and r.id = c.id)
        and not exists (select 1 from dividends r where c.resource = 'dividends' and r.id = c.id)
        and not exists (select 1 from guidance r where c.resource = 'guidance' and r.id = c.id)
        and not exists (select 1 from earnings r where c.resource = 'earnings' and r.id = c.id)
        and not exists (select 1 from economics r where c.resource = 'economics' and r.id = c.id)
        and not exists (select 1 from conference_calls r where c.resource = 'conference-calls' and r.id = c.id)
      group by c.resource, c.id;

    create view news_removed as
      select key, cast(id as integer) as id, at as updated,
        '{"id":' || cast(id as integer) || ',"updated":' || at || '}' as json0,
        '' as beside
      from removal where resource = 'news';
    create view calendar_removed as
      select key, id, resource as type, at as updated,
        '{"id":' || json_quote(id) || ',"type":' || json_quote(resource) || ',"updated":' || at || '}' as json0,
        '' as beside
      from removal where resource <> 'news';
  `,
};
