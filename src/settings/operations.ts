// Settings for monitoring and testing.
import { oneOf, type Setting } from "./setting.ts";

export const operationSettings = {
  "metrics-open": {
    value: "true|false",
    help: "expose metrics without authentication",
    fallback: "false",
    ...oneOf("true", "false"),
  },
  "test-mode": {
    value: "true|false",
    help: "for testing clients: let them inject faults, and let admin keys set the clock; never use in production",
    fallback: "false",
    ...oneOf("true", "false"),
  },
} as const satisfies Record<string, Setting>;
