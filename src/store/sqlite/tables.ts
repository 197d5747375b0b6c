// What a SQLite database has: its tables, columns, and indexes, in the form in which the catalog calls for them.
import type { DatabaseSync } from "node:sqlite";
import type { Table } from "../expected-schema.ts";
import type { FoundColumns } from "../schema/verify.ts";

/** The index that carries the bytes of records is listed with the others. */
export type FoundTable = Omit<Table, "carrying">;

type Found = Readonly<Record<string, string | number | null>>;

export const columnsIn = (db: DatabaseSync): FoundColumns =>
  db
    .prepare(
      `select t.name as "table", c.name as "column" from pragma_table_list t, pragma_table_info(t.name) c
       where t.schema = 'main' and t.type = 'table'`,
    )
    .all() as unknown as FoundColumns;

/** Without columns when there is no such table. */
export function tableIn(db: DatabaseSync, name: string): FoundTable {
  const columns = db
    .prepare('select name, type, "notnull" as required, pk from pragma_table_info(?)')
    .all(name) as Found[];
  return {
    name,
    columns: columns.map((row) => ({
      name: String(row.name),
      type: String(row.type).toLowerCase() as "text" | "integer",
      nullable: row.required === 0 && row.pk === 0,
    })),
    indexes: indexesIn(db, name).map(({ columns }) => columns),
  };
}

export function indexesIn(db: DatabaseSync, table: string): { name: string; columns: string[]; isMade: boolean }[] {
  const indexes = db.prepare("select name, origin from pragma_index_list(?)").all(table) as Found[];
  return indexes.map(({ name, origin }) => {
    const columns = db.prepare("select name from pragma_index_info(?) order by seqno").all(name ?? "") as Found[];
    const made = db.prepare("select sql from sqlite_schema where name = ?").get(name ?? "") as Found | undefined;
    // Those without a name are expressions.
    const expressions = String(made?.sql).matchAll(/\w+\([^()]*\)/g);
    return {
      name: String(name),
      columns: columns.map((column) => String(column.name ?? expressions.next().value)),
      isMade: origin === "c",
    };
  });
}
