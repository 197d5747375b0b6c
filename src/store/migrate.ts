// Brings a database to the newest schema: numbered, frozen migrations, each in a separate transaction.
import type { DatabaseSync } from "node:sqlite";
import { records } from "./migrations/001-records.ts";
import { service } from "./migrations/002-service.ts";
import { countTables } from "./migrations/003-counts.ts";
import { together } from "./migrations/004-together.ts";
import { scopes } from "./migrations/005-scopes.ts";
import { removals } from "./migrations/006-removals.ts";
import { grants } from "./migrations/007-grants.ts";
import { usage } from "./migrations/008-usage.ts";
import { ratingsOfTicker } from "./migrations/009-told.ts";
import { wordTable } from "./migrations/010-words.ts";
import { compatFilters } from "./migrations/011-compat-filters.ts";
import { recordVersions } from "./migrations/012-record-versions.ts";
import { webhooks } from "./migrations/013-webhooks.ts";
import { links } from "./migrations/014-links.ts";
import { IncompatibleError } from "./store.ts";

export type Migration = {
  readonly name: string;
  readonly sqlite: string;
  readonly postgres: string;
  /** Columns that it adds to tables of records; existing records get their values from `schema/backfill.ts`. */
  readonly adds?: Readonly<Record<string, readonly string[]>>;
  /** Kinds of links that every record of a table has from here on; no schema shows them. */
  readonly links?: Readonly<Record<string, readonly string[]>>;
};

/** In order; a migration that has been released is never edited. */
export const migrations: readonly Migration[] = [
  records,
  service,
  countTables,
  together,
  scopes,
  removals,
  grants,
  usage,
  ratingsOfTicker,
  wordTable,
  compatFilters,
  recordVersions,
  webhooks,
  links,
];

/** Runs what is missing. Several processes may start at once: the write lock lets one of them do it. */
export function migrate(db: DatabaseSync, known: readonly Migration[] = migrations): void {
  const version = () => (db.prepare("pragma user_version").get() as { user_version: number }).user_version;
  if (version() > known.length) throw newerSchema(version(), known.length);
  while (version() < known.length) {
    db.exec("begin immediate");
    try {
      const next = known[version()];
      if (next !== undefined) db.exec(`${next.sqlite}; pragma user_version = ${version() + 1}`);
      db.exec("commit");
    } catch (error) {
      // SQLite rolls back by itself if, for example, the disk is full.
      if (db.isTransaction) db.exec("rollback");
      throw error;
    }
  }
}

export const newerSchema = (found: number, known: number): Error =>
  new IncompatibleError(
    `this database was made by a newer Bellwire (schema ${found}, this one knows ${known}); upgrade Bellwire`,
  );
