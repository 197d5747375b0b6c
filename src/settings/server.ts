// Settings of the server process: addresses, workers, shutdown, and logging.
import { logFormats, logLevels } from "../http/observe/log-level.ts";
import { integer, nonEmpty, oneOf, type Setting } from "./setting.ts";

export const serverSettings = {
  host: {
    value: "HOST",
    help: "address to listen on",
    fallback: "127.0.0.1",
    ...nonEmpty("a host name or an IP address"),
  },
  port: { value: "PORT", help: "port to listen on; 0 chooses a free one", fallback: "8080", ...integer(0, 65_535) },
  workers: { value: "N", help: "number of server processes", fallback: "1", ...integer(1, 256) },
  demo: {
    value: "true|false",
    help: "don't load demo data or create a demo key in an empty database",
    fallback: "true",
    ...oneOf("true", "false"),
  },
  "stop-seconds": {
    value: "SECONDS",
    help: "how long in-flight requests may take to finish on shutdown",
    fallback: "10",
    ...integer(0, 3600),
  },
  "log-level": {
    value: "LEVEL",
    help: "minimum level to log, on standard error",
    fallback: "info",
    ...oneOf(...logLevels),
  },
  "log-format": {
    value: "auto|json|text",
    help: "log format: JSON lines, readable text, or auto, which is text on a terminal and JSON otherwise",
    fallback: "auto",
    ...oneOf(...logFormats),
  },
} as const satisfies Record<string, Setting>;
