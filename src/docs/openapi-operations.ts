// How a server stands, and its metrics, as part of the OpenAPI document.
import type { Schema } from "../core/catalog/field.ts";
import { metricsPath, statusPath } from "../core/operating.ts";
import { type Code, codesOf } from "../core/problem.ts";
import type { Json } from "../core/record/row.ts";
import { problemRefs, refs } from "./openapi-problems.ts";

const server = "Server";
const security = [{ bearer: [] }, { authorization: [] }];

/** Codes that only requests about one key, or with a body, can meet. */
const ofKeys: readonly Code[] = ["request.members", "request.timeout", "key.absent", "key.conflict"];
const refusals = problemRefs(
  codesOf("admin").filter((code) => !ofKeys.includes(code)),
  false,
);

export const statusExample = {
  version: "0.1.0",
  started: "2026-01-15T08:00:00Z",
  now: "2026-01-15T12:00:00Z",
  database: { kind: "sqlite" },
  zone: "America/New_York",
  resources: [{ name: "news", records: 182_044, newest: "2026-01-15T11:59:31Z", changed: "2026-01-15T11:59:40Z" }],
  mirror: null,
  cache: { bytes: 18_221_004, hits: 90_112, misses: 8123 },
};

const metricsExample = [
  "# HELP bellwire_cache_hits_total Lists that were answered without reading a record.",
  "# TYPE bellwire_cache_hits_total counter",
  "bellwire_cache_hits_total 90112",
  "",
].join("\n");

export const operationPaths: Record<string, Json> = {
  [statusPath]: {
    get: {
      operationId: "readStatus",
      summary: "How the server stands",
      description:
        "What runs, what it holds and how fresh that is. Counts of answers are those of all workers of this server since they started.",
      tags: [server],
      security,
      responses: {
        "200": {
          description: "The status",
          headers: refs("X-Request-Id", "X-Ignored-Parameters"),
          content: { "application/json": { schema: { $ref: "#/components/schemas/Status" }, example: statusExample } },
        },
        ...refusals,
      },
    },
  },
  [metricsPath]: {
    get: {
      operationId: "readMetrics",
      summary: "Metrics",
      description:
        "Numbers of all workers of this server, in the text format of Prometheus. No key is needed where the setting `metrics-open` says so.",
      tags: [server],
      security,
      responses: {
        "200": {
          description: "The metrics",
          headers: refs("X-Request-Id"),
          content: { "text/plain": { schema: { type: "string" }, example: metricsExample } },
        },
        ...refusals,
      },
    },
  },
};

const time = (description: string): Schema => ({ type: "string", format: "date-time", description });
const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });
const object = (description: string, properties: Record<string, Schema>): Schema => ({
  type: "object",
  description,
  properties,
  required: Object.keys(properties),
});

const stand: Record<string, Schema> = {
  name: { type: "string", description: "Name of the resource" },
  records: count("Records that there are"),
  newest: {
    type: ["string", "null"],
    description: "Day of the last record by day, which may be to come; of news the moment. Null when there is none",
  },
  changed: {
    type: ["string", "null"],
    format: "date-time",
    description: "When a record was last added, changed or removed. Null when the change log does not say",
  },
};

const status: Record<string, Schema> = {
  version: { type: "string", description: "Version of the program" },
  started: time("When the process that answers began"),
  now: time("Its clock"),
  database: object("What the records are kept in", { kind: { type: "string", enum: ["sqlite", "postgres"] } }),
  zone: { type: "string", description: "Time zone of the service" },
  resources: {
    type: "array",
    description: "Each resource: `name`, `records`, `newest` and `changed`",
    items: object("A resource", stand),
  },
  mirror: {
    type: ["object", "null"],
    description: "What `bellwire mirror status --json` tells; null when the database is no mirror",
  },
  cache: object(
    "Answers in memory: `bytes` they take, lists answered without reading a record (`hits`) and others (`misses`)",
    {
      bytes: count("Memory that kept answers take"),
      hits: count("Lists that were answered without reading a record"),
      misses: count("Lists for which records were read"),
    },
  ),
};

/** What each member means. */
export const statusMeanings: readonly (readonly [string, string])[] = Object.entries(status).map(([name, schema]) => [
  name,
  String(schema.description),
]);
export const standMeanings: readonly (readonly [string, string])[] = Object.entries(stand).map(([name, schema]) => [
  name,
  String(schema.description),
]);

export const operationSchemas: Record<string, Schema> = {
  Status: { type: "object", properties: status, required: Object.keys(status) },
};
