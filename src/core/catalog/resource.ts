// What the description of a resource holds. Machines read it; it knows nothing of HTTP, SQL or files.

import type { Order } from "../query/plan.ts";
import type { Row, Served } from "../record/row.ts";
import type { Display } from "./display.ts";
import type { Field } from "./field.ts";
import type { Intake } from "./intake.ts";
import { checkReferences, type Reference, referencesOf } from "./references.ts";
import type { Change, Rule } from "./rule.ts";

export type Format = "json" | "xml";

export type Resource = {
  /** As in the import command, `conference-calls`. */
  readonly name: string;
  readonly title: string;
  readonly doc: string;
  readonly path: string;
  /** A bare array, or an object with one key that holds the array. */
  readonly envelope: "array" | { readonly key: string };
  readonly formats: readonly Format[];
  readonly fields: Readonly<Record<string, Field>>;
  /** In order of precedence: the first rule that gives an order decides it. */
  readonly rules: readonly Rule[];
  /** Order when no rule gives one. Ends in the id. */
  readonly order: readonly Order[];
  /** Columns that the records are found and ordered by; trailing ones let a filter be tested in the index itself. */
  readonly indexes: readonly (readonly string[])[];
  /** Indexed columns of few values, that begin a search only when nothing finer is asked for. */
  readonly coarse: readonly string[];
  /**
   * Columns of few values by which records are counted, period by period of the default order: lists that ask by these
   * and by the day alone have deep pages at the price of the first. Undefined: nothing is counted.
   */
  readonly counted?: readonly string[];
  /** The column by which most requests ask: records with the same value are kept side by side, where that pays. */
  readonly together?: string;
  /** Two integer columns of at most 32 bits whose order is the default order: one 64-bit key holds both. */
  readonly packed?: readonly [high: string, low: string];
  /** Values of lists that the record is asked by, for each kind of link. */
  readonly links: Readonly<Record<string, (row: Row) => readonly string[]>>;
  /** Passages to search in, for each place, the most important place first. A phrase never spans two passages. */
  readonly places: Readonly<Record<string, (row: Row) => readonly string[]>>;
  /** What may become of its records on their way out; rules choose among these. */
  readonly changes: readonly Change[];
  /** Fills in what an imported record may leave out. */
  readonly complete: (row: Row) => Row;
  /** `updated` is the time of import when a record does not say. */
  readonly stampedOnImport: boolean;
  /** How it is presented to people; undefined where the fields say enough. */
  readonly display?: Display;
  /** Paragraphs for the reference page that no parameter or field can carry. */
  readonly notes: readonly string[];
  readonly sold: Sold;
  /** How all of it is read through an interface like this one. */
  readonly intake: Intake;
};

/** The columns that the terms of a key are held against. */
export type Sold = {
  /** The record's day, as a day or a stamp. */
  readonly history: string;
  /** When the record came; undefined where that can't be told. */
  readonly delay?: string;
  /** The stamp by which changes are asked for, where that is another one. */
  readonly polled?: string;
  /** The resource that a record is of, where a list is of several. */
  readonly resource?: string;
};

export type Description = Pick<
  Resource,
  "name" | "title" | "doc" | "path" | "envelope" | "fields" | "rules" | "order" | "indexes" | "sold" | "intake"
> &
  Partial<Resource>;

/**
 * Fills in what most resources leave out, and puts the fields in their order on the wire. Fails when a rule reads what a
 * record doesn't have.
 */
export function resource(description: Description): Resource {
  const references = referencesOf(description.rules);
  const { links = {}, places = {} } = description;
  checkReferences({ ...description, links, places }, references);
  return {
    formats: ["json"],
    coarse: [],
    links: {},
    places: {},
    changes: [],
    complete: (row) => row,
    stampedOnImport: false,
    notes: [],
    ...description,
    indexes: [...description.indexes, ...furtherIndexes(description, references)],
    fields: Object.fromEntries(Object.entries(description.fields).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Indexes of the columns that rules read and that stand in none yet: a filter needs one line, and is fast. */
function furtherIndexes(description: Description, references: readonly Reference[]): string[][] {
  const known = new Set(columnsOf(description));
  const further: string[][] = [];
  for (const each of references) {
    const columns = "column" in each ? [each.column] : "order" in each ? each.order : [];
    if (columns.every((column) => known.has(column))) continue;
    const order = "order" in each ? [] : description.order.map(({ column }) => column);
    further.push([...new Set([...columns, ...order])]);
    for (const column of columns) known.add(column);
  }
  return further;
}

/** Columns a resource is asked by, in the order in which they first stand in an index. */
export function columnsOf(each: Pick<Resource, "packed" | "indexes">): string[] {
  return [...new Set(["id", ...(each.packed ?? []), ...each.indexes.flat()])];
}

/** Columns by which records that are kept side by side can be asked for without a look anywhere else. */
export const togetherColumns = ({ together, indexes }: Pick<Resource, "together" | "indexes">): readonly string[] =>
  together === undefined ? [] : (indexes.find(([first]) => first === together) ?? []);

export function fieldOf(each: Pick<Resource, "name" | "fields">, name: string): Field {
  const field = each.fields[name];
  if (field === undefined) throw new Error(`${each.name} has no field ${name}`);
  return field;
}

export const heavyFields = (each: Pick<Resource, "fields">): string[] =>
  Object.keys(each.fields).filter((name) => each.fields[name]?.heavy);

/** Fields that follow from others where a record does not tell them itself. */
export const derivedFields = (each: Pick<Resource, "fields">): string[] =>
  Object.keys(each.fields).filter((name) => each.fields[name]?.derive !== undefined);

/** The smallest record that an import accepts, made of examples. */
export const leastRecord = ({ fields }: Pick<Resource, "fields">): Served =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { required }]) => required)
      .map(([name, { example }]) => [name, example]),
  );
