// Writing over HTTP: adding, replacing, and removing records.

import { defaultScopes, scopes } from "../core/access/scope.ts";
import { count, endpointGroup, exampleHost, object } from "../core/catalog/endpoint.ts";
import type { Schema } from "../core/catalog/field.ts";
import { fieldOf, minimalRecord, type Resource } from "../core/catalog/resource.ts";
import type { Json } from "../core/record/row.ts";
import { bodyTypes, maxListedRejections, recordsPath, writeParameters } from "../core/writing.ts";

const path = recordsPath({ name: "{resource}" });
const lines = { json: "an array of records", ndjson: "one record per line" };

const report: Json = { read: 1, created: 1, updated: 0, unchanged: 0, refused: 0, refusals: [] };
const partial: Json = {
  ...{ read: 3, created: 1, updated: 0, unchanged: 1, refused: 1 },
  refusals: [{ index: 2, line: 3, id: "65f1c2d4", reasons: ['date: expected a day as YYYY-MM-DD, got "2024-02-30"'] }],
};

export const recordEndpoints = (catalog: readonly Resource[]) => {
  const [first, second = first] = catalog;
  const { name = "", fields = {} } = second ?? {};
  const least = minimalRecord({ fields });
  return endpointGroup({
    tag: {
      name: "Administration",
      description:
        "Adding, replacing, and removing records. Extensions of the interface, for keys with the scope `write`, in the `Authorization` header only.",
    },
    page: {
      title: "Administration",
      intro: "Records can be written and removed over HTTP. This is an extension of the interface.",
      key: "writer",
      bullets: [
        `**Scopes.** A key has one or more scopes, set with \`--scope\` when it is created; the default is ${defaultScopes.map((each) => `\`${each}\``).join(", ")}. No scope includes another: a key with only \`write\` can't read lists.`,
      ],
      sections: {
        Scopes: [{ head: ["Scope", "For"], rows: Object.entries(scopes).map(([each, use]) => [`\`${each}\``, use]) }],
      },
    },
    endpoints: {
      writeRecords: {
        method: "POST",
        path,
        scope: "write",
        perResource: true,
        summary: "Add or replace records",
        description: [
          "Accepts any number of records in import form and stores each valid one: a new ID adds a record, a known ID replaces the whole record, and an identical record changes nothing, so it is always safe to send a body again.",
          "Every record that the response counts as stored has been committed.",
          `Returns 200 when every record was stored, 207 when some were stored and some rejected, and 4xx when none were; the report lists the first ${maxListedRejections.toLocaleString("en")} rejected records with every reason.`,
        ],
        parameters: writeParameters,
        headers: {
          "Content-Encoding": {
            description: "Compression of the body; none if absent.",
            schema: { type: "string", enum: ["gzip"] },
          },
        },
        body: {
          kind: "records",
          description: "An array of records, or one record per line. The pages of the resources describe the records.",
          content: Object.fromEntries(
            Object.entries(bodyTypes).map(([type, format]) => [type, bodyContent(catalog, format)]),
          ),
        },
        responses: {
          200: { description: "Every record was stored", schema: "Report", example: report },
          207: { description: "Some records were stored, and some rejected", schema: "Report", example: partial },
        },
        problems: ["records.refused", "request.size", "request.type", "request.body"],
        example: { segments: { resource: name }, body: [least] },
        notes: [
          "Many records, one per line, compressed and streamed:",
          {
            sh: [
              `printf '%s\\n' '${JSON.stringify(least)}' | gzip |`,
              `  curl -sS -X POST -T - "${exampleHost}${recordsPath({ name })}" \\`,
              '    -H "Authorization: Bearer $BELLWIRE_TOKEN" \\',
              '    -H "Content-Type: application/x-ndjson" -H "Content-Encoding: gzip"',
            ].join("\n"),
          },
          [
            `- **Body.** ${Object.entries(bodyTypes)
              .map(([type, format]) => `\`${type}\` (${lines[format]})`)
              .join(", ")}, optionally with \`Content-Encoding: gzip\`. Text is UTF-8.`,
            "- **Records** are in import form; the page of each resource describes them, under Import.",
            "- **Durability.** Stored means committed before the response is sent: on SQLite it is on disk, on PostgreSQL it is as durable as its `synchronous_commit` setting makes it.",
            "- **Size.** A body is read as a stream and may be long: at most `BELLWIRE_WRITE_MEGABYTES` once decompressed, a record at most 16 MiB. It may be slow, but not silent for a minute.",
            "- **Atomic.** With `atomic=true` the records are held in memory until the last one has been read, so the body is limited to `BELLWIRE_ATOMIC_MEGABYTES`.",
            "- **Rejected records.** Fewer are listed when their reasons are long; `refused` counts all. With 422 and 413, the report is the member `report` of the problem.",
            "- **Incomplete bodies** (an unclosed array, corrupt gzip data, a dropped connection) count as one more rejected record, with the reason. Records before it are stored, unless the request is atomic.",
          ].join("\n"),
        ],
      },
      removeRecord: {
        method: "DELETE",
        path: `${path}/{id}`,
        scope: "write",
        perResource: true,
        summary: "Remove a record",
        description: [
          "Removes one record. Removing a record that does not exist is not an error: `removed` is then 0.",
        ],
        segments: {
          id: {
            description: "ID of the record, percent-encoded.",
            schema: { type: "string" },
            examples: idExamples(catalog),
          },
        },
        responses: {
          200: {
            description: "How many records were removed: 1 or 0",
            schema: "Removed",
            example: { removed: 1 },
          },
        },
        example: { segments: { resource: name, id: String(least.id) } },
      },
    },
    schemas,
  });
};

function bodyContent(catalog: readonly Resource[], format: "json" | "ndjson"): Schema {
  const value = (record: Json): Json => (format === "json" ? [record] : `${JSON.stringify(record)}\n`);
  const examples = catalog.map((resource) => [
    resource.name,
    { summary: resource.title, value: value(minimalRecord(resource)) },
  ]);
  const schema: Schema = format === "json" ? { type: "array", items: { type: "object" } } : { type: "string" };
  return { schema, examples: Object.fromEntries(examples) };
}

/** One ID of each type. */
const idExamples = (catalog: readonly Resource[]): Schema =>
  Object.fromEntries(
    catalog
      .map((resource) => fieldOf(resource, "id"))
      .map(({ column = "", example = "" }) => [column, { value: String(example) }]),
  );

const counts = {
  read: count("Records read, valid or not"),
  created: count("New records"),
  updated: count("Records that replaced one with the same ID"),
  unchanged: count("Records identical to the stored one"),
  refused: count("Records rejected, listed or not"),
};

const refusal: Schema = {
  type: "object",
  properties: {
    index: { type: "integer", minimum: 0, description: "Position among the records of the body, from 0" },
    line: { type: "integer", minimum: 1, description: "Line of the body on which it starts, from 1" },
    id: { type: ["string", "integer"], description: "The record's ID; absent if it can't be read" },
    reasons: { type: "array", items: { type: "string" }, description: "Everything that is wrong with it" },
  },
  required: ["index", "line", "reasons"],
};

const schemas: Record<string, Schema> = {
  Report: object(
    {
      ...counts,
      refusals: {
        type: "array",
        maxItems: maxListedRejections,
        items: refusal,
        description: "The first rejected records",
      },
    },
    "The outcome for the records of a body.",
  ),
  Removed: object({ removed: count("Number of records removed") }),
};
