// Settings of the process that serves: where it listens, how many there are, how it stops and what it logs.
import { logFormats, logLevels } from "../http/observe/log-level.ts";
import { filled, number, type Setting, words } from "./setting.ts";

export const serverSettings = {
  host: { value: "HOST", help: "address to listen on", fallback: "127.0.0.1", ...filled("a name or an IP address") },
  port: { value: "PORT", help: "port to listen on; 0 takes a free one", fallback: "8080", ...number(0, 65_535) },
  workers: { value: "N", help: "processes that serve", fallback: "1", ...number(1, 256) },
  demo: {
    value: "true|false",
    help: "start without the demo data and the key named demo that an empty database is otherwise given",
    fallback: "true",
    ...words("true", "false"),
  },
  "stop-seconds": {
    value: "SECONDS",
    help: "how long requests under way may take to finish when the server is stopped",
    fallback: "10",
    ...number(0, 3600),
  },
  "log-level": {
    value: "LEVEL",
    help: "least level that is logged, on standard error",
    fallback: "info",
    ...words(...logLevels),
  },
  "log-format": {
    value: "auto|json|text",
    help: "form of the log: JSON lines, text for people, or auto, which is text on a terminal and JSON anywhere else",
    fallback: "auto",
    ...words(...logFormats),
  },
} as const satisfies Record<string, Setting>;
