// What keys have used as part of the OpenAPI document.
import type { Schema } from "../core/catalog/field.ts";
import { type Code, codesOf } from "../core/problem.ts";
import type { Json } from "../core/record/row.ts";
import { usageInputs, usagePath } from "../core/usage.ts";
import { keys } from "./openapi-keys.ts";
import { parameter } from "./openapi-parameter.ts";
import { problemRefs, refs } from "./openapi-problems.ts";

/** Codes that only requests about one key, or with a body, can meet. */
const ofKeys: readonly Code[] = ["request.members", "request.timeout", "key.absent", "key.conflict"];

export const usageExample = {
  usage: [
    {
      ...{ day: "2026-01-15", key: "acme", resource: "news" },
      ...{ requests: 1204, records: 18_060, bytes: 9_412_331, errors: 3, limited: 12 },
    },
  ],
};

export const usagePaths: Record<string, Json> = {
  [usagePath]: {
    get: {
      operationId: "readUsage",
      summary: "What keys have used",
      description:
        "Counts by day, key and resource, in this order. They are written every two seconds: what other processes have answered in the last of them may be missing.",
      tags: [keys.name],
      security: [{ bearer: [] }, { authorization: [] }],
      parameters: Object.values(usageInputs).map(parameter),
      responses: {
        "200": {
          description: "The counts; an empty list when nothing was used",
          headers: refs("X-Request-Id", "X-Ignored-Parameters"),
          content: { "application/json": { schema: { $ref: "#/components/schemas/Usage" }, example: usageExample } },
        },
        ...problemRefs(
          codesOf("admin").filter((code) => !ofKeys.includes(code)),
          false,
        ),
      },
    },
  },
};

const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });

const row: Record<string, Schema> = {
  day: { type: "string", format: "date", description: "Day in the service's zone" },
  key: { type: "string", description: "Name of the key" },
  resource: {
    type: "string",
    description:
      "The list that was asked for or the resource that was written; `replicate` for the change feed, `admin` for administration",
  },
  requests: count("Requests, whatever became of them"),
  records: count("Records that were answered, or taken from bodies"),
  bytes: count("Bytes of the answers' bodies, as they were sent"),
  errors: count("Requests that were refused for another reason than a limit, or failed"),
  limited: count("Requests that met a limit of the key"),
};

/** What each count means. */
export const usageMeanings: readonly (readonly [string, string])[] = Object.entries(row).map(([name, schema]) => [
  name,
  String(schema.description),
]);

export const usageSchemas: Record<string, Schema> = {
  Usage: {
    type: "object",
    properties: {
      usage: { type: "array", items: { type: "object", properties: row, required: Object.keys(row) } },
    },
    required: ["usage"],
  },
};
