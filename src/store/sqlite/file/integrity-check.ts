// Integrity check of a SQLite file: its schema, pages, full-text index, and counts.
import { DatabaseSync } from "node:sqlite";
import type { Resource } from "../../../core/catalog/resource.ts";
import { migrations } from "../../migrate.ts";
import { tableName } from "../../sql/compile.ts";
import { totalCountSql } from "../../sql/count-index.ts";

export type IntegrityReport = {
  /** Error messages; empty if the database is intact. */
  readonly errors: readonly string[];
  /** Records of each resource. */
  readonly counts: Readonly<Record<string, number>>;
};

/** More errors wouldn't help. */
const maxErrors = 10;

/** Reads the whole database and writes nothing. */
export function checkIntegrity(db: DatabaseSync, catalog: readonly Resource[]): IntegrityReport {
  try {
    const errors = schemaErrors(db);
    if (errors.length > 0) return { errors, counts: {} };
    // Includes full-text indexes.
    const lines = db
      .prepare(`pragma integrity_check(${maxErrors})`)
      .all()
      .map((row) => String(row.integrity_check));
    const damage = lines.filter((line) => line !== "ok");
    if (damage.length > 0) return { errors: damage, counts: {} };
    return countRecords(db, catalog);
  } catch (error) {
    if ((error as { errcode?: number }).errcode === undefined) throw error;
    return { errors: [(error as Error).message], counts: {} };
  }
}

/** Compares the schema with what the migrations up to the file's version create. */
export function schemaErrors(db: DatabaseSync): string[] {
  const version = Number(db.prepare("pragma user_version").get()?.user_version);
  if (version > migrations.length) {
    return [`it was made by a newer Bellwire (schema ${version}; this version supports up to ${migrations.length})`];
  }
  if (version < 1) return ["it is not a Bellwire database"];
  const model = new DatabaseSync(":memory:");
  try {
    for (const { sqlite } of migrations.slice(0, version)) model.exec(sqlite);
    const found = schemaOf(db);
    return [...schemaOf(model)]
      .filter(([name, sql]) => found.get(name) !== sql)
      .map(([name]) => `${name} ${found.has(name) ? "is not as schema" : "is missing from schema"} ${version}`)
      .slice(0, maxErrors);
  } finally {
    model.close();
  }
}

/** Excludes the shadow tables of full-text indexes, which SQLite manages. */
function schemaOf(db: DatabaseSync): Map<string, string> {
  const rows = db
    .prepare(
      `select type || ' ' || name as name, sql from sqlite_schema
       where sql is not null and tbl_name not in (select name from pragma_table_list where type = 'shadow')`,
    )
    .all();
  return new Map(rows.map(({ name, sql }) => [String(name), String(sql)]));
}

/** Compares the count index with the records; requires the latest schema. */
export function countErrors(db: DatabaseSync, catalog: readonly Resource[]): string[] {
  return catalog.flatMap((resource) => {
    const table = tableName(resource);
    const counted = Number(db.prepare(totalCountSql(resource, table)).get()?.n);
    const records = Number(db.prepare(`select count(*) as n from ${table}`).get()?.n);
    return counted === records ? [] : [`${resource.name} has ${records} records, but its count index says ${counted}`];
  });
}

function countRecords(db: DatabaseSync, catalog: readonly Resource[]): IntegrityReport {
  const count = (table: string) => Number(db.prepare(`select count(*) as n from ${table}`).get()?.n);
  const counts: Record<string, number> = {};
  const faults: string[] = [];
  for (const resource of catalog) {
    const table = tableName(resource);
    const records = count(table);
    counts[resource.name] = records;
    if (Object.keys(resource.searchFields).length === 0) continue;
    // The shadow table with one row per record.
    const indexed = count(`${table} r join ${table}_search_docsize d on d.id = r.key`);
    const entries = count(`${table}_search_docsize`);
    if (indexed !== records || entries !== records) {
      faults.push(`the full-text index of ${resource.name} contains ${entries} of ${records} records`);
    }
  }
  if (db.prepare("select 1 from setting where name = 'database'").get() === undefined) {
    faults.push("it has no identity: the setting named database is missing");
  }
  return { errors: faults, counts };
}
