// Previous versions of records: what each update or removal in the change log replaced, so that a client that resumes from
// a position learns whether a record matched its filters before. Creations have no row, so that bulk loads cost nothing. Frozen.
import type { Migration } from "../migrate.ts";
import { recordVersionsPostgres } from "./012-record-versions.postgres.ts";

export const recordVersions: Migration = {
  name: "012-record-versions",
  postgres: recordVersionsPostgres,
  // The key is the position of the log entry. The version after an entry is the next one of the same record, if there is
  // one, hence the index.
  sqlite: `
    create table record_version (
      seq integer primary key,
      resource text not null,
      id text not null,
      json text not null,
      hidden text not null
    ) strict;
    create index record_version_by_id on record_version (resource, id, seq);
  `,
};
