// Whether a SQLite file is a whole database of this service: its schema, its pages, its full-text index, its counts.
import { DatabaseSync } from "node:sqlite";
import type { Resource } from "../../../core/catalog/resource.ts";
import { migrations } from "../../migrate.ts";
import { tableOf } from "../../sql/compile.ts";
import { totalSql } from "../../sql/count-index.ts";

export type Checked = {
  /** What is wrong, in words; empty when the database is good. */
  readonly faults: readonly string[];
  /** Records of each resource. */
  readonly counts: Readonly<Record<string, number>>;
};

/** So many lines of damage tell enough. */
const mostFaults = 10;

/** Reads the whole database, and writes nothing. */
export function check(db: DatabaseSync, catalog: readonly Resource[]): Checked {
  try {
    const strange = schemaFaults(db);
    if (strange.length > 0) return { faults: strange, counts: {} };
    // Looks into full-text indexes too.
    const lines = db
      .prepare(`pragma integrity_check(${mostFaults})`)
      .all()
      .map((row) => String(row.integrity_check));
    const damage = lines.filter((line) => line !== "ok");
    if (damage.length > 0) return { faults: damage, counts: {} };
    return countRecords(db, catalog);
  } catch (error) {
    if ((error as { errcode?: number }).errcode === undefined) throw error;
    return { faults: [(error as Error).message], counts: {} };
  }
}

/** The tables and indexes must be those that the migrations up to the file's own version make. */
export function schemaFaults(db: DatabaseSync): string[] {
  const version = Number(db.prepare("pragma user_version").get()?.user_version);
  if (version > migrations.length) {
    return [`it was made by a newer Bellwire (schema ${version}, this one knows ${migrations.length})`];
  }
  if (version < 1) return ["it is not a database of Bellwire"];
  const model = new DatabaseSync(":memory:");
  try {
    for (const { sqlite } of migrations.slice(0, version)) model.exec(sqlite);
    const found = schemaOf(db);
    return [...schemaOf(model)]
      .filter(([name, sql]) => found.get(name) !== sql)
      .map(([name]) => `${name} ${found.has(name) ? "is not as schema" : "is missing from schema"} ${version}`)
      .slice(0, mostFaults);
  } finally {
    model.close();
  }
}

/** Tables that stand behind a full-text index are SQLite's own matter. */
function schemaOf(db: DatabaseSync): Map<string, string> {
  const rows = db
    .prepare(
      `select type || ' ' || name as name, sql from sqlite_schema
       where sql is not null and tbl_name not in (select name from pragma_table_list where type = 'shadow')`,
    )
    .all();
  return new Map(rows.map(({ name, sql }) => [String(name), String(sql)]));
}

/** Where the kept counts of records are not those of the records; of a database of the newest schema. */
export function countFaults(db: DatabaseSync, catalog: readonly Resource[]): string[] {
  return catalog.flatMap((resource) => {
    const table = tableOf(resource);
    const counted = Number(db.prepare(totalSql(resource, table)).get()?.n);
    const records = Number(db.prepare(`select count(*) as n from ${table}`).get()?.n);
    return counted === records ? [] : [`${resource.name} holds ${records} records, and ${counted} are counted`];
  });
}

function countRecords(db: DatabaseSync, catalog: readonly Resource[]): Checked {
  const count = (table: string) => Number(db.prepare(`select count(*) as n from ${table}`).get()?.n);
  const counts: Record<string, number> = {};
  const faults: string[] = [];
  for (const resource of catalog) {
    const table = tableOf(resource);
    const records = count(table);
    counts[resource.name] = records;
    if (Object.keys(resource.places).length === 0) continue;
    // The one table behind the index that has a row for each record.
    const indexed = count(`${table} r join ${table}_search_docsize d on d.id = r.key`);
    const entries = count(`${table}_search_docsize`);
    if (indexed !== records || entries !== records) {
      faults.push(`the full-text index of ${resource.name} holds ${entries} of ${records} records`);
    }
  }
  if (db.prepare("select 1 from setting where name = 'database'").get() === undefined) {
    faults.push("it has no identity: the setting named database is missing");
  }
  return { faults, counts };
}
