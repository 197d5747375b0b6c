// Links: URLs for programs that must not hold a key, such as calendar apps and spreadsheets.

import { count, endpointGroup, object, text } from "../core/catalog/endpoint.ts";
import type { Schema } from "../core/catalog/field.ts";
import { textParameter } from "../core/catalog/parameter.ts";
import type { Json } from "../core/record/row.ts";

const path = "/admin/v1/links";

const url = "/api/v2.1/calendar/earnings?parameters[tickers]=AAPL,MSFT&output=csv";
const file = "earnings.csv";
const link = {
  ...{ id: "0b8c7f52-4d1e", name: "My earnings", key: "desk", state: "valid", list_url: url, file },
  ...{ requests: 42, created: "2026-01-15T12:00:00Z", revoked: "", last_used: "2026-01-16T08:30:00Z" },
} satisfies Json;
const created: Json = { ...link, url: `/links/bw_link_…/${file}`, requests: 0, last_used: "" };

const members: Record<string, Schema> = {
  id: text("Identifies the link; not a secret"),
  name: text("What its owner calls it"),
  key: text("Name of the key on whose behalf it reads"),
  state: { type: "string", enum: ["valid", "revoked"], description: "A valid link ends with its key" },
  list_url: text("Path and query of the list that it serves"),
  file: text("The last part of its path, which shows the format"),
  requests: count("Requests, whatever their outcome; the latest may be missing"),
  created: text("When it was created, ISO 8601"),
  revoked: text("When it was revoked, ISO 8601; otherwise empty"),
  last_used: text("When it was last used, ISO 8601; empty if never"),
};

export const linkEndpoints = endpointGroup({
  tag: {
    name: "Links",
    description:
      "Private URLs, each of which serves one list with fixed parameters, for programs that must not hold a key. Extensions of the interface, for keys with the scope `links` or `admin`.",
  },
  page: {
    title: "Links",
    intro:
      "A link is a private URL that serves exactly one list with exactly the parameters it was created with: for a calendar app, a spreadsheet, or a feed reader, which must not hold a key. Links are managed with `bellwire links`, and over HTTP as described here, which is an extension of the interface. [Links](../links.md) is the guide.",
    key: "desk",
    keyScopes: "read,links",
    bullets: [
      "**Scopes.** With `links`, a key creates, lists, and revokes links for itself. With `admin`, it does so for every key.",
      "**Terms.** A link reads on behalf of its key: resources, history, delay, licenses, networks, and origins apply, and its requests count toward the key's limits and usage. It ends when its key is revoked or expires, and stays valid when the key is rotated.",
      "**Secrets.** Whoever has the URL can read the list. It is shown once; the database stores a hash. Logs contain `bw_…` instead.",
    ],
  },
  endpoints: {
    makeLink: {
      method: "POST",
      path,
      scope: "links",
      summary: "Create a link",
      description: [
        "Creates a link to the list at `url`, with exactly its parameters; `output` selects the format. The URL is checked like a request for the list, and a parameter that the list doesn't have is an error.",
      ],
      body: {
        kind: "object",
        schema: "NewLink",
        example: { url, name: "My earnings" },
        required: true,
      },
      responses: {
        201: { description: "The link, whose URL is shown only now", schema: "MadeLink", example: created },
      },
      problems: ["request.members", "link.limit"],
      notes: [
        "`url` in the response is relative to the address by which clients reach the server. `key` is for operators: without the scope `admin`, it is an error.",
      ],
    },
    listLinks: {
      method: "GET",
      path,
      scope: "links",
      summary: "All links",
      description: [
        "Links in order of creation, including revoked ones; never their URLs. An operator gets those of all keys, or of one.",
      ],
      parameters: {
        key: textParameter("key", "Name of a key; default all keys", "the name of a key", (name) => name, {
          valid: ["reader"],
          invalid: [],
        }),
      },
      responses: { 200: { description: "The links", schema: "Links", example: { links: [link] } } },
    },
    revokeLink: {
      method: "DELETE",
      path: `${path}/{id}`,
      scope: "links",
      segments: { id: { description: "ID of the link.", schema: { type: "string", examples: [link.id] } } },
      example: { segments: { id: link.id } },
      summary: "Revoke a link",
      description: [
        "Revokes the link permanently: immediately in the process that revokes it, within a second in all others.",
      ],
      responses: {
        200: {
          description: "The link as it is now",
          schema: "Link",
          example: { ...link, state: "revoked", revoked: "2026-01-17T09:00:00Z" },
        },
      },
      problems: ["link.absent"],
    },
    openLink: {
      method: "GET",
      path: "/links/{token}/{file}",
      unguarded: true,
      segments: {
        token: { description: "Token of the link.", schema: { type: "string" } },
        file: {
          description: "Name of the list, with the format as extension.",
          schema: { type: "string", examples: [file] },
        },
      },
      example: { segments: { token: "TOKEN", file } },
      summary: "Open a link",
      description: [
        "The list with the link's parameters, as its key sees it: the response of the list itself, with its format, ETag, and limits, except that there is no `Link` to a next page. No key is needed. A query, a key, and `Accept` have no effect.",
      ],
      responses: { 200: { description: "The list", type: "*/*", schema: {} } },
      problems: ["link.unknown", "limit.tokens"],
    },
  },
  schemas: {
    NewLink: {
      type: "object",
      description: "What a new link serves.",
      properties: {
        url: text("URL of a list, with its parameters and without a token; the host is ignored"),
        name: text("What its owner calls it"),
        key: text("Name of the key on whose behalf it reads; for operators only"),
      },
      required: ["url"],
      additionalProperties: false,
    },
    Link: object(members, "A link without its URL."),
    Links: object({ links: { type: "array", items: { $ref: "#/components/schemas/Link" } } }),
    MadeLink: object({ ...members, url: text("The URL, which contains the token") }, "A link that was just created."),
  },
});
