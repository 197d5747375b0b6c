// Status and metrics of a server, for its operators.

import { count, endpointGroup, object, text } from "../core/catalog/endpoint.ts";
import type { Schema } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { openStreamsParameters, openStreamsPath, phases, transports } from "../core/open-streams.ts";
import { serverTag } from "./server.ts";

const time = (description: string): Schema => ({ type: "string", format: "date-time", description });
const orNull = (description: string, more: Schema = {}): Schema => ({ type: ["string", "null"], ...more, description });

export const metricsPath = "/metrics";

const stream = object({
  resource: text("Name of the resource"),
  key: text("Name of the key"),
  transport: { type: "string", enum: [...transports], description: "Server-sent events, or messages of a WebSocket" },
  filters: text("The query of the client, without key and position"),
  address: text("Address of the client"),
  events: count("Events that were sent"),
  bytes: count("Bytes that were sent"),
  opened: time("When it was opened"),
  delay_minutes: count("Delay of the key"),
  phase: {
    type: "string",
    enum: [...phases],
    description: "Live, or catching up: it reads the change log, because it was resumed or doesn't keep up",
  },
  behind: count("Positions of the change log that a client that is catching up has not reached yet"),
  unread: count("Bytes that the client has not read yet"),
});

export const operationEndpoints = (catalog: readonly Resource[]) =>
  endpointGroup({
    tag: serverTag,
    page: {
      title: "Operations",
      intro: "Status and metrics of a server, for its operators: extensions of the interface.",
      bullets: ["**Port.** The administration port (`--admin-port`) where there is one, else the public one."],
    },
    endpoints: {
      readStatus: {
        method: "GET",
        path: "/admin/v1/status",
        scope: "admin",
        summary: "Status",
        description: [
          "The server's version, its data, and how current it is. Cache figures are those of all workers of this server since they started.",
        ],
        responses: {
          200: {
            description: "The status",
            schema: "Status",
            example: {
              ...{ version: "0.1.0", started: "2026-01-15T08:00:00Z", now: "2026-01-15T12:00:00Z" },
              ...{ database: { kind: "sqlite" }, zone: "America/New_York" },
              resources: [
                {
                  ...{ name: "news", records: 182_044 },
                  ...{ newest: "2026-01-15T11:59:31Z", changed: "2026-01-15T11:59:40Z" },
                },
              ],
              mirror: null,
              cache: { bytes: 18_221_004, hits: 90_112, misses: 8123 },
            },
          },
        },
      },
      listStreams: {
        method: "GET",
        path: openStreamsPath,
        scope: "admin",
        summary: "Open streams",
        description: [
          "Who is connected to the streams of this server, in all its workers, and how far each client has come. Those that are furthest behind come first, then the oldest.",
          "Events and bytes are those that were handed to the connection. Other servers on the same database report their own.",
        ],
        parameters: openStreamsParameters(catalog),
        responses: {
          200: {
            description: "The streams",
            schema: "OpenStreams",
            example: {
              now: "2026-01-15T12:00:00Z",
              open: 1,
              closed: { draining: 0, expired: 0, revoked: 1, terms: 0, settings: 0, pruned: 0, slow: 2 },
              streams: [
                {
                  ...{ resource: "ratings", key: "acme", transport: "events", filters: "parameters[tickers]=F,GM" },
                  ...{ address: "192.0.2.7", events: 412, bytes: 310_220, opened: "2026-01-15T08:00:00Z" },
                  ...{ delay_minutes: 0, phase: "live", behind: 0, unread: 0 },
                },
              ],
            },
          },
        },
        example: { query: "key=acme" },
      },
      readMetrics: {
        method: "GET",
        path: metricsPath,
        scope: "admin",
        unguarded: true,
        summary: "Metrics",
        description: [
          "Metrics of all workers of this server, in the Prometheus text format. No key is needed with the setting `metrics-open`.",
        ],
        responses: {
          200: {
            description: "The metrics",
            type: "text/plain",
            schema: { type: "string" },
            example: [
              "# HELP bellwire_cache_hits_total List responses without reading a record.",
              "# TYPE bellwire_cache_hits_total counter",
              "bellwire_cache_hits_total 90112",
              "",
            ].join("\n"),
          },
        },
        notes: ["Each metric is described on the page [Metrics](../operations/metrics.md)."],
      },
    },
    schemas: {
      OpenStreams: object({
        now: time("The clock of the server"),
        open: count("Number of open streams that match"),
        closed: {
          type: "object",
          description: "Streams that the server has closed since it started, by reason; slow: the client didn't read",
          additionalProperties: count("Number of streams"),
        },
        streams: { type: "array", items: stream },
      }),
      Status: object({
        version: text("Version of the program"),
        started: time("When the process that responds started"),
        now: time("Its clock"),
        database: object({ kind: { type: "string", enum: ["sqlite", "postgres"] } }, "The kind of database"),
        zone: text("Time zone of the service"),
        resources: {
          type: "array",
          description: "Each resource",
          items: object(
            {
              name: text("Name of the resource"),
              records: count("Number of records"),
              newest: orNull(
                "Day of the latest record, possibly in the future; for news the time. Null if there is none",
              ),
              changed: orNull(
                "When a record was last added, changed, or removed. Null if the change log doesn't reach back that far",
                { format: "date-time" },
              ),
            },
            "A resource",
          ),
        },
        mirror: {
          type: ["object", "null"],
          description: "The output of `bellwire mirror status --json`; null if the database isn't a mirror",
        },
        cache: object(
          {
            bytes: count("Memory of cached responses"),
            hits: count("Lists served without reading a record"),
            misses: count("Lists for which records were read"),
          },
          "The response cache",
        ),
      }),
    },
  });
