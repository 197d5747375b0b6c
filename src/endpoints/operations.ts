// Status and metrics of a server, for its operators.

import { count, endpointGroup, object, text } from "../core/catalog/endpoint.ts";
import type { Schema } from "../core/catalog/field.ts";
import { serverTag } from "./server.ts";

const time = (description: string): Schema => ({ type: "string", format: "date-time", description });
const orNull = (description: string, more: Schema = {}): Schema => ({ type: ["string", "null"], ...more, description });

export const operationEndpoints = endpointGroup({
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
        "The server's version, its data and how fresh it is. Cache figures are those of all workers of this server since they started.",
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
    readMetrics: {
      method: "GET",
      path: "/metrics",
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
            "# HELP bellwire_cache_hits_total Lists that were answered without reading a record.",
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
              "Day of the latest record, possibly in the future; for news the time. Null when there is none",
            ),
            changed: orNull(
              "When a record was last added, changed or removed. Null when the change log does not reach back that far",
              { format: "date-time" },
            ),
          },
          "A resource",
        ),
      },
      mirror: {
        type: ["object", "null"],
        description: "The output of `bellwire mirror status --json`; null when the database is not a mirror",
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
