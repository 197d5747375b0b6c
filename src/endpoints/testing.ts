// Endpoints of test mode, in which alone they are served: a clock that can be set, and faults for a key.
import { endpointGroup, object } from "../core/catalog/endpoint.ts";

const common = { method: "POST", scope: "admin", problems: ["request.members"] } as const;

export const testEndpoints = endpointGroup({
  tag: { name: "Testing", description: "A clock that can be set, and faults for a key; in test mode only." },
  endpoints: {
    setClock: {
      ...common,
      path: "/admin/v1/test-clock",
      summary: "Set the clock",
      description: ["Sets the clock to `now`, running or stopped; null returns to the real one."],
      body: {
        kind: "object",
        schema: "Clock",
        example: { now: "2026-01-15T12:00:00Z", running: false },
        required: true,
      },
      responses: { 200: { description: "The clock", schema: object({}) } },
    },
    setFault: {
      ...common,
      path: "/admin/v1/test-faults",
      summary: "Set the fault of a key",
      description: ["Makes every list that the key requests fail in one way; an empty fault ends that."],
      body: { kind: "object", schema: "Fault", example: { key: "acme", fault: "status=503" }, required: true },
      responses: { 200: { description: "The fault", schema: object({}) } },
    },
  },
  schemas: {},
});
