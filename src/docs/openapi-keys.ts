// Administration of keys as part of the OpenAPI document: its operations, and what they take and answer.
import { keyPath, keysPath, rotatePath } from "../core/administering.ts";
import type { Schema } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { type Code, codesOf } from "../core/problem.ts";
import type { Json } from "../core/record/row.ts";
import { offerOf, termsOf } from "../keys/terms.ts";
import { problemRefs, refs } from "./openapi-problems.ts";

export const keys = {
  name: "Keys",
  description:
    "Making, changing, replacing and revoking keys. Extensions of the interface, for keys with the scope `admin`, in the `Authorization` header only.",
};

const json = "application/json";
const security = [{ bearer: [] }, { authorization: [] }];

/** Codes that a body alone can be the reason of, and those of one key alone. */
const ofBodies: readonly Code[] = ["request.members", "request.timeout"];
const ofTaken: readonly Code[] = ["key.conflict"];

const name: Schema = {
  name: "name",
  in: "path",
  required: true,
  description: "Name of the key, percent-encoded.",
  schema: { type: "string", examples: ["acme"] },
};

/** A key as it is told of. */
export const keyExample: Record<string, Json> = {
  ...{ name: "acme", state: "valid", owner: "Acme Ltd", scopes: ["read"], licenses: [], resources: ["news"] },
  ...{ history: "365d", delay_minutes: 0, rate: 5, burst: 0, quota: 100_000, quota_per: "day", expires: "" },
  ...{ origins: [], networks: [], created: "2026-01-15T12:00:00Z", revoked: "", last_used: "" },
};

const { name: exampleName = "", ...exampleRest } = keyExample;
const madeExample: Json = { name: exampleName, key: "bw_…", ...exampleRest };
const examples: Readonly<Record<string, Json>> = {
  Key: keyExample,
  Keys: { keys: [keyExample] },
  MadeKey: madeExample,
};

type Words = {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly answers: readonly [status: string, description: string, schema: string];
  readonly body?: Schema;
  readonly without?: readonly Code[];
};

function operation({ id, summary, description, answers, body, without = [] }: Words, parameters: Schema[]): Json {
  const [status, told, schema] = answers;
  return {
    operationId: id,
    summary,
    description,
    tags: [keys.name],
    security,
    parameters,
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      [status]: {
        description: told,
        headers: refs("X-Request-Id", "X-Ignored-Parameters"),
        content: { [json]: { schema: { $ref: `#/components/schemas/${schema}` }, example: examples[schema] as Json } },
      },
      ...problemRefs(
        codesOf("admin").filter((code) => !without.includes(code)),
        false,
      ),
    },
  };
}

const bodyOf = (schema: string, example: Json, required = true): Schema => ({
  required,
  content: { [json]: { schema: { $ref: `#/components/schemas/${schema}` }, example } },
});

export const keyPaths: Record<string, Json> = {
  [keysPath]: {
    get: operation(
      {
        id: "listKeys",
        summary: "All keys",
        description: "Every key in the order in which they were made, revoked ones too; never a key itself.",
        answers: ["200", "The keys", "Keys"],
        without: [...ofBodies, ...ofTaken],
      },
      [],
    ),
    post: operation(
      {
        id: "makeKey",
        summary: "Make a key",
        description: "Makes a key with the terms that are given; for the others the least is assumed: it reads all.",
        answers: ["201", "The key, which is shown only now", "MadeKey"],
        body: bodyOf("NewKey", { name: "acme", owner: "Acme Ltd", resources: ["news"], rate: 5, quota: 100_000 }),
      },
      [],
    ),
  },
  [keyPath("{name}")]: {
    get: operation(
      {
        id: "showKey",
        summary: "One key",
        description: "The key of that name; of several the last that was made.",
        answers: ["200", "The key", "Key"],
        without: [...ofBodies, ...ofTaken],
      },
      [name],
    ),
    patch: operation(
      {
        id: "changeKey",
        summary: "Change the terms of a key",
        description: "Changes the terms that are given and leaves the others. They hold within a second everywhere.",
        answers: ["200", "The key as it is now", "Key"],
        body: bodyOf("Terms", { delay_minutes: 15 }),
        without: ofTaken,
      },
      [name],
    ),
    delete: operation(
      {
        id: "revokeKey",
        summary: "Revoke a key",
        description: "Ends the key of that name for good, and those that it has replaced.",
        answers: ["200", "The key as it is now", "Key"],
        without: [...ofBodies, ...ofTaken],
      },
      [name],
    ),
  },
  [rotatePath("{name}")]: {
    post: operation(
      {
        id: "replaceKey",
        summary: "Replace a key",
        description: "Makes a key with the same name and terms. The old one stays good for a while.",
        answers: ["201", "The new key, which is shown only now", "MadeKey"],
        body: bodyOf("Grace", { grace_hours: 24 }, false),
      },
      [name],
    ),
  },
};

const text = (description: string): Schema => ({ type: "string", description });

export function keySchemas(catalog: readonly Resource[]): Record<string, Schema> {
  const offered = Object.entries(termsOf(offerOf(catalog)));
  const terms = Object.fromEntries(offered.map(([each, { doc, schema }]) => [each, { ...schema, description: doc }]));
  const named = text("What the key is called in lists, logs and counts");
  const about: Record<string, Schema> = {
    name: named,
    state: {
      type: "string",
      enum: ["valid", "expired", "revoked", "retiring"],
      description: "Retiring: replaced by another, and good for a while",
    },
    ...terms,
    created: text("When it was made, ISO 8601"),
    revoked: text("From when on it is no longer good, ISO 8601; to come while it is retiring; else empty"),
    last_used: text("When a key of that name was used last, ISO 8601; empty when it never was"),
  };
  const made: Record<string, Schema> = { ...about, key: text("The key itself") };
  return {
    Terms: { type: "object", description: "What is sold with a key.", properties: terms, additionalProperties: false },
    NewKey: {
      type: "object",
      description: "The name and terms of a key that is to be made.",
      properties: { name: named, ...terms },
      required: ["name"],
      additionalProperties: false,
    },
    Key: { type: "object", description: "A key, as it is told of.", properties: about, required: Object.keys(about) },
    Keys: {
      type: "object",
      properties: { keys: { type: "array", items: { $ref: "#/components/schemas/Key" } } },
      required: ["keys"],
    },
    MadeKey: {
      type: "object",
      description: "A key that was just made.",
      properties: made,
      required: Object.keys(made),
    },
    Grace: {
      type: "object",
      properties: {
        grace_hours: {
          ...{ type: "integer", minimum: 0, maximum: 8760, default: 24 },
          description: "How long the old key stays good",
        },
      },
      additionalProperties: false,
    },
  };
}
