// OpenAPI operations of endpoints.

import type { Body, Endpoint, EndpointGroup, Success } from "../../core/catalog/endpoint.ts";
import type { Schema } from "../../core/catalog/field.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { type Code, codesFor } from "../../core/problem.ts";
import type { Json } from "../../core/record/row.ts";
import { endpointParameters } from "../example.ts";
import { parameter } from "./parameter.ts";
import { problemRefs, refs } from "./problems.ts";

const json = "application/json";
const methods = ["GET", "POST", "PATCH", "DELETE"];

/** Problems of requests without a key. */
const openCodes: readonly Code[] = ["request.url", "server.fault", "server.unavailable"];

/** Operations by path and method. */
export function endpointPaths(groups: readonly EndpointGroup[], catalog: readonly Resource[]): Record<string, Json> {
  const operations = groups
    .flatMap(({ tag, endpoints }) => Object.entries(endpoints).map(([id, endpoint]) => ({ tag, id, endpoint })))
    .sort((a, b) => methods.indexOf(a.endpoint.method) - methods.indexOf(b.endpoint.method));
  const paths = groups.flatMap(({ endpoints }) => Object.values(endpoints).map(({ path }) => path));
  return Object.fromEntries(
    paths.map((path) => [
      path,
      Object.fromEntries(
        operations
          .filter(({ endpoint }) => endpoint.path === path)
          .map(({ tag, id, endpoint }) => [endpoint.method.toLowerCase(), operation(id, endpoint, tag.name, catalog)]),
      ),
    ]),
  );
}

function operation(operationId: string, endpoint: Endpoint, tag: string, catalog: readonly Resource[]): Json {
  const { scope, summary, description, body, responses, problems = [] } = endpoint;
  const codes = [...(scope === undefined ? openCodes : codesFor("read")), ...problems];
  const inputs = parameters(endpoint, catalog);
  return {
    operationId,
    summary,
    description: description.join("\n\n"),
    tags: [tag],
    security: scope === undefined ? [] : [{ bearer: [] }, { authorization: [] }],
    ...(scope === undefined && inputs.length === 0 ? {} : { parameters: inputs }),
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses: {
      ...Object.fromEntries(Object.entries(responses).map(([status, each]) => [status, response(endpoint, each)])),
      ...problemRefs(codes, false),
    },
  };
}

function parameters(endpoint: Endpoint, catalog: readonly Resource[]): Json[] {
  const { perResource, segments = {}, headers = {} } = endpoint;
  const resource: Schema = {
    name: "resource",
    in: "path",
    required: true,
    description: "The resource of the records.",
    schema: { type: "string", enum: catalog.map(({ name }) => name) },
  };
  return [
    ...(perResource ? [resource] : []),
    ...Object.entries(segments).map(([name, each]) => ({ name, in: "path", required: true, ...each })),
    ...endpointParameters(endpoint, catalog).map(parameter),
    ...Object.entries(headers).map(([name, each]) => ({ name, in: "header", ...each })),
  ];
}

const requestBody = (body: Body): Schema =>
  body.kind === "object"
    ? { required: body.required, content: { [json]: { schema: schemaRef(body.schema), example: body.example } } }
    : { required: true, description: body.description, content: body.content };

function response({ scope, compressed }: Endpoint, { description, type = json, schema, example }: Success): Schema {
  const named = scope !== undefined && type === json ? ["X-Ignored-Parameters"] : [];
  return {
    description,
    headers: refs("X-Request-Id", ...(compressed ? ["Vary"] : []), ...named),
    content: { [type]: { schema: schemaRef(schema), ...(example === undefined ? {} : { example }) } },
  };
}

const schemaRef = (schema: string | Schema): Schema =>
  typeof schema === "string" ? { $ref: `#/components/schemas/${schema}` } : schema;
