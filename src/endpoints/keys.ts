// Administration of keys: listing, creating, changing, rotating, and revoking them.

import { defaultTerms } from "../core/access/terms.ts";
import { endpointGroup, object, text } from "../core/catalog/endpoint.ts";
import type { Schema } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { Json } from "../core/record/row.ts";
import { availableTerms, termDefinitions } from "../keys/terms.ts";

const path = "/admin/v1/keys";
const ofKey = {
  segments: {
    name: { description: "Name of the key, percent-encoded.", schema: { type: "string", examples: ["acme"] } },
  },
  example: { segments: { name: "acme" } },
} as const;

const { name, ...rest }: Record<string, Json> & { name: string } = {
  ...{ name: "acme", state: "valid", owner: "Acme Ltd", scopes: ["read"], licenses: [], resources: ["news"] },
  ...{ history: "365d", delay_minutes: 0, rate: 5, burst: 0, quota: 100_000, quota_per: "day", expires: "" },
  ...{ origins: [], networks: [], compat: false, created: "2026-01-15T12:00:00Z", revoked: "", last_used: "" },
};
const key: Json = { name, ...rest };
const created: Json = { name, key: "bw_…", ...rest };

export const keysTag = {
  name: "Keys",
  description:
    "Creating, changing, rotating, and revoking keys. Extensions of the interface, for keys with the scope `admin`, in the `Authorization` header only.",
};

export const keyEndpoints = (catalog: readonly Resource[]) =>
  endpointGroup({
    tag: keysTag,
    page: {
      title: "Keys",
      intro:
        "Keys are created, changed, rotated, and revoked with `bellwire keys`, and over HTTP as described here, which is an extension of the interface. The page [Keys](../operations/keys.md) explains the terms, and how to handle keys.",
      key: "operator",
      bullets: [
        "**Bodies** are one JSON object of at most 65,536 bytes. An unknown member is an error, and all errors are reported at once. `NAME` is percent-encoded.",
        "**Responses** are JSON and must not be cached (`Cache-Control: no-store`). A key is shown once, in the response to the request that created it.",
      ],
      sections: {
        Terms: [
          { head: ["Name", "Default", "Allowed", "Meaning"], rows: termRows(catalog) },
          [
            "- `replicate` among the scopes excludes `history` and `delay_minutes`: the change feed shows every record immediately.",
            "- `burst` needs a `rate`.",
            "- A new `expires` is today or later.",
          ].join("\n"),
        ],
      },
    },
    endpoints: {
      makeKey: {
        method: "POST",
        path,
        scope: "admin",
        summary: "Create a key",
        description: [
          "Creates a key with the terms in the body; the others have their defaults, with which a key reads everything.",
        ],
        body: {
          kind: "object",
          schema: "NewKey",
          example: { name, owner: "Acme Ltd", resources: ["news"], rate: 5, quota: 100_000 },
          required: true,
        },
        responses: { 201: { description: "The key, which is shown only now", schema: "MadeKey", example: created } },
        problems: ["request.members", "key.conflict"],
      },
      listKeys: {
        method: "GET",
        path,
        scope: "admin",
        summary: "All keys",
        description: ["Every key in order of creation, including revoked ones; never the key itself."],
        responses: { 200: { description: "The keys", schema: "Keys", example: { keys: [key] } } },
      },
      showKey: {
        method: "GET",
        path: `${path}/{name}`,
        scope: "admin",
        ...ofKey,
        summary: "One key",
        description: ["The key of that name; of several, the one created last."],
        responses: { 200: { description: "The key", schema: "Key", example: key } },
        problems: ["key.absent"],
        notes: [
          "A `retiring` key has been rotated, and is valid until `revoked`. It has the same name as its successor.",
        ],
      },
      changeKey: {
        method: "PATCH",
        path: `${path}/{name}`,
        scope: "admin",
        ...ofKey,
        summary: "Change the terms of a key",
        description: [
          "Changes the terms in the body and leaves the others. Retiring keys with the name change, too. All processes apply the change within a second.",
        ],
        body: { kind: "object", schema: "Terms", example: { delay_minutes: 15 }, required: true },
        responses: { 200: { description: "The key as it is now", schema: "Key", example: key } },
        problems: ["request.members", "key.absent"],
      },
      replaceKey: {
        method: "POST",
        path: `${path}/{name}/rotate`,
        scope: "admin",
        ...ofKey,
        summary: "Rotate a key",
        description: [
          "Creates a key with the same name and terms. The old one stays valid for `grace_hours`; with 0, it becomes invalid at once. An expired key can't be rotated.",
        ],
        body: { kind: "object", schema: "Grace", example: { grace_hours: 24 }, required: false },
        responses: {
          201: { description: "The new key, which is shown only now", schema: "MadeKey", example: created },
        },
        problems: ["request.members", "key.absent", "key.conflict"],
      },
      revokeKey: {
        method: "DELETE",
        path: `${path}/{name}`,
        scope: "admin",
        ...ofKey,
        summary: "Revoke a key",
        description: ["Revokes the key of that name and its predecessors, immediately and permanently."],
        responses: { 200: { description: "The key as it is now", schema: "Key", example: key } },
        problems: ["key.absent"],
      },
    },
    schemas: schemas(catalog),
  });

function termRows(catalog: readonly Resource[]): string[][] {
  return Object.entries(termDefinitions(availableTerms(catalog))).map(([term, { key: own, expected, doc, schema }]) => {
    const list = schema.type === "array" ? "a list of: " : "";
    return [`\`${term}\``, `\`${JSON.stringify(defaultTerms[own])}\``, `${list}${expected}`, doc];
  });
}

function schemas(catalog: readonly Resource[]): Record<string, Schema> {
  const offered = Object.entries(termDefinitions(availableTerms(catalog)));
  const terms = Object.fromEntries(offered.map(([each, { doc, schema }]) => [each, { ...schema, description: doc }]));
  const named = text("Name of the key in lists, logs, and usage");
  const about: Record<string, Schema> = {
    name: named,
    state: {
      type: "string",
      enum: ["valid", "expired", "revoked", "retiring"],
      description: "Retiring: rotated, and valid until `revoked`",
    },
    ...terms,
    created: text("When it was created, ISO 8601"),
    revoked: text("When it becomes or became invalid, ISO 8601; in the future while it is retiring; otherwise empty"),
    last_used: text("When a key of that name was last used, ISO 8601; empty if never"),
  };
  const closed = { additionalProperties: false };
  return {
    Terms: { type: "object", description: "The terms of a key.", properties: terms, ...closed },
    NewKey: {
      type: "object",
      description: "Name and terms of a new key.",
      properties: { name: named, ...terms },
      required: ["name"],
      ...closed,
    },
    Key: object(about, "A key without the key itself."),
    Keys: object({ keys: { type: "array", items: { $ref: "#/components/schemas/Key" } } }),
    MadeKey: object({ ...about, key: text("The key itself") }, "A key that was just created."),
    Grace: {
      type: "object",
      properties: {
        grace_hours: {
          ...{ type: "integer", minimum: 0, maximum: 8760, default: 24 },
          description: "How long the old key stays valid",
        },
      },
      ...closed,
    },
  };
}
