// Endpoint definitions, from which routes, OpenAPI operations, and reference sections are derived.

import type { Scope } from "../access/scope.ts";
import type { Code } from "../problem.ts";
import type { Json } from "../record/row.ts";
import type { Schema } from "./field.ts";
import type { Resource } from "./resource.ts";
import type { ParameterMap } from "./rule.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** One JSON object, or a stream of records in one of several media types. */
export type Body =
  | { readonly kind: "object"; readonly schema: string; readonly example: Json; readonly required: boolean }
  | { readonly kind: "records"; readonly description: string; readonly content: Readonly<Record<string, Schema>> };

export type Success = {
  readonly description: string;
  /** Media type; JSON unless set. */
  readonly type?: string;
  /** A schema, or the name of one in the group. */
  readonly schema: string | Schema;
  readonly example?: Json;
};

/** Markdown, a table, or a shell command. */
export type Block =
  | string
  | { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly sh: string };

export type Endpoint<P extends ParameterMap = ParameterMap> = {
  readonly method: Method;
  readonly path: string;
  /** Required scope; without one, no key is needed. */
  readonly scope?: Scope;
  /** Served for each resource: `{resource}` is its name, `{id}` one of its IDs. */
  readonly perResource?: true;
  /** The handler authenticates, checks readiness, and writes the response itself. */
  readonly unguarded?: true;
  readonly summary: string;
  /** Paragraphs. */
  readonly description: readonly string[];
  /** Query parameters. */
  readonly parameters?: P | ((resource: Resource) => P);
  /** Path segments other than `{resource}`, as OpenAPI parameters without names. */
  readonly segments?: Readonly<Record<string, Schema>>;
  readonly headers?: Readonly<Record<string, Schema>>;
  readonly body?: Body;
  readonly responses: Readonly<Record<number, Success>>;
  /** In addition to those that every request can have. */
  readonly problems?: readonly Code[];
  readonly compressed?: true;
  /** The request in the reference; the body defaults to that of `body`. */
  readonly example?: {
    readonly segments?: Readonly<Record<string, string>>;
    readonly query?: string;
    readonly body?: Json;
  };
  /** Only in the reference. */
  readonly notes?: readonly Block[];
};

export type EndpointPage = {
  readonly title: string;
  readonly intro: string;
  /** Name of the key in the examples. */
  readonly key?: string;
  /** Its scopes; by default the required one. */
  readonly keyScopes?: string;
  readonly bullets: readonly string[];
  /** Before and after the endpoints. */
  readonly sections?: Readonly<Record<string, readonly Block[]>>;
  readonly after?: Readonly<Record<string, readonly Block[]>>;
  readonly end?: string;
};

export type EndpointGroup<E extends Readonly<Record<string, Endpoint>> = Readonly<Record<string, Endpoint>>> = {
  readonly tag: { readonly name: string; readonly description: string };
  readonly page?: EndpointPage;
  /** By operation ID. */
  readonly endpoints: E;
  readonly schemas: Readonly<Record<string, Schema>>;
};

/** Preserves the exact types of the endpoints for their handlers. */
export const endpointGroup = <const E extends Readonly<Record<string, Endpoint>>>(
  group: EndpointGroup<E>,
): EndpointGroup<E> => group;

/** A server with default settings. */
export const exampleHost = "http://127.0.0.1:8080";

export const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });
export const text = (description: string): Schema => ({ type: "string", description });

/** An object whose properties are all required. */
export const object = (properties: Readonly<Record<string, Schema>>, description?: string): Schema => ({
  type: "object",
  ...(description === undefined ? {} : { description }),
  properties,
  required: Object.keys(properties),
});
