// Endpoints of the server itself that need no key: health, the web page's settings, and the OpenAPI document.

import { endpointGroup, object } from "../core/catalog/endpoint.ts";
import type { Schema } from "../core/catalog/field.ts";

export const serverTag = {
  name: "Server",
  description: "State and description of the server itself; only its status and metrics need a key.",
};

const status: Schema = { type: "string", examples: ["ok"] };
const string: Schema = { type: "string" };

const open = { method: "GET", unguarded: true } as const;

export const serverEndpoints = endpointGroup({
  tag: serverTag,
  endpoints: {
    isAlive: {
      ...open,
      path: "/livez",
      summary: "Alive",
      description: ["Succeeds while the process runs; checks nothing else."],
      responses: { 200: { description: "Alive", schema: object({ status }) } },
    },
    isReady: {
      ...open,
      path: "/readyz",
      summary: "Ready",
      description: ["Succeeds when requests can be served, which includes the database."],
      responses: {
        200: {
          description: "Ready",
          schema: {
            type: "object",
            properties: { status, checks: { type: "object", additionalProperties: string } },
            required: ["status"],
          },
        },
      },
    },
    getPageSettings: {
      ...open,
      path: "/page.json",
      summary: "Settings of the page",
      description: ["What the page at `/` needs before it can request records. Must not be cached."],
      responses: {
        200: {
          description: "Settings of the page",
          schema: {
            type: "object",
            properties: {
              version: { type: "string", description: "Version of the server", examples: ["1.0.0"] },
              zone: { type: "string", description: "The service's time zone", examples: ["America/New_York"] },
              today: { type: "string", format: "date", description: "The current day in that zone" },
              resources: {
                type: "array",
                description: "The resources that are served",
                items: object({ name: string, title: string, path: string }),
              },
              command: { type: "string", description: "How commands are run here", examples: ["npx bellwire"] },
              empty: { type: "boolean", description: "True if there are no records yet; absent otherwise" },
              database: {
                type: "string",
                description: "The SQLite file, if it isn't the default, for commands that fill an empty server",
              },
              key: {
                type: "string",
                description: "A key with the scope `read`; on the demo only, until it is revoked",
              },
            },
            required: ["version", "zone", "today", "resources"],
          },
        },
      },
    },
    callMcp: {
      method: "POST",
      unguarded: true,
      scope: "read",
      path: "/mcp",
      summary: "Model Context Protocol",
      description: [
        "For assistants: JSON-RPC messages of the Model Context Protocol, over streamable HTTP without sessions. The key is in the `Authorization` header. Every tool is read-only, within the terms of the key; a call counts as one request.",
      ],
      body: {
        kind: "object",
        schema: "McpMessage",
        example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
        required: true,
      },
      responses: { 200: { description: "A JSON-RPC response", schema: { type: "object" } } },
    },
    getDescription: {
      ...open,
      path: "/openapi.json",
      summary: "Description",
      description: ["This document."],
      responses: { 200: { description: "Description", schema: { type: "object" } } },
    },
    getEventDescription: {
      ...open,
      path: "/asyncapi.json",
      summary: "Description of streams and webhooks",
      description: ["An AsyncAPI 3 document."],
      responses: { 200: { description: "Description", schema: { type: "object" } } },
    },
  },
  schemas: {
    McpMessage: {
      type: "object",
      description: "A JSON-RPC request or notification",
      properties: { jsonrpc: { const: "2.0" }, id: { type: ["string", "integer"] }, method: string },
      required: ["jsonrpc", "method"],
    },
  },
});
