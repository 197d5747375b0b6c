// The Parquet columns of a resource: a type for every field, and how its stored values are written.
import type { SchemaElement } from "hyparquet";
import type { Field } from "../../../core/catalog/field.ts";
import type { Json, Row } from "../../../core/record/row.ts";
import { dayNumber } from "../../../core/value/time-zone.ts";

/** Decimals as numbers for calculations, or as text that keeps every digit. */
export type DecimalType = "double" | "text";

export type ParquetColumn = {
  readonly name: string;
  /** The column and, depth first, what it contains. */
  readonly schema: readonly SchemaElement[];
  /** What the writer expects; null if the value is unknown. */
  readonly convert: (value: Json) => unknown;
};

type Leaf = { readonly element: Omit<SchemaElement, "name">; readonly convert: ParquetColumn["convert"] };

/** Of all fields and members of fields, or of those included. */
export function parquetColumns(
  fields: Readonly<Record<string, Field>>,
  decimals: DecimalType,
  includes: (field: Field) => boolean = () => true,
): ParquetColumn[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    includes(field) ? [columnOf(name, field, decimals, includes)] : [],
  );
}

function columnOf(
  name: string,
  field: Field,
  decimals: DecimalType,
  includes: (field: Field) => boolean,
): ParquetColumn {
  const { members } = field;
  if (members !== undefined) {
    const columns = parquetColumns(members, decimals, includes);
    const element = { name: "element", repetition_type: "REQUIRED", num_children: columns.length } as const;
    const item = (each: Row) =>
      Object.fromEntries(
        columns.map(({ name: member, convert }) => [member, convert(each[member] ?? emptyOf(members, member))]),
      );
    return {
      name,
      schema: [...listOf(name), element, ...columns.flatMap(({ schema }) => schema)],
      convert: (value) => (value as readonly Row[]).map(item),
    };
  }
  if (field.kind === "list of text") {
    const element = {
      name: "element",
      type: "BYTE_ARRAY",
      converted_type: "UTF8",
      repetition_type: "REQUIRED",
    } as const;
    return { name, schema: [...listOf(name), element], convert: (value) => value };
  }
  const { element, convert } = leafOf(field, decimals);
  return { name, schema: [{ name, repetition_type: "OPTIONAL", ...element }], convert };
}

const emptyOf = (members: Readonly<Record<string, Field>>, name: string): Json => members[name]?.empty ?? null;

/** A list is never null: without values, it is empty, as in responses. */
const listOf = (name: string): SchemaElement[] => [
  { name, converted_type: "LIST", logical_type: { type: "LIST" }, repetition_type: "REQUIRED", num_children: 1 },
  { name: "list", repetition_type: "REPEATED", num_children: 1 },
];

function leafOf(field: Field, decimals: DecimalType): Leaf {
  if (field.kind === "decimal") return decimals === "double" ? double : string;
  if (field.kind === "integer") return integerOf(field);
  if (field.kind === "stamp" || field.kind === "instant") return timestampOf(field);
  return leaves[field.kind] ?? string;
}

/** Unknown text is null. */
const string: Leaf = {
  element: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  convert: (value) => (value === "" ? null : value),
};

const double: Leaf = {
  element: { type: "DOUBLE" },
  // 0 in place of -0, which the dictionary of a column might replace by it or not.
  convert: (value) => (value === "" ? null : Number(value) + 0),
};

/** The end of the year 9999: many programs can't read later timestamps, nor the rest of a file that has one. */
const maxTimestamp = Date.UTC(10_000, 0) / 1000;

/** Seconds since 1970; 0 is unknown, except where a value is required. */
const timestampOf = ({ required }: Field): Leaf => ({
  element: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
  convert: (value) => {
    const seconds = value as number;
    return (seconds === 0 && !required) || seconds >= maxTimestamp ? null : BigInt(seconds) * 1000n;
  },
});

const leaves: Readonly<Record<string, Leaf>> = {
  day: {
    element: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
    convert: (value) => dayNumber(value as string) ?? null,
  },
  clock: {
    element: {
      type: "INT32",
      converted_type: "TIME_MILLIS",
      logical_type: { type: "TIME", isAdjustedToUTC: false, unit: "MILLIS" },
    },
    convert: (value) => (value === "" ? null : Date.parse(`1970-01-01T${value}Z`)),
  },
  flag: { element: { type: "BOOLEAN" }, convert: (value) => value },
  object: {
    // Without the converted type, by which the writer would copy the object and lose a member named __proto__.
    element: { type: "BYTE_ARRAY", logical_type: { type: "JSON" } },
    convert: (value) => (Object.keys(value as object).length === 0 ? null : Buffer.from(JSON.stringify(value))),
  },
};

const max32 = 2 ** 31 - 1;

/** As in responses: 0 if unknown, null only where a response omits it. */
function integerOf({ range, optional }: Field): Leaf {
  const isSmall = range !== undefined && range.min >= -max32 && range.max <= max32;
  return {
    element: { type: isSmall ? "INT32" : "INT64" },
    convert: (value) => (optional && value === 0 ? null : isSmall ? value : BigInt(value as number)),
  };
}
