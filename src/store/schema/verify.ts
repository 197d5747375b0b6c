// Whether a database has the columns and links that the catalog requires: a catalog that is ahead of the migrations fails
// at startup.

import { type Reference, referencesOf } from "../../core/catalog/references.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { expectedTables } from "../expected-schema.ts";
import type { Migration } from "../migrate.ts";
import { tableName } from "../sql/compile.ts";
import { IncompatibleError } from "../store.ts";

/** Tables and columns that a database has. */
export type FoundColumns = readonly { readonly table: string; readonly column: string }[];

const writeMigration =
  'Run "npm run migration" to write the migration that adds it, commit the migration, and start again.';

export function verifySchema(
  catalog: readonly Resource[],
  migrations: readonly Migration[],
  found: FoundColumns,
): void {
  verifyColumns(catalog, found);
  for (const resource of catalog) {
    const [kind] = unknownLinks(resource, migrations);
    if (kind !== undefined)
      throw new IncompatibleError(
        `The resource ${resource.name} can't serve its ${useOf(resource, (each) => "link" in each && each.link === kind)}: existing records have no links of kind "${kind}". Write a migration that adds them, and name the kind in its "links".`,
      );
  }
}

/** Kinds of links that no migration has added to the records of a resource. */
export function unknownLinks(resource: Resource, migrations: readonly Migration[]): string[] {
  const known = new Set(migrations.flatMap(({ links }) => links?.[tableName(resource)] ?? []));
  return Object.keys(resource.links).filter((kind) => !known.has(kind));
}

function verifyColumns(catalog: readonly Resource[], found: FoundColumns): void {
  const stored = new Set(found.map(({ table, column }) => `${table}.${column}`));
  const tables = new Set(found.map(({ table }) => table));
  for (const resource of catalog) {
    for (const { name, columns } of expectedTables(resource)) {
      if (!tables.has(name))
        throw new IncompatibleError(
          `The resource ${resource.name} needs the table "${name}", which no migration creates. ${writeMigration}`,
        );
      const missing = columns.find((column) => !stored.has(`${name}.${column.name}`));
      if (missing !== undefined)
        throw new IncompatibleError(
          `The resource ${resource.name} can't serve its ${useOf(resource, readsColumn(missing.name))}: its table "${name}" has no column "${missing.name}", since no migration creates it. ${writeMigration}`,
        );
    }
  }
}

const readsColumn =
  (column: string) =>
  (each: Reference): boolean =>
    "order" in each ? each.order.includes(column) : "column" in each && each.column === column;

function useOf({ rules }: Resource, isReader: (each: Reference) => boolean): string {
  const readers = referencesOf(rules).filter(isReader);
  const parameters = [...new Set(readers.map(({ parameter }) => parameter))];
  return parameters.length === 0 ? "lists" : `rule for ${parameters.join(" and ")}`;
}
