// Settings of the write API.
import { number, type Setting } from "./setting.ts";

export const writingSettings = {
  "write-megabytes": {
    value: "MB",
    help: "largest body of records that is taken at once, unpacked, in millions of bytes",
    fallback: "1000",
    ...number(1, 100_000),
  },
  "atomic-megabytes": {
    value: "MB",
    help: "the same for a body that is kept as a whole or not at all: it is held in memory",
    fallback: "8",
    ...number(1, 1000),
  },
  "body-megabytes": {
    value: "MB",
    help: "memory for the records of all bodies that are being received; beyond it a body is rejected with 503, unless it is the only one",
    fallback: "256",
    ...number(1, 100_000),
  },
} as const satisfies Record<string, Setting>;
