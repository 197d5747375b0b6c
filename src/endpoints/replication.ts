// The change feed and its snapshot, for followers that maintain a copy of all records.

import { count, endpointGroup, text } from "../core/catalog/endpoint.ts";
import type { Schema } from "../core/catalog/field.ts";
import { minimalRecord, type Resource } from "../core/catalog/resource.ts";
import { feedParameters, feedPath, maxFeedLimit, snapshotParameters, snapshotPath } from "../core/feed.ts";

const database = text("Identifies the database; if it changes, start over with a snapshot");
const last = count("Newest position of the change log");
const record: Schema = { type: "object", description: "The current record, in import form" };
const snapshot = snapshotPath({ name: "{resource}" });

export const replicationEndpoints = (catalog: readonly Resource[]) => {
  const [first] = catalog;
  const { name = "", fields = {} } = first ?? {};
  const example = minimalRecord({ fields });
  const id = String(example.id);
  const at = 1_730_817_000;
  const changes = [
    { seq: 12, resource: name, id, kind: "created", at, record: example },
    { seq: 13, resource: name, id: "41234000", kind: "removed", at },
  ];
  return endpointGroup({
    tag: {
      name: "Replication",
      description:
        "Every change of every record, for clients that maintain a copy. Extensions of the interface, for keys with the scope `replicate`, in the `Authorization` header only.",
    },
    page: {
      title: "Replication",
      intro:
        "All records, including the attributes that lists never show, and every later change. This is an extension of the interface.",
      key: "follower",
      bullets: [
        "**Responses** are JSON, must not be cached (`Cache-Control: no-store`), and are compressed for clients that accept it.",
        "**Records** are in import form: they can be imported elsewhere without changes.",
      ],
      after: {
        "A copy that stays accurate": [
          [
            `- Request \`${snapshotPath({ name: "RESOURCE" })}\` for every resource. Store \`last\` and \`database\` of the very first response.`,
            `- Request \`${feedPath}?after=LAST\`. For each entry, in order: write \`record\` under its ID, or remove the ID when there is no \`record\`. Store \`next\` in the same transaction.`,
            "- When `next` equals `last`, wait briefly and repeat.",
            "- On 410, or when `database` has changed, start over, and at the end remove records that the snapshot did not contain.",
          ].join("\n"),
        ],
      },
    },
    endpoints: {
      followChanges: {
        method: "GET",
        path: feedPath,
        scope: "replicate",
        summary: "Change feed",
        description: [
          "The change log in order: one entry for each record that was created, updated, or removed, with the current record in `record`, in import form and with the attributes that lists never show. `record` is absent when the record no longer exists, whatever `kind` says.",
          "A follower repeats the request with `after` set to `next`. It is up to date when `next` equals `last`. With `resource`, entries of other resources are left out, but `next` moves past them. A response may have fewer entries than `limit` if their records are large.",
          "Entries are retained for as long as the setting `change-days` says. An older position gets a 410, `changes.gone`, and the follower must start over with a snapshot, as it must when `database` has changed.",
        ],
        parameters: feedParameters(catalog),
        responses: {
          200: {
            description: "Change feed",
            schema: "Changes",
            example: { database: "4f1d2c3b5a69", changes, next: 13, last: 999 },
          },
        },
        problems: ["changes.gone"],
        compressed: true,
        example: { query: "after=11&limit=2" },
      },
      readSnapshot: {
        method: "GET",
        path: snapshot,
        scope: "replicate",
        perResource: true,
        summary: "Snapshot",
        description: [
          "The records of a resource in import form, ordered by ID, for a follower that is new or has been offline for too long.",
          "It stores `last` of the very first response, continues with `after` set to `next` until there is no `next`, repeats this for each resource, and then follows the change feed from the position that it stored. Changes made meanwhile may arrive twice; nothing is missed.",
        ],
        parameters: snapshotParameters,
        responses: {
          200: {
            description: "Snapshot",
            schema: "Snapshot",
            example: { database: "4f1d2c3b5a69", last: 999, records: [example], next: id },
          },
        },
        problems: ["changes.gone"],
        compressed: true,
        example: { segments: { resource: name }, query: "limit=1" },
        notes: [`IDs are numbers for \`${name}\` and text elsewhere; \`next\` is always text.`],
      },
    },
    schemas: schemas(catalog),
  });
};

function schemas(catalog: readonly Resource[]): Record<string, Schema> {
  const entry: Schema = {
    type: "object",
    properties: {
      seq: { type: "integer", minimum: 1, description: "Position of the entry; increases, with gaps" },
      resource: { type: "string", enum: catalog.map(({ name }) => name), description: "The record's resource" },
      id: text("ID of the record, as text"),
      kind: { type: "string", enum: ["created", "updated", "removed"], description: "What happened" },
      at: count("When it happened, Unix seconds in UTC"),
      record,
    },
    required: ["seq", "resource", "id", "kind", "at"],
  };
  return {
    Changes: {
      type: "object",
      description: "Entries of the change log.",
      properties: {
        database,
        changes: { type: "array", maxItems: maxFeedLimit, items: entry },
        next: count("Position from which to continue"),
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
        records: { type: "array", maxItems: maxFeedLimit, items: record },
        next: text("ID from which to continue; absent at the end"),
      },
      required: ["database", "last", "records"],
    },
  };
}
