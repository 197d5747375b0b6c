// An endpoint as data: what it takes and returns. Its route, its OpenAPI operation and its reference section follow from it.

import type { Scope } from "../access/scope.ts";
import type { Code } from "../problem.ts";
import type { Json } from "../record/row.ts";
import type { Schema } from "./field.ts";
import type { Resource } from "./resource.ts";
import type { Inputs } from "./rule.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** One JSON object, or a stream of records in one of several media types. */
export type Body =
  | { readonly kind: "object"; readonly schema: string; readonly example: Json; readonly required: boolean }
  | { readonly kind: "records"; readonly description: string; readonly content: Readonly<Record<string, Schema>> };

export type Success = {
  readonly description: string;
  /** Media type; JSON unless set. */
  readonly type?: string;
  /** Name of a schema of the group, or a schema. */
  readonly schema: string | Schema;
  readonly example?: Json;
};

/** Markdown, a table, or a command for the shell. */
export type Block =
  | string
  | { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly sh: string };

export type Endpoint<I extends Inputs = Inputs> = {
  readonly method: Method;
  /** `{name}` is a segment. */
  readonly path: string;
  /** What the key must be allowed to do; without a scope no key is needed. */
  readonly scope?: Scope;
  /** Served once for each resource, whose name is the segment `{resource}`. A segment `{id}` is then one of its ids. */
  readonly perResource?: true;
  /** The handler checks the key and whether the server is ready, and writes the response itself. */
  readonly unguarded?: true;
  readonly summary: string;
  /** Paragraphs. */
  readonly description: readonly string[];
  /** Parameters of the query. */
  readonly inputs?: I | ((resource: Resource) => I);
  /** Segments of the path other than `{resource}`, as OpenAPI parameters without their names. */
  readonly segments?: Readonly<Record<string, Schema>>;
  readonly headers?: Readonly<Record<string, Schema>>;
  readonly body?: Body;
  /** By status. */
  readonly responses: Readonly<Record<number, Success>>;
  /** Problems beyond those that every request can meet. */
  readonly problems?: readonly Code[];
  /** Responses are compressed for clients that accept it. */
  readonly compressed?: true;
  /** The request that the reference shows; a body is that of `body` unless set. */
  readonly example?: {
    readonly segments?: Readonly<Record<string, string>>;
    readonly query?: string;
    readonly body?: Json;
  };
  /** What only the reference says. */
  readonly notes?: readonly Block[];
};

export type EndpointPage = {
  readonly title: string;
  readonly intro: string;
  /** Name of the key that the page creates for its examples. */
  readonly key?: string;
  readonly bullets: readonly string[];
  /** Sections before and after those of the endpoints. */
  readonly sections?: Readonly<Record<string, readonly Block[]>>;
  readonly after?: Readonly<Record<string, readonly Block[]>>;
  readonly end?: string;
};

export type EndpointGroup<E extends Readonly<Record<string, Endpoint>> = Readonly<Record<string, Endpoint>>> = {
  readonly tag: { readonly name: string; readonly description: string };
  /** The page of the reference, where the group has one. */
  readonly page?: EndpointPage;
  /** By operation id. */
  readonly endpoints: E;
  /** Named schemas that the endpoints refer to. */
  readonly schemas: Readonly<Record<string, Schema>>;
};

/** Checks a group, and keeps the exact types of its endpoints for their handlers. */
export const endpointGroup = <const E extends Readonly<Record<string, Endpoint>>>(
  group: EndpointGroup<E>,
): EndpointGroup<E> => group;

/** Where the requests of examples go: a server with its default settings. */
export const exampleHost = "http://127.0.0.1:8080";

export const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });
export const text = (description: string): Schema => ({ type: "string", description });

/** An object that always has all of its properties. */
export const object = (properties: Readonly<Record<string, Schema>>, description?: string): Schema => ({
  type: "object",
  ...(description === undefined ? {} : { description }),
  properties,
  required: Object.keys(properties),
});
