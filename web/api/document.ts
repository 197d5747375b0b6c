// The OpenAPI document: lists, their parameters, and their fields, from which filters, columns, and orders are derived.
import type { Display } from "../../src/core/catalog/display.ts";
import { type Signal, signal, useSignal } from "../app/signal.ts";
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
  /** Name in the page's URL, such as `tickers`. */
  readonly short: string;
  readonly doc: string;
  readonly schema: Schema;
  readonly example: unknown;
};

export type FieldKind =
  | "text"
  | "decimal"
  | "integer"
  | "day"
  | "time"
  | "session"
  | "timestamp"
  | "boolean"
  | "url"
  | "nested";
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
  /** Path of its view. */
  readonly view: string;
  readonly display: Display;
};

export type ApiDocument = {
  /** In display order. */
  readonly listings: readonly Listing[];
  /** Paths of GET operations, by operation ID. */
  readonly paths: Readonly<Record<string, string>>;
  /** Properties by schema name. */
  readonly objects: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
};

type OpenApi = {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Node>> };
};
type Operation = {
  readonly operationId: string;
  readonly "x-display"?: Display;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: Node }>> }>>;
};
type OpenApiParameter = {
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

export function readDocument(openApi: OpenApi): ApiDocument {
  return {
    listings: Object.entries(openApi.paths)
      .flatMap(([path, { get }]) => (get?.tags.includes("Records") ? [listing(openApi, path, get)] : []))
      .toSorted((a, b) => a.display.rank - b.display.rank),
    paths: Object.fromEntries(
      Object.entries(openApi.paths).flatMap(([path, { get }]) => (get === undefined ? [] : [[get.operationId, path]])),
    ),
    objects: Object.fromEntries(
      Object.entries(openApi.components.schemas).map(([name, { properties = {} }]) => [name, properties]),
    ),
  };
}

function listing(openApi: OpenApi, path: string, operation: Operation): Listing {
  const queryParameters = (operation.parameters ?? []).filter((each) => each.in === "query" && each.name !== undefined);
  const names = queryParameters.map(({ name = "" }) => name);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const parameters = queryParameters.map((each) => parameter(each, names));
  const fields = fieldsOf(openApi, operation);
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

/** For a list without `x-display`: all fields, after the other lists. */
const plainDisplay = (title: string, fields: readonly Field[], parameters: readonly Parameter[]): Display => ({
  ...{ label: title, brief: title, unit: ["record", "records"], key: "", rank: Number.MAX_SAFE_INTEGER },
  columns: fields.map(({ name }) => name),
  filters: parameters.map(({ short }) => short).slice(0, 6),
  text: fields.some(({ name }) => name === "ticker") ? "{ticker}" : "{id}",
});

/** Fills in a template such as `{ticker} by {analyst}`. */
export const recordText = (text: string, record: Readonly<Record<string, unknown>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => textOf(record[name]));

function parameter(
  { name = "", description = "", schema = {}, examples }: OpenApiParameter,
  all: readonly string[],
): Parameter {
  const inner = /^parameters\[(\w+)\]$/.exec(name)?.[1];
  const short = inner === undefined || all.includes(inner) ? name : inner;
  return { name, short, doc: description, schema, example: examples?.example?.value };
}

function fieldsOf(openApi: OpenApi, operation: Operation): Field[] {
  const resolved = (node: Node | undefined): Node =>
    node?.$ref === undefined ? (node ?? {}) : (openApi.components.schemas[node.$ref.split("/").at(-1) ?? ""] ?? {});
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
  if (type === "boolean") return "boolean";
  if (type === "array" || type === "object") return "nested";
  if (type === "integer") return description.includes("Unix seconds") ? "timestamp" : "integer";
  if (pattern.startsWith("^([+-]?")) return "decimal";
  if (pattern.includes("[0-9]{4}-[0-9]{2}")) return "day";
  const example = String(examples[0] ?? "");
  if (/^\d\d:\d\d:\d\d$/.test(example)) return "time";
  if (/^(bmo|dmh|amc)$/.test(example)) return "session";
  return /^https?:/.test(example) ? "url" : "text";
}

const loaded: Signal<ApiDocument | undefined> = signal<ApiDocument | undefined>(undefined);

/** Undefined until it is loaded. */
export const useDocument = (): ApiDocument | undefined => useSignal(loaded);

export const currentDocument = (): ApiDocument | undefined => loaded.get();

export function useListing(name: string): Listing | undefined {
  return useDocument()?.listings.find((each) => each.name === name);
}

/** Retries until it succeeds, since every view depends on it. */
export async function loadDocument(): Promise<void> {
  for (let wait = 500; loaded.get() === undefined; wait = Math.min(wait * 2, 10_000)) {
    const openApi = await fetch("/openapi.json").then(
      (response) => (response.ok ? response.json() : undefined),
      () => undefined,
    );
    if (openApi !== undefined) loaded.set(readDocument(openApi as OpenApi));
    else await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
