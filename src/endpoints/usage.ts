// Usage of keys by day, key, and resource.
import { count, endpointGroup, object, text } from "../core/catalog/endpoint.ts";
import { usageParameters } from "../core/usage.ts";
import { keysTag } from "./keys.ts";

export const usageEndpoints = endpointGroup({
  tag: keysTag,
  page: {
    title: "Usage",
    intro:
      "Usage by day, key, and resource: with `bellwire keys usage`, and over HTTP, which is an extension of the interface.",
    bullets: [
      "**Delay.** Each process writes its counts every two seconds and when it stops. A process that is killed loses no more than that.",
      "**Unknown keys.** Requests without a valid key are not counted.",
    ],
    end: "Limits and how they are counted: [Limits](../operations/limits.md).",
  },
  endpoints: {
    readUsage: {
      method: "GET",
      path: "/admin/v1/usage",
      scope: "admin",
      summary: "Usage of keys",
      description: [
        "Counts by day, key, and resource, in this order. They are written every two seconds: the most recent requests to other processes may be missing.",
      ],
      parameters: usageParameters,
      responses: {
        200: {
          description: "The counts; an empty list if there are none",
          schema: "Usage",
          example: {
            usage: [
              {
                ...{ day: "2026-01-15", key: "acme", resource: "news" },
                ...{ requests: 1204, records: 18_060, bytes: 9_412_331, errors: 3, limited: 12 },
              },
            ],
          },
        },
      },
      example: { query: "from=2026-01-01&to=2026-01-31&key=acme" },
    },
  },
  schemas: {
    Usage: object({
      usage: {
        type: "array",
        items: object({
          day: { type: "string", format: "date", description: "Day in the service's time zone" },
          key: text("Name of the key"),
          resource: text(
            "The list that was read or the resource that was written; `replicate` for the change feed, `admin` and `links` for administration",
          ),
          requests: count("Requests, whatever their outcome"),
          records: count("Records in responses, or read from bodies"),
          bytes: count("Bytes of response bodies, as sent"),
          errors: count("Requests that failed, or were rejected for a reason other than a limit"),
          limited: count("Requests rejected by a limit of the key"),
        }),
      },
    }),
  },
});
