// The change feed and its snapshot as part of the OpenAPI document.

import type { Schema } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { feedInputs, feedPath, mostInAnswer, snapshotInputs, snapshotPath } from "../core/feed.ts";
import { codesOf } from "../core/problem.ts";
import type { Json } from "../core/record/row.ts";
import { parameter } from "./openapi-parameter.ts";
import { problemRefs, refs } from "./openapi-problems.ts";
import { leastRecord } from "./reference-rows.ts";

export const replication = {
  name: "Replication",
  description:
    "Everything that happens to records, for those who keep a copy of them. Extensions of the interface, for keys with the scope `replicate`, in the `Authorization` header only.",
};

export const feedWords = [
  "The change log in order: one line for each record that was created, updated or removed, with the record's present form in `record`, in import form and with the attributes that are never shown. `record` is absent when the record is gone by now, whatever `kind` says.",
  "A follower asks again with `after` set to `next`. It has everything when `next` equals `last`. With `resource`, lines of other resources are left out, but `next` moves past them. An answer may hold fewer lines than `limit` when their records are large.",
  "Lines are kept for a time, the setting `change-days`. A position from before is answered 410, `changes.gone`: the follower starts again with a snapshot. So does one that finds another `database` than before.",
];

export const snapshotWords = [
  "The records of a resource in import form, in the order of their identifiers, for a follower that begins or was away for too long.",
  "It remembers `last` of the very first answer, reads on with `after` set to `next` until there is no `next`, does so for each resource, and then follows the change feed from the position that it remembered. What changed meanwhile may come twice; nothing is left out.",
];

export function replicationPaths(catalog: readonly Resource[]): Record<string, Json> {
  const [first] = catalog;
  if (first === undefined) return {};
  const resource: Schema = {
    name: "resource",
    in: "path",
    required: true,
    description: "What the records are.",
    schema: { type: "string", enum: catalog.map(({ name }) => name) },
  };
  // The identifiers of resources differ in their type: the document takes any text for a position.
  const { after, limit } = snapshotInputs(first);
  const anyId = { ...parameter(after), schema: { type: "string" }, examples: { example: afterExample(catalog) } };
  return {
    [feedPath]: {
      get: operation(
        "followChanges",
        "Change feed",
        feedWords,
        Object.values(feedInputs(catalog)).map(parameter),
        "Changes",
        feedExample(first),
      ),
    },
    [snapshotPath({ name: "{resource}" })]: {
      get: operation(
        "readSnapshot",
        "Snapshot",
        snapshotWords,
        [resource, anyId, parameter(limit)],
        "Snapshot",
        snapshotExample(first),
      ),
    },
  };
}

const afterExample = (catalog: readonly Resource[]): Json => ({
  value: String(catalog.at(-1)?.fields.id?.example ?? ""),
  "x-disabled": true,
});

function operation(
  operationId: string,
  summary: string,
  words: readonly string[],
  parameters: readonly Json[],
  schema: string,
  example: Json,
): Json {
  return {
    operationId,
    summary,
    description: words.join("\n\n"),
    tags: [replication.name],
    security: [{ bearer: [] }, { authorization: [] }],
    parameters,
    responses: {
      "200": {
        description: summary,
        headers: refs("X-Request-Id", "Vary", "X-Ignored-Parameters"),
        content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` }, example } },
      },
      ...problemRefs(codesOf("replicate"), false),
    },
  };
}

export const feedExample = (resource: Resource): Json => {
  const { record } = leastRecord(resource);
  const at = 1_730_817_000;
  const changes = [
    { seq: 12, resource: resource.name, id: String(record.id), kind: "created", at, record },
    { seq: 13, resource: resource.name, id: "41234000", kind: "removed", at },
  ];
  return { database: "4f1d2c3b5a69", changes, next: 13, last: 999 };
};

export const snapshotExample = (resource: Resource): Json => {
  const { record } = leastRecord(resource);
  return { database: "4f1d2c3b5a69", last: 999, records: [record], next: String(record.id) };
};

const database: Schema = { type: "string", description: "Which database this is; another one is followed anew" };
const last: Schema = { type: "integer", minimum: 0, description: "Newest position of the change log" };
const record: Schema = { type: "object", description: "The record in import form, as it is now" };

export function replicationSchemas(catalog: readonly Resource[]): Record<string, Schema> {
  const line: Schema = {
    type: "object",
    properties: {
      seq: { type: "integer", minimum: 1, description: "Position of the line; grows, with gaps" },
      resource: { type: "string", enum: catalog.map(({ name }) => name), description: "What the record is" },
      id: { type: "string", description: "Identifier of the record, as text" },
      kind: { type: "string", enum: ["created", "updated", "removed"], description: "What happened" },
      at: { type: "integer", minimum: 0, description: "When it happened, Unix seconds in UTC" },
      record,
    },
    required: ["seq", "resource", "id", "kind", "at"],
  };
  return {
    Changes: {
      type: "object",
      description: "Lines of the change log.",
      properties: {
        database,
        changes: { type: "array", maxItems: mostInAnswer, items: line },
        next: { type: "integer", minimum: 0, description: "Position from which to go on" },
        last,
      },
      required: ["database", "changes", "next", "last"],
    },
    Snapshot: {
      type: "object",
      description: "Records of a resource, with the position from which to follow.",
      properties: {
        database,
        last,
        records: { type: "array", maxItems: mostInAnswer, items: record },
        next: { type: "string", description: "Identifier from which to go on; absent at the end" },
      },
      required: ["database", "last", "records"],
    },
  };
}
