// The tables that the catalog requires. Migrations are frozen; a test compares the two.
import {
  clusteredColumns,
  columnsOf,
  derivedFields,
  fieldOf,
  heavyFields,
  type Resource,
} from "../core/catalog/resource.ts";
import { overridesField, tableName } from "./sql/compile.ts";
import { countColumns, countIndexOf } from "./sql/count-index.ts";
import { fragmentColumns } from "./sql/record-fragments.ts";
import { sqlite } from "./sqlite/dialect.ts";

export type Table = {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: "text" | "integer"; readonly nullable: boolean }[];
  /** Columns of each index, in order, without the key. */
  readonly indexes: readonly (readonly string[])[];
  /** SQLite only: the covering index with the bytes of records, then a flag per derived field. */
  readonly carrying: readonly string[] | undefined;
};

const column = (name: string, type: "text" | "integer", nullable = false) => ({ name, type, nullable });

export function expectedTables(resource: Resource): Table[] {
  const name = tableName(resource);
  const columns = columnsOf(resource).filter((each) => each !== resource.packedKey?.[0]);
  const heavy = heavyFields(resource);
  const key = column("key", "integer");
  const records: Table = {
    name,
    columns: [
      key,
      ...columns.map((each) => {
        const field = fieldOf(resource, each);
        // Values that are not comparable when empty are stored as null.
        return column(each, field.column, field.compareKey(field.empty) === null);
      }),
      ...fragmentColumns(resource).map((piece) => column(piece, "text")),
      column("beside", "text"),
    ],
    indexes: [["id"], ...resource.indexes],
    carrying:
      resource.clusteredBy === undefined
        ? undefined
        : [
            ...clusteredColumns(resource),
            ...fragmentColumns(resource),
            ...derivedFields(resource).map((each) => overridesField(sqlite, "beside", each)),
          ],
  };
  const texts: Table = {
    name: `${name}_text`,
    columns: [key, ...heavy.map((each) => column(each, "text"))],
    indexes: [],
    carrying: undefined,
  };
  const links: Table = {
    name: `${name}_link`,
    columns: [column("kind", "text"), column("value", "text"), key],
    indexes: [["kind", "value", "key"]],
    carrying: undefined,
  };
  const counted = countIndexOf(resource);
  const counts: Table = {
    name: `${name}_count`,
    columns: (counted === undefined ? [] : countColumns(counted)).map((each, index) =>
      column(each, index < 2 ? "text" : "integer"),
    ),
    indexes: [["parent", "period"]],
    carrying: undefined,
  };
  return [
    records,
    ...(heavy.length > 0 ? [texts] : []),
    ...(Object.keys(resource.links).length > 0 ? [links] : []),
    ...(counted === undefined ? [] : [counts]),
  ];
}
