// What the catalog calls for beyond the schema that the migrations produce; changes that would lose data are rejected.
import { DatabaseSync } from "node:sqlite";
import type { Field } from "../../core/catalog/field.ts";
import { fieldOf, type Resource } from "../../core/catalog/resource.ts";
import { UserError } from "../../core/user-error.ts";
import { expectedTables, type Table } from "../expected-schema.ts";
import { type Migration, migrate } from "../migrate.ts";
import { tableName } from "../sql/compile.ts";
import { columnsIn, type FoundTable, indexesIn, tableIn } from "../sqlite/tables.ts";
import { unknownLinks } from "./verify.ts";

export type Index = { readonly table: string; readonly name: string; readonly columns: readonly string[] };

export type Difference = {
  /** Resources that have no tables yet. */
  readonly resources: readonly Resource[];
  readonly columns: readonly { readonly table: string; readonly name: string; readonly field: Field }[];
  readonly created: readonly Index[];
  readonly dropped: readonly Index[];
};

export const isEmpty = ({ resources, columns, created, dropped }: Difference): boolean =>
  resources.length + columns.length + created.length + dropped.length === 0;

/** Both databases have the same tables; those of SQLite can be made without a server. */
export function compareSchema(catalog: readonly Resource[], migrations: readonly Migration[]): Difference {
  const model = new DatabaseSync(":memory:");
  try {
    migrate(model, migrations);
    const isNew = (resource: Resource) => tableIn(model, tableName(resource)).columns.length === 0;
    const known = catalog.filter((resource) => !isNew(resource));
    const late = lateColumns(migrations);
    const refused = [
      ...orphans(model, catalog),
      ...known.flatMap((each) => [...refusals(model, each, late), ...newLinks(each, migrations)]),
    ];
    if (refused.length > 0) throw new UserError(refusal(refused));
    const indexes = known.map((resource) => changedIndexes(model, resource));
    return {
      resources: catalog.filter(isNew),
      columns: known.flatMap((resource) => addedColumns(model, resource)),
      created: indexes.flatMap(({ created }) => created),
      dropped: indexes.flatMap(({ dropped }) => dropped),
    };
  } finally {
    model.close();
  }
}

/** The indexes that statements name as hints: one for each first column. */
const indexName = (table: string, [first]: readonly string[]): string => `${table}_by_${first}`;
const carryingName = (table: string, { clusteredBy }: Resource): string => `${table}_of_${clusteredBy}`;

/** As `table.column`; null marks a record that has no value in such a column yet. */
export const lateColumns = (migrations: readonly Migration[]): ReadonlySet<string> =>
  new Set(
    migrations.flatMap(({ adds = {} }) =>
      Object.entries(adds).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`)),
    ),
  );

const refusal = (reasons: readonly string[]): string =>
  `No migration was written: these changes would lose or rewrite stored data.\n${reasons
    .map((reason) => `- ${reason}`)
    .join("\n")}\nUndo them, or write the migration by hand (CONTRIBUTING.md, "Adding a filter").`;

/** Tables of records that no resource requires any longer. */
function orphans(model: DatabaseSync, catalog: readonly Resource[]): string[] {
  const expected = new Set(catalog.map(tableName));
  return columnsIn(model)
    .filter(({ table, column }) => column === "beside" && !expected.has(table))
    .map(({ table }) => `the table ${table} no longer belongs to any resource`);
}

function refusals(model: DatabaseSync, resource: Resource, late: ReadonlySet<string>): string[] {
  const [records, ...others] = expectedTables(resource) as [Table, ...Table[]];
  return [
    ...lostColumns(tableIn(model, records.name), records, late),
    ...strayPieces(tableIn(model, records.name), records),
    ...others.filter((table) => !isSame(tableIn(model, table.name), table)).map(({ name }) => `${name} would change`),
    ...searchChanges(model, resource),
    ...doubleIndexes(records),
  ];
}

const newLinks = (resource: Resource, migrations: readonly Migration[]): string[] =>
  unknownLinks(resource, migrations).map(
    (kind) => `existing records of ${resource.name} would have no links of kind "${kind}"`,
  );

function lostColumns(found: FoundTable, { name, columns }: Table, late: ReadonlySet<string>): string[] {
  return found.columns.flatMap((column) => {
    const expected = columns.find((each) => each.name === column.name);
    if (expected === undefined) return [`the column ${name}.${column.name} would be dropped`];
    if (expected.type !== column.type)
      return [`the column ${name}.${column.name} would change from ${column.type} to ${expected.type}`];
    const nullable = expected.nullable || late.has(`${name}.${column.name}`);
    return nullable === column.nullable
      ? []
      : [`the column ${name}.${column.name} would change whether it may be null`];
  });
}

/** The pieces of a record's JSON change with its heavy fields: every record would have to be split again. */
const strayPieces = (found: FoundTable, { name, columns }: Table): string[] =>
  columns
    .filter((column) => /^json\d+$/.test(column.name) && !found.columns.some((each) => each.name === column.name))
    .map((column) => `the column ${name}.${column.name} would be added, since a field has become heavy`);

const isSame = (found: FoundTable, expected: Table): boolean => {
  const textOf = ({ columns }: FoundTable) => columns.map((each) => JSON.stringify(each)).sort();
  return textOf(found).join() === textOf(expected).join();
};

function searchChanges(model: DatabaseSync, resource: Resource): string[] {
  const name = `${tableName(resource)}_search`;
  const found = model.prepare("select name from pragma_table_info(?)").all(name);
  const isSearched = found.map((row) => row.name).join() === Object.keys(resource.searchFields).join();
  return isSearched ? [] : [`the search text ${name} would change`];
}

function doubleIndexes({ name, indexes }: Table): string[] {
  const firsts = indexes.map(([first]) => first);
  const doubled = [...new Set(firsts.filter((first, at) => firsts.indexOf(first) !== at))];
  return doubled.map((first) => `${name} has two indexes that begin with ${first}`);
}

function addedColumns(model: DatabaseSync, resource: Resource): Difference["columns"] {
  const [records] = expectedTables(resource) as [Table];
  const found = new Set(tableIn(model, records.name).columns.map(({ name }) => name));
  return records.columns
    .filter(({ name }) => !found.has(name))
    .map(({ name }) => ({ table: records.name, name, field: fieldOf(resource, name) }));
}

function changedIndexes(model: DatabaseSync, resource: Resource): Pick<Difference, "created" | "dropped"> {
  const [records] = expectedTables(resource) as [Table];
  const expected = indexesOf(resource, records);
  const textOf = ({ name, columns }: Pick<Index, "name" | "columns">) => JSON.stringify([name, columns]);
  const found = indexesIn(model, records.name).map((index) => ({ ...index, table: records.name }));
  const [have, want] = [new Set(found.map(textOf)), new Set(expected.map(textOf))];
  return {
    created: expected.filter((index) => !have.has(textOf(index))),
    dropped: found.filter((index) => !want.has(textOf(index))),
  };
}

/** All of a resource, on SQLite. */
export function indexesOf(resource: Resource, { name: table, indexes, carrying }: Table): Index[] {
  return [
    ...indexes.map((columns) => ({
      table,
      name: columns.join() === "id" ? `${table}_id` : indexName(table, columns),
      columns,
    })),
    ...(carrying === undefined ? [] : [{ table, name: carryingName(table, resource), columns: carrying }]),
  ];
}
