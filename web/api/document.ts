// The OpenAPI document as the page reads it: which lists there are, what may be asked of each, what its records hold.
// Filters, columns and orders are drawn from here, so that a new rule of an endpoint appears without new code.
import type { Display } from "../../src/core/catalog/display.ts";
import { type Cell, cell, useCell } from "../app/signal.ts";
import { textOf } from "../format/item.ts";

export type Schema = {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly description?: string;
  readonly examples?: readonly unknown[];
};

export type Parameter = {
  /** Wire name, such as `parameters[tickers]`. */
  readonly name: string;
  /** Name in the address of the page, such as `tickers`. */
  readonly short: string;
  readonly doc: string;
  readonly schema: Schema;
  readonly example: unknown;
};

export type FieldKind = "text" | "decimal" | "integer" | "day" | "clock" | "stamp" | "flag" | "address" | "nested";
export type Field = {
  readonly name: string;
  readonly kind: FieldKind;
  readonly doc: string;
  readonly example: unknown;
};

export type Listing = {
  /** Last segment of the path, such as `ratings`. */
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly doc: string;
  readonly parameters: readonly Parameter[];
  readonly fields: readonly Field[];
  /** Wire name of the page size. */
  readonly size: string;
  readonly isCalendar: boolean;
  /** Where the page shows it. */
  readonly view: string;
  readonly display: Display;
};

export type ApiDocument = {
  /** In the order in which they are presented. */
  readonly listings: readonly Listing[];
  /** Paths of operations without parameters in them, by operation id. */
  readonly paths: Readonly<Record<string, string>>;
  /** What objects hold that are sent or answered, by the names of their schemas. */
  readonly objects: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
};

type Wire = {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Node>> };
};
type Operation = {
  readonly operationId: string;
  readonly "x-display"?: Display;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly WireParameter[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: Node }>> }>>;
};
type WireParameter = {
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly schema?: Schema;
  readonly examples?: { readonly example?: { readonly value?: unknown } };
};
type Node = Schema & {
  readonly $ref?: string;
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
};

export function readDocument(wire: Wire): ApiDocument {
  return {
    listings: Object.entries(wire.paths)
      .flatMap(([path, { get }]) => (get?.tags.includes("Records") ? [listing(wire, path, get)] : []))
      .toSorted((a, b) => a.display.rank - b.display.rank),
    paths: Object.fromEntries(
      Object.entries(wire.paths).flatMap(([path, { get }]) => (get === undefined ? [] : [[get.operationId, path]])),
    ),
    objects: Object.fromEntries(
      Object.entries(wire.components.schemas).map(([name, { properties = {} }]) => [name, properties]),
    ),
  };
}

function listing(wire: Wire, path: string, operation: Operation): Listing {
  const asked = (operation.parameters ?? []).filter((each) => each.in === "query" && each.name !== undefined);
  const names = asked.map(({ name = "" }) => name);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const parameters = asked.map((each) => parameter(each, names));
  const fields = fieldsOf(wire, operation);
  const isCalendar = path.includes("/calendar/");
  return {
    name,
    path,
    title: operation.summary,
    doc: operation.description,
    parameters,
    fields,
    size: names.find((name) => name.toLowerCase() === "pagesize") ?? "pagesize",
    isCalendar,
    view: isCalendar ? `/calendar/${name}` : `/${name}`,
    display: operation["x-display"] ?? plainDisplay(operation.summary, fields, parameters),
  };
}

/** A list of which the document says nothing more is shown whole, after the others. */
const plainDisplay = (title: string, fields: readonly Field[], parameters: readonly Parameter[]): Display => ({
  ...{ label: title, brief: title, unit: ["record", "records"], key: "", rank: Number.MAX_SAFE_INTEGER },
  columns: fields.map(({ name }) => name),
  filters: parameters.map(({ short }) => short).slice(0, 6),
  text: fields.some(({ name }) => name === "ticker") ? "{ticker}" : "{id}",
});

/** A record in a few words, by a text such as `{ticker} by {analyst}`. */
export const recordText = (text: string, record: Readonly<Record<string, unknown>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => textOf(record[name]));

function parameter(
  { name = "", description = "", schema = {}, examples }: WireParameter,
  all: readonly string[],
): Parameter {
  const inner = /^parameters\[(\w+)\]$/.exec(name)?.[1];
  const short = inner === undefined || all.includes(inner) ? name : inner;
  return { name, short, doc: description, schema, example: examples?.example?.value };
}

function fieldsOf(wire: Wire, operation: Operation): Field[] {
  const resolved = (node: Node | undefined): Node =>
    node?.$ref === undefined ? (node ?? {}) : (wire.components.schemas[node.$ref.split("/").at(-1) ?? ""] ?? {});
  const list = resolved(operation.responses["200"]?.content?.["application/json"]?.schema);
  const array = list.type === "array" ? list : Object.values(list.properties ?? {})[0];
  return Object.entries(resolved(array?.items).properties ?? {}).map(([name, node]) => ({
    name,
    kind: kindOf(node),
    doc: node.description ?? "",
    example: node.examples?.[0],
  }));
}

function kindOf({ type, pattern = "", description = "", examples = [] }: Schema): FieldKind {
  if (type === "boolean") return "flag";
  if (type === "array" || type === "object") return "nested";
  if (type === "integer") return description.includes("Unix seconds") ? "stamp" : "integer";
  if (pattern.startsWith("^([+-]?")) return "decimal";
  if (pattern.includes("[0-9]{4}-[0-9]{2}")) return "day";
  const example = String(examples[0] ?? "");
  if (/^\d\d:\d\d:\d\d$/.test(example)) return "clock";
  return /^https?:/.test(example) ? "address" : "text";
}

const loaded: Cell<ApiDocument | undefined> = cell<ApiDocument | undefined>(undefined);

/** Undefined until it is there. */
export const useDocument = (): ApiDocument | undefined => useCell(loaded);

export function useListing(name: string): Listing | undefined {
  return useDocument()?.listings.find((each) => each.name === name);
}

/** Asks until it is answered: without it the page can't say what there is. */
export async function loadDocument(): Promise<void> {
  for (let wait = 500; loaded.get() === undefined; wait = Math.min(wait * 2, 10_000)) {
    const wire = await fetch("/openapi.json").then(
      (response) => (response.ok ? response.json() : undefined),
      () => undefined,
    );
    if (wire !== undefined) loaded.set(readDocument(wire as Wire));
    else await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
