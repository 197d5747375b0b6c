// Settings of those who watch the server.
import { type Setting, words } from "./setting.ts";

export const operationSettings = {
  "metrics-open": {
    value: "true|false",
    help: "tell metrics to anyone who asks, without an admin key",
    fallback: "false",
    ...words("true", "false"),
  },
  "test-mode": {
    value: "true|false",
    help: "let clients ask for faults, and admin keys set the clock, to test clients; never where real ones are served",
    fallback: "false",
    ...words("true", "false"),
  },
} as const satisfies Record<string, Setting>;
