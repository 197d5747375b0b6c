// OpenAPI operations of streams, one for each list.
import type { Schema } from "../../core/catalog/field.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { codesFor } from "../../core/problem.ts";
import { combinedParameters, combinedPath } from "../../core/query/combined-stream.ts";
import { streamOf, streamParameters } from "../../core/query/stream.ts";
import { pascal, recordExample } from "../example.ts";
import { parameter } from "./parameter.ts";
import { limitHeaders, problemRefs, refs } from "./problems.ts";

export const streams = {
  name: "Streams",
  description: "Changes of records as server-sent events, at the path of a list with `/stream` appended.",
};

export const lastEventId: Schema = {
  name: "Last-Event-ID",
  in: "header",
  description: "Position to continue after, as browsers send it when they reconnect; takes precedence over `since`",
  schema: { type: "string" },
};

export const streamPaths = (catalog: readonly Resource[]): Record<string, Schema> => ({
  ...Object.fromEntries(catalog.map((resource) => [streamOf(resource).path, { get: operation(resource) }])),
  [combinedPath]: { get: combinedOperation(catalog) },
});

function operation(resource: Resource): Schema {
  const { name, title, path } = resource;
  return {
    operationId: `stream${pascal(name)}`,
    summary: `${title}, as they change`,
    description: `Sends an event for every record that is created, updated, or removed, as \`GET ${path}\` with the same parameters would show it. A record that a change moves into the filter is \`created\`, one that it moves out is \`removed\`; a removed record has only its identifier. A client that sends the \`id\` of its last event misses nothing and gets nothing twice.`,
    tags: [streams.name],
    parameters: [...streamParameters(resource).map(parameter), { $ref: "#/components/parameters/LastEventId" }],
    responses: responsesOf(resource),
  };
}

function combinedOperation(catalog: readonly Resource[]): Schema {
  return {
    operationId: "streamAll",
    summary: "Several resources, as they change",
    description:
      "Sends the events of the streams of several resources over one connection, without filters, in the default form of their records. Events of one resource are in the order of the change log. It counts as one request and one open stream.",
    tags: [streams.name],
    parameters: [
      ...Object.values(combinedParameters(catalog)).map(parameter),
      { $ref: "#/components/parameters/LastEventId" },
    ],
    responses: responsesOf(catalog[0] as Resource),
  };
}

function responsesOf(resource: Resource): Schema {
  const { id } = recordExample(resource);
  const event = { action: "created", id, resource: resource.name, at: 1_730_817_000, record: recordExample(resource) };
  return {
    "200": {
      description: "Events, until either side closes the connection; a comment every 15 seconds",
      headers: refs("X-Request-Id", "X-Ignored-Parameters", ...limitHeaders),
      content: {
        "text/event-stream": {
          schema: { type: "string" },
          example: `event: created\nid: 0a1b2c3d4e5f.42\ndata: ${JSON.stringify(event)}\n\n`,
        },
      },
    },
    ...problemRefs(codesFor("stream"), false),
  };
}
