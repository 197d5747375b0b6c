// The problem catalogue and the headers of answers as components of the OpenAPI document.
import type { Schema } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { type Code, codesFor, type ParameterError, problems } from "../core/problem.ts";
import type { Json } from "../core/record/row.ts";
import { parametersOf } from "./example.ts";

const header = (description: string, schema: Schema): Schema => ({ description, schema });
const string: Schema = { type: "string" };

/** What every answer to a key with limits carries. */
const ofLimits: Record<string, Schema> = {
  "RateLimit-Policy": header("Limits of the key: `q` requests in `w` seconds; absent when it has none", {
    type: "string",
    examples: ['"rate";q=10;w=2, "quota";q=1000;w=86400'],
  }),
  RateLimit: header("What is left of them: `r` requests now, all of them again in `t` seconds", {
    type: "string",
    examples: ['"rate";r=9;t=1, "quota";r=412;t=40211'],
  }),
  "X-RateLimit-Limit": header("Requests of the limit that is nearest", { type: "integer", minimum: 1 }),
  "X-RateLimit-Remaining": header("What is left of it", { type: "integer", minimum: 0 }),
  "X-RateLimit-Reset": header("When it is whole again, Unix seconds", { type: "integer", minimum: 0 }),
};

export const limitHeaders: readonly string[] = Object.keys(ofLimits);

export const headerComponents: Record<string, Schema> = {
  ...ofLimits,
  "X-Request-Id": header("Names the request in the log; a plain one sent by the client is kept", string),
  Age: header("Seconds since the data was last known to be current; only while the primary database can't be reached", {
    type: "integer",
    minimum: 0,
  }),
  ETag: header("Weak tag of the answer, for `If-None-Match`", string),
  Link: header(
    'Address of the page after this one, relative to this server and without the key, as `<…>; rel="next"`; absent when the page is not full, and so the last',
    {
      type: "string",
      examples: ['</api/v2/news?pageSize=15&cursor=1q7Zs0XcVWzE3MzA4MTcwMDAsNDEyMzQ1Njdd>; rel="next"'],
    },
  ),
  Vary: header("Request headers that the answer depends on", { type: "string", examples: ["Accept, Accept-Encoding"] }),
  "X-Ignored-Parameters": header(
    "Parameters that mean nothing here, comma-separated and percent-encoded but for brackets; absent when there are none",
    string,
  ),
  Allow: header("Methods that are served", { type: "string", examples: ["GET, HEAD"] }),
  "Retry-After": header("Seconds to wait before trying again", { type: "integer", minimum: 0 }),
  "WWW-Authenticate": header("How a key may be sent", string),
};

/** What a status carries beside the problem itself. */
const headersOfStatus: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  429: ["Retry-After", ...limitHeaders],
  503: ["Retry-After"],
};

export const refs = (...names: string[]): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const problemsOf = (): Code[] => Object.keys(problems) as Code[];

const statusOf = (code: Code): number => problems[code].status;
const nameOf = (status: number, xml: boolean): string => `Problem${status}${xml ? "Xml" : ""}`;

/** One response for each status of the codes. */
export const problemRefs = (codes: readonly Code[], xml: boolean): Record<string, Schema> =>
  Object.fromEntries(
    codes.map(statusOf).map((status) => [String(status), { $ref: `#/components/responses/${nameOf(status, xml)}` }]),
  );

export const problemComponents = {
  schemas: {
    Problem: {
      type: "object",
      description: "Why a request was not answered: RFC 9457 with three members more.",
      properties: {
        type: { type: "string", format: "uri-reference", description: "Where the code is described" },
        title: { type: "string", description: "Short words for the code" },
        status: { type: "integer", description: "Status of the answer" },
        detail: { type: "string", description: "What is wrong with this request" },
        code: { type: "string", enum: problemsOf(), description: "Stable name of the kind of problem" },
        errors: {
          type: "array",
          description: "Every mistake in the parameters; empty when there are none",
          items: {
            type: "object",
            properties: {
              parameter: { type: "string", description: "Name, as it was sent" },
              given: { type: "string", description: "The whole value, as it was sent; of a cursor its beginning" },
              expected: { type: "string", description: "What would have been taken" },
            },
            required: ["parameter", "given", "expected"],
            xml: { name: "i" },
          },
          xml: { wrapped: true },
        },
        request_id: { type: "string", description: "The same as in `X-Request-Id`" },
        report: {
          $ref: "#/components/schemas/Report",
          description: "What became of the records of a body, where some had been read",
        },
      },
      required: ["type", "title", "status", "detail", "code", "errors", "request_id"],
      xml: { name: "problem", namespace: "urn:ietf:rfc:7807" },
    } satisfies Schema as Schema,
  },

  responses(catalog: readonly Resource[]): Record<string, Schema> {
    const statuses = [...new Set(problemsOf().map(statusOf))];
    // Only lists are answered in XML.
    const inXml = catalog.some(({ formats }) => formats.includes("xml")) ? codesFor("read").map(statusOf) : [];
    const entry = (status: number, xml: boolean) => [nameOf(status, xml), response(catalog, status, xml)];
    return Object.fromEntries([
      ...statuses.map((status) => entry(status, false)),
      ...inXml.map((status) => entry(status, true)),
    ]);
  },
};

function response(catalog: readonly Resource[], status: number, xml: boolean): Schema {
  const codes = problemsOf().filter((code) => statusOf(code) === status);
  const schema = { $ref: "#/components/schemas/Problem" };
  return {
    description: codes.map((code) => `**${code}**: ${problems[code].doc}`).join("\n\n"),
    headers: refs("X-Request-Id", ...(headersOfStatus[status] ?? [])),
    content: {
      "application/problem+json": {
        schema,
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: problems[code].title, value: example(catalog, code) }]),
        ),
      },
      ...(xml ? { "application/problem+xml": { schema } } : {}),
    },
  };
}

function example(catalog: readonly Resource[], code: Code): Json {
  const { title, status, doc } = problems[code];
  return {
    type: `/docs/problems#${code}`,
    title,
    status,
    detail: doc,
    code,
    errors: code === "request.parameters" ? mistakes(catalog) : [],
    request_id: "4f1d2c3b5a69-7",
  };
}

/** A mistake in the first two inputs of the first resource. */
function mistakes(catalog: readonly Resource[]): ParameterError[] {
  return catalog.slice(0, 1).flatMap((resource) =>
    parametersOf(resource)
      .slice(0, 2)
      .map(({ names: [parameter], invalid: [given = ""], expected }) => ({ parameter, given, expected })),
  );
}
