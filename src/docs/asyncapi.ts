// The AsyncAPI 3 document: streams and webhooks of every resource, as channels, messages, and operations.
import type { Schema } from "../core/catalog/field.ts";
import type { Parameter } from "../core/catalog/parameter.ts";
import { fieldOf, type Resource } from "../core/catalog/resource.ts";
import { combinedParameters, combinedPath } from "../core/query/combined-stream.ts";
import { actions, messagesOf, streamOf, streamParameters } from "../core/query/stream.ts";
import { pascal, prose } from "./example.ts";
import { recordSchemas } from "./openapi/openapi.ts";

/** Of one channel: its messages by name, and who sends them. */
type Channel = {
  readonly name: string;
  readonly channel: Schema;
  /** Names of messages in the components. */
  readonly sent: readonly string[];
  readonly received?: readonly string[];
  readonly summary: string;
  readonly bindings?: Schema;
};

const ref = (section: string, name: string): Schema => ({ $ref: `#/components/${section}/${name}` });
const text = (description: string): Schema => ({ type: "string", description });

const position = text("Position in the change log, opaque; a client continues after it");

const about = `Changes of records, as they are committed: as server-sent events, over WebSocket, and to webhooks. A client that reconnects with its last position misses nothing and gets nothing twice; a webhook gets every event at least once.

The lists are in the OpenAPI document at \`/openapi.json\`.`;

export function asyncapi(catalog: readonly Resource[], info: { version: string }): object {
  const channels = [
    ...catalog.flatMap((resource) => [events(resource), messages(resource)]),
    combined(catalog),
    ...catalog.map(webhook),
  ];
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Bellwire",
      version: info.version,
      description: about,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    defaultContentType: "application/json",
    servers: { events: server("http", "Server-sent events"), messages: server("ws", "WebSocket") },
    channels: Object.fromEntries(
      channels.map(({ name, channel, sent, received = [] }) => [
        name,
        {
          ...channel,
          messages: Object.fromEntries([...sent, ...received].map((each) => [each, ref("messages", each)])),
        },
      ]),
    ),
    operations: Object.fromEntries(channels.flatMap(operations)),
    components: {
      messages: { ...Object.assign({}, ...catalog.map(resourceMessages)), ...commandMessages },
      schemas: Object.assign({}, ...catalog.map(recordSchema)),
      securitySchemes: {
        token: { type: "httpApiKey", in: "query", name: "token", description: "API key in the query" },
        bearer: { type: "http", scheme: "bearer", description: "API key as a bearer token" },
      },
    },
  };
}

const server = (protocol: string, title: string): Schema => ({
  host: "{host}",
  protocol,
  description: `${title}. With TLS, the protocols are \`https\` and \`wss\`.`,
  variables: { host: { default: "127.0.0.1:8080", description: "Host and port" } },
  security: [ref("securitySchemes", "token"), ref("securitySchemes", "bearer")],
});

/** The server sends or receives; without either, the client has nothing to say. */
function operations({ name, sent, received = [], summary, bindings }: Channel): [string, Schema][] {
  const operation = (action: "send" | "receive", names: readonly string[], more: Schema): [string, Schema] => [
    `${action}${pascal(name)}`,
    {
      action,
      channel: { $ref: `#/channels/${name}` },
      messages: names.map((each) => ({ $ref: `#/channels/${name}/messages/${each}` })),
      ...more,
    },
  ];
  return [
    operation("send", sent, { summary, ...(bindings === undefined ? {} : { bindings }) }),
    ...(received.length === 0 ? [] : [operation("receive", received, { summary: "Commands of the client" })]),
  ];
}

/** Query parameters as the properties of an object. */
const queryOf = (parameters: readonly Parameter<unknown>[]): Schema => ({
  type: "object",
  properties: Object.fromEntries(
    parameters.flatMap(({ names, doc, schema }) =>
      names.map((name) => [name, { ...schema, description: prose(doc) }] as const),
    ),
  ),
});

const httpBinding = (parameters: readonly Parameter<unknown>[]): Schema => ({
  http: { method: "GET", query: queryOf(parameters), bindingVersion: "0.3.0" },
});

const eventName = ({ name }: Resource): string => `${pascal(name)}Event`;
const messageName = ({ name }: Resource): string => `${pascal(name)}Message`;
const webhookName = ({ name }: Resource): string => `${pascal(name)}Webhook`;

const events = (resource: Resource): Channel => ({
  name: `${pascal(resource.name)}Events`,
  channel: {
    address: streamOf(resource).path,
    title: `${resource.title}: server-sent events`,
    description:
      "The name of an event is its `action`, and its `id` is a position. A comment every 15 seconds has a position too.",
    servers: [{ $ref: "#/servers/events" }],
  },
  sent: [eventName(resource)],
  summary: `${resource.title}, as they change`,
  bindings: httpBinding(streamParameters(resource)),
});

function messages(resource: Resource): Channel {
  const parameters = messagesOf(resource, resource).rules.flatMap((each) => Object.values(each.parameters));
  const accepted = new Set(streamParameters(resource).flatMap(({ names }) => names));
  const filters = parameters.filter(({ names }) => names.some((name) => accepted.has(name)));
  const more = (resource.messages?.rules ?? []).flatMap((each) => Object.values(each.parameters));
  return {
    name: `${pascal(resource.name)}Messages`,
    channel: {
      address: resource.messages?.path ?? streamOf(resource).path,
      title: `${resource.title}: WebSocket`,
      description: "Messages in the format that existing clients speak.",
      servers: [{ $ref: "#/servers/messages" }],
      bindings: { ws: { method: "GET", query: queryOf([...filters, ...more]), bindingVersion: "0.1.0" } },
    },
    sent: [messageName(resource), "Pong", "Error"],
    received: ["Ping", "Replay", "Resume"],
    summary: `${resource.title}, as they change`,
  };
}

const combined = (catalog: readonly Resource[]): Channel => ({
  name: "AllEvents",
  channel: {
    address: combinedPath,
    title: "Several resources: server-sent events",
    description: "The events of several resources over one connection, without filters.",
    servers: [{ $ref: "#/servers/events" }],
  },
  sent: catalog.map(eventName),
  summary: "Several resources, as they change",
  bindings: httpBinding(Object.values(combinedParameters(catalog))),
});

const webhook = (resource: Resource): Channel => ({
  name: `${pascal(resource.name)}Webhooks`,
  channel: {
    title: `${resource.title}: webhooks`,
    description: "The URL of the webhook. Deliveries follow the Standard Webhooks specification.",
  },
  sent: [webhookName(resource)],
  summary: `${resource.title}, delivered to a URL as they change`,
  bindings: { http: { method: "POST", bindingVersion: "0.3.0" } },
});

/** The record as JSON; how it is written as XML is only in the OpenAPI document. */
function recordSchema(resource: Resource): Record<string, Schema> {
  const name = `${pascal(resource.name)}Record`;
  const text = JSON.stringify(recordSchemas(resource)[name], (key, value) => (key === "xml" ? undefined : value));
  return { [name]: JSON.parse(text) as Schema };
}

/** The event of a record, as a stream sends it. */
function eventSchema(resource: Resource): Schema {
  return {
    type: "object",
    properties: {
      action: { type: "string", enum: [...actions], description: "What happened, as seen through the filters" },
      id: { ...fieldOf(resource, "id").schema, description: "Identifier of the record" },
      resource: { type: "string", const: resource.name },
      at: { type: "integer", description: "When it changed on this server, Unix seconds" },
      record: ref("schemas", `${pascal(resource.name)}Record`),
    },
    required: ["action", "id", "resource", "at"],
  };
}

function messageSchema(resource: Resource): Schema {
  const { kind = resource.name, story } = resource.messages ?? {};
  const id = fieldOf(resource, "id").schema;
  const record = ref("schemas", `${pascal(resource.name)}Record`);
  const removed = { type: "object", properties: { id }, required: ["id"] };
  return {
    type: "object",
    properties: {
      id: position,
      api_version: { type: "string", const: "websocket/v1" },
      kind: { type: "string", enum: [kind, ...(story === undefined ? [] : [story.kind])] },
      data: {
        type: "object",
        properties: {
          action: { type: "string", enum: ["created", "updated", "deleted"] },
          id,
          timestamp: { type: "string", format: "date-time" },
          content: {
            description: "The record as the list returns it; only its ID if it was deleted",
            anyOf: [record, removed],
          },
        },
        required: ["action", "id", "timestamp", "content"],
      },
    },
    required: ["id", "api_version", "kind", "data"],
  };
}

const signature: Schema = {
  type: "object",
  properties: {
    "webhook-id": text("The same for every attempt, so that receivers can deduplicate"),
    "webhook-timestamp": text("When it was sent, Unix seconds"),
    "webhook-signature": text("HMAC-SHA256 by each valid secret, separated by spaces"),
  },
  required: ["webhook-id", "webhook-timestamp", "webhook-signature"],
};

const resourceMessages = (resource: Resource): Record<string, Schema> => ({
  [eventName(resource)]: { title: `An event of: ${resource.title}`, payload: eventSchema(resource) },
  [messageName(resource)]: { title: `A message of: ${resource.title}`, payload: messageSchema(resource) },
  [webhookName(resource)]: {
    title: `A delivery of: ${resource.title}`,
    headers: signature,
    payload: {
      type: "object",
      properties: {
        type: { type: "string", enum: actions.map((action) => `${resource.name}.${action}`) },
        timestamp: { type: "string", format: "date-time" },
        data: eventSchema(resource),
      },
      required: ["type", "timestamp", "data"],
    },
  },
});

const plain = (title: string, payload: Schema): Schema => ({ title, contentType: "text/plain", payload });

const commandMessages: Record<string, Schema> = {
  Ping: plain("Requests a pong", { type: "string", const: "ping" }),
  Pong: plain("Responds to a ping", { type: "string", const: "pong" }),
  Replay: plain("Repeats up to the last hundred messages", { type: "string", const: "replay" }),
  Resume: {
    title: "Continues after a message",
    payload: { type: "object", properties: { resume: position }, required: ["resume"] },
  },
  Error: {
    title: "Why a command failed",
    payload: {
      type: "object",
      properties: {
        api_version: { type: "string", const: "websocket/v1" },
        kind: { type: "string", const: "error" },
        data: {
          type: "object",
          properties: { code: text("Code of the problem"), detail: text("What was received and expected") },
          required: ["code", "detail"],
        },
      },
      required: ["api_version", "kind", "data"],
    },
  },
};
