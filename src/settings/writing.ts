// Settings of the write API.
import { integer, type Setting } from "./setting.ts";

export const writeSettings = {
  "write-megabytes": {
    value: "MB",
    help: "maximum size of a request body of records, after decompression",
    fallback: "1000",
    ...integer(1, 100_000),
  },
  "atomic-megabytes": {
    value: "MB",
    help: "maximum size of a body in an atomic write, which is held in memory",
    fallback: "8",
    ...integer(1, 1000),
  },
  "body-megabytes": {
    value: "MB",
    help: "memory for the records of all bodies being received; beyond it a body gets a 503 response, unless it is the only one",
    fallback: "256",
    ...integer(1, 100_000),
  },
} as const satisfies Record<string, Setting>;
