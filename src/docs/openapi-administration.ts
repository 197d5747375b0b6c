// Writing over HTTP as part of the OpenAPI document: its operations, and the report that they answer with.
import type { Schema } from "../core/catalog/field.ts";
import { fieldOf, type Resource } from "../core/catalog/resource.ts";
import { type Code, codesOf } from "../core/problem.ts";
import type { Json } from "../core/record/row.ts";
import { bodyTypes, mostListed, recordsPath, writeInputs } from "../core/writing.ts";
import { inputExample, prose } from "./example.ts";
import { problemRefs, refs } from "./openapi-problems.ts";
import { leastRecord } from "./reference-rows.ts";

export const administration = {
  name: "Administration",
  description:
    "Adding, replacing and removing records. Extensions of the interface, for keys with the scope `write`, in the `Authorization` header only.",
};

const json = "application/json";
const security = [{ bearer: [] }, { authorization: [] }];

/** Codes that only a body can be the reason of. */
const ofBodies: readonly Code[] = [
  "request.body",
  "request.size",
  "request.type",
  "request.timeout",
  "records.refused",
];

export function administrationPaths(catalog: readonly Resource[]): Record<string, Json> {
  const path = recordsPath({ name: "{resource}" });
  const codes = codesOf("write");
  const resource: Schema = {
    name: "resource",
    in: "path",
    required: true,
    description: "What the records are.",
    schema: { type: "string", enum: catalog.map(({ name }) => name) },
  };
  const id: Schema = {
    name: "id",
    in: "path",
    required: true,
    description: "Identifier of the record, percent-encoded.",
    schema: { type: "string" },
    examples: idExamples(catalog),
  };
  return {
    [path]: { post: post(catalog, resource, codes) },
    [`${path}/{id}`]: {
      delete: {
        operationId: "removeRecord",
        summary: "Remove a record",
        description: "Removes one record. A record that is not there is none to remove, and no mistake.",
        tags: [administration.name],
        security,
        parameters: [resource, id],
        responses: {
          "200": answer("How many records were removed: 1 or 0", "Removed", { removed: 1 }),
          ...problemRefs(
            codes.filter((code) => !ofBodies.includes(code)),
            false,
          ),
        },
      },
    },
  };
}

function post(catalog: readonly Resource[], resource: Schema, codes: readonly Code[]): Json {
  const { atomic } = writeInputs;
  return {
    operationId: "writeRecords",
    summary: "Add or replace records",
    description: [
      "Takes records in import form, of any number, and keeps each that is good: a new id adds a record, a known one replaces it as a whole, and an identical record changes nothing. So a body can be sent again at any time.",
      "Every record that the answer counts as kept was committed before it was sent.",
      `Answers 200 when every record was kept, 207 when some were and some were refused, and 4xx when none was; the report lists the first ${mostListed} refused records with every reason.`,
    ].join("\n\n"),
    tags: [administration.name],
    security,
    parameters: [
      resource,
      {
        name: atomic.names[0],
        in: "query",
        description: prose(atomic.doc),
        schema: atomic.schema,
        examples: { example: { value: inputExample(atomic), "x-disabled": true } },
      },
      {
        name: "Content-Encoding",
        in: "header",
        description: "How the body is packed; plain when it is not given.",
        schema: { type: "string", enum: ["gzip"] },
      },
    ],
    requestBody: {
      required: true,
      description: "An array of records, or one record on each line. The pages of the resources say what they hold.",
      content: Object.fromEntries(Object.entries(bodyTypes).map(([type, format]) => [type, body(catalog, format)])),
    },
    responses: {
      "200": answer("Every record was kept", "Report", reportExample),
      "207": answer("Some records were kept, and some were refused", "Report", refusedExample),
      ...problemRefs(codes, false),
    },
  };
}

function body(catalog: readonly Resource[], format: string): Schema {
  const records = (resource: Resource): Json => [leastRecord(resource).record];
  if (format === "json") {
    const examples = catalog.map((resource) => [resource.name, { summary: resource.title, value: records(resource) }]);
    return { schema: { type: "array", items: { type: "object" } }, examples: Object.fromEntries(examples) };
  }
  const lines = catalog.map((resource) => [
    resource.name,
    { summary: resource.title, value: `${JSON.stringify(leastRecord(resource).record)}\n` },
  ]);
  return { schema: { type: "string" }, examples: Object.fromEntries(lines) };
}

/** One id of each form that there is. */
function idExamples(catalog: readonly Resource[]): Schema {
  const forms = new Map(catalog.map((resource) => [fieldOf(resource, "id").column, resource]));
  return Object.fromEntries(
    [...forms].map(([form, resource]) => [form, { value: String(fieldOf(resource, "id").example) }]),
  );
}

const answer = (description: string, schema: string, example: Json): Schema => ({
  description,
  headers: refs("X-Request-Id", "X-Ignored-Parameters"),
  content: { [json]: { schema: { $ref: `#/components/schemas/${schema}` }, example } },
});

export const reportExample: Json = { read: 1, created: 1, updated: 0, unchanged: 0, refused: 0, refusals: [] };

export const refusedExample: Json = {
  ...{ read: 3, created: 1, updated: 0, unchanged: 1, refused: 1 },
  refusals: [{ index: 2, line: 3, id: "65f1c2d4", reasons: ['date: expected a day as YYYY-MM-DD, got "2024-02-30"'] }],
};

const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });
const counts = {
  read: count("Records that were read, good or not"),
  created: count("Records that are new"),
  updated: count("Records that replaced the one of the same id"),
  unchanged: count("Records that are identical to the one that is there"),
  refused: count("Records that were refused, listed or not"),
};

const refusal: Schema = {
  type: "object",
  properties: {
    index: { type: "integer", minimum: 0, description: "Place among the records of the body, from 0" },
    line: { type: "integer", minimum: 1, description: "Line of the body on which it begins, from 1" },
    id: { type: ["string", "integer"], description: "What the record calls itself; absent where that can't be read" },
    reasons: { type: "array", items: { type: "string" }, description: "Everything that is wrong with it" },
  },
  required: ["index", "line", "reasons"],
};

export const administrationSchemas: Record<string, Schema> = {
  Report: {
    type: "object",
    description: "What became of the records of a body.",
    properties: {
      ...counts,
      refusals: { type: "array", maxItems: mostListed, items: refusal, description: "The first that were refused" },
    },
    required: [...Object.keys(counts), "refusals"],
  },
  Removed: { type: "object", properties: { removed: count("Records that were removed") }, required: ["removed"] },
};
