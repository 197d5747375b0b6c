// OpenAPI components: problems and response headers.
import type { Schema } from "../../core/catalog/field.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { type Code, codesFor, type ParameterError, problems } from "../../core/problem.ts";
import type { Json } from "../../core/record/row.ts";
import { parametersOf } from "../example.ts";

const header = (description: string, schema: Schema): Schema => ({ description, schema });
const string: Schema = { type: "string" };

const ofLimits: Record<string, Schema> = {
  "RateLimit-Policy": header("Limits of the key: `q` requests in `w` seconds; absent when it has none", {
    type: "string",
    examples: ['"rate";q=10;w=2, "quota";q=1000;w=86400'],
  }),
  RateLimit: header("Remaining requests: `r` now, all of them again in `t` seconds", {
    type: "string",
    examples: ['"rate";r=9;t=1, "quota";r=412;t=40211'],
  }),
  "X-RateLimit-Limit": header("The limit that is closest to being reached", { type: "integer", minimum: 1 }),
  "X-RateLimit-Remaining": header("Requests remaining", { type: "integer", minimum: 0 }),
  "X-RateLimit-Reset": header("When it resets, Unix seconds", { type: "integer", minimum: 0 }),
};

export const limitHeaders: readonly string[] = Object.keys(ofLimits);

export const headerComponents: Record<string, Schema> = {
  ...ofLimits,
  "X-Request-Id": header("Identifies the request in the log; a valid one sent by the client is used", string),
  Age: header("Seconds since the data was last known to be current; only while the primary database can't be reached", {
    type: "integer",
    minimum: 0,
  }),
  ETag: header("Weak ETag, for `If-None-Match`", string),
  Link: header('URL of the next page, relative and without the key, as `<…>; rel="next"`; absent on the last page', {
    type: "string",
    examples: ['</api/v2/news?pageSize=15&cursor=1q7Zs0XcVWzE3MzA4MTcwMDAsNDEyMzQ1Njdd>; rel="next"'],
  }),
  Vary: header("Request headers that the response depends on", {
    type: "string",
    examples: ["Accept, Accept-Encoding"],
  }),
  "X-Ignored-Parameters": header(
    "Unknown parameters, comma-separated and percent-encoded except for brackets; absent if there are none",
    string,
  ),
  "X-Adjusted-Parameters": header(
    "Only with the setting or term `compat`: parameters whose value was changed, as `name=value`, comma-separated",
    { type: "string", examples: ["pageSize=100"] },
  ),
  "X-Hint": header("What was probably meant by a value that is compared as it is, such as `NASDAQ:AAPL`", {
    type: "string",
    examples: ["did you mean parameters[tickers]=AAPL?"],
  }),
  "X-Stream-Position": header("Where the stream of the list continues without a gap, for its parameter `since`", {
    type: "string",
    examples: ["0a1b2c3d4e5f.42"],
  }),
  Allow: header("Supported methods", { type: "string", examples: ["GET, HEAD"] }),
  "Retry-After": header("Seconds to wait before trying again", { type: "integer", minimum: 0 }),
  "WWW-Authenticate": header("How a key may be sent", string),
};

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
      description: "Why a request failed: RFC 9457 with three additional members.",
      properties: {
        type: { type: "string", format: "uri-reference", description: "Where the code is described" },
        title: { type: "string", description: "Summary of the code" },
        status: { type: "integer", description: "HTTP status" },
        detail: { type: "string", description: "What is wrong with this request" },
        code: { type: "string", enum: problemsOf(), description: "Stable name of the kind of problem" },
        errors: {
          type: "array",
          description: "All parameter errors; empty if there are none",
          items: {
            type: "object",
            properties: {
              parameter: { type: "string", description: "Name, as received" },
              given: { type: "string", description: "Value, as received; cursors are truncated" },
              expected: { type: "string", description: "What is valid" },
            },
            required: ["parameter", "given", "expected"],
            xml: { name: "i" },
          },
          xml: { wrapped: true },
        },
        request_id: { type: "string", description: "The same as in `X-Request-Id`" },
        report: {
          $ref: "#/components/schemas/Report",
          description: "The outcome for the records of a body, if some were read",
        },
      },
      required: ["type", "title", "status", "detail", "code", "errors", "request_id"],
      xml: { name: "problem", namespace: "urn:ietf:rfc:7807" },
    } satisfies Schema as Schema,
  },

  responses(catalog: readonly Resource[]): Record<string, Schema> {
    const statuses = [...new Set(problemsOf().map(statusOf))];
    // Only lists support XML.
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
    errors: code === "request.parameters" ? exampleErrors(catalog) : [],
    request_id: "4f1d2c3b5a69-7",
  };
}

/** Errors in the first two parameters of the first resource. */
function exampleErrors(catalog: readonly Resource[]): ParameterError[] {
  return catalog.slice(0, 1).flatMap((resource) =>
    parametersOf(resource)
      .slice(0, 2)
      .map(({ names: [parameter], invalid: [given = ""], expected }) => ({ parameter, given, expected })),
  );
}
