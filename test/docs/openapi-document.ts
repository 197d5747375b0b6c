// The OpenAPI document of the whole catalog, for its tests.
import assert from "node:assert/strict";
import { openapi } from "../../src/docs/openapi/openapi.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { compatTable } from "../../src/resources/compat/compat.ts";
import { extensions } from "../../src/resources/lists/extensions.ts";

export type Parameter = {
  name: string;
  in: string;
  description: string;
  schema: Record<string, unknown>;
  style?: string;
  explode?: boolean;
  examples: { example: { value: unknown } };
};
type Content = Record<string, { schema: { $ref: string }; example?: unknown; examples?: Record<string, unknown> }>;
export type Response = { headers?: Record<string, unknown>; content: Content };
type Operation = {
  operationId: string;
  tags: string[];
  security?: unknown[];
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: Content };
  responses: Record<string, Response | { $ref: string }>;
};
type Shape = { type: string; properties: Record<string, Record<string, unknown>>; required?: string[] };
export type Document = {
  info: { license: object; version: string };
  servers: { url: string }[];
  security: object[];
  paths: Record<string, Record<"get" | "post" | "patch" | "delete", Operation>>;
  components: {
    schemas: Record<string, Shape>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, object>;
  };
};

export const made = openapi(catalog, { version: "1.2.3" }, extensions, compatTable);
export const document = made as Document;
export const operationOf = (path: string): Operation =>
  document.paths[path]?.get ?? assert.fail(`no operation at ${path}`);
export const documentedParameters = (path: string): Parameter[] =>
  operationOf(path).parameters.filter((each) => "name" in each) as Parameter[];
export const recordOf = (path: string): Shape => {
  const name = operationOf(path).operationId.replace(/^list/, "");
  return document.components.schemas[`${name}Record`] ?? assert.fail(`no record schema for ${path}`);
};
