// Tool arguments ↔ request parameters of lists, as the catalog defines them.
import type { Listing } from "../core/catalog/extension.ts";
import type { Schema } from "../core/catalog/field.ts";
import type { Parameter } from "../core/catalog/parameter.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** Wrong arguments: the assistant can correct them. */
export class ArgumentError extends Error {}

/** `parameters[date_from]` is the argument `date_from`. */
export const argumentOf = (name: string): string => /^parameters\[(.+)\]$/.exec(name)?.[1] ?? name;

export const argumentName = ({ names: [name] }: Parameter<unknown>): string => argumentOf(name);

/** Parameters of a list's query. Tools page by number: a cursor would belong to a page that may not be shown in full. */
export const parametersOf = ({ rules }: Listing): readonly Parameter<unknown>[] =>
  rules
    .flatMap((rule) => Object.values(rule.parameters))
    .filter(({ inPath, opaque, forOtherFormats }) => !inPath && !opaque && !forOtherFormats);

/** Properties for the parameters of all lists; one that only some of them have says so. */
export function argumentSchemas(listings: readonly Listing[]): Record<string, Schema> {
  const found = listings.flatMap((listing) =>
    parametersOf(listing).map((parameter) => ({ name: argumentName(parameter), parameter, listing })),
  );
  const properties = [...Map.groupBy(found, ({ name }) => name)].map(([name, uses]): [string, Schema] => {
    const schemas = new Map(uses.map(({ parameter: { schema } }) => [JSON.stringify(schema), schema]));
    const docs = new Set(uses.map(({ parameter: { doc } }) => doc));
    const only = uses.length === listings.length ? "" : ` (only ${uses.map((use) => use.listing.name).join(", ")})`;
    const [schema = {}, ...others] = schemas.values();
    const description = [...docs].join("; ") + only;
    return [name, others.length === 0 ? { ...schema, description } : { anyOf: [...schemas.values()], description }];
  });
  return Object.fromEntries(properties);
}

/** The API request for arguments of a tool. Throws an ArgumentError for an argument that the list doesn't have. */
export function requestFor(listing: Listing, values: Arguments): string {
  const parameters = new Map(parametersOf(listing).map((each) => [argumentName(each), each]));
  const query = Object.entries(values).map(([name, value]): [string, string] => {
    const parameter = parameters.get(name);
    if (parameter === undefined)
      throw new ArgumentError(`${name}: unknown; ${listing.name} has ${[...parameters.keys()].join(", ")}`);
    return [parameter.names[0], textOf(name, value)];
  });
  return withQuery(listing.path, query);
}

export function withQuery(path: string, query: readonly (readonly [name: string, value: string])[]): string {
  if (query.length === 0) return path;
  const encode = (text: string) => encodeURIComponent(text).replaceAll("%5B", "[").replaceAll("%5D", "]");
  return `${path}?${query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&")}`;
}

function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => textOf(name, each)).join(",");
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  throw new ArgumentError(
    `${name}: expected text, a number, a boolean, or a list of them, got ${JSON.stringify(value)}`,
  );
}

/** A text argument that a tool needs. */
export function requiredText(values: Arguments, name: string, allowed?: readonly string[]): string {
  const value = values[name];
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text === "string" && text !== "" && (allowed?.includes(text) ?? true)) return text;
  const expected = allowed === undefined ? "text" : `one of ${allowed.join(", ")}`;
  throw new ArgumentError(`${name}: expected ${expected}, got ${JSON.stringify(value) ?? "nothing"}`);
}
