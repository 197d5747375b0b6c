// Settings of responses: CORS, the response cache, and the form of messages.
import { integer, nonEmpty, oneOf, parseList, type Setting } from "./setting.ts";

export const responseSettings = {
  "cors-origins": {
    value: "LIST",
    help: "origins whose pages may call the API, comma-separated; * for all, empty for none",
    fallback: "*",
    check: (text: string) => text === "*" || parseList(text).every((origin) => /^https?:\/\/[^/]+$/.test(origin)),
    expected: "* or comma-separated origins such as https://example.com",
  },
  compat: {
    value: "true|false",
    help: "accept paths, parameters, and values of clients of other implementations, and respond with the keys and shapes they expect",
    fallback: "false",
    ...oneOf("true", "false"),
  },
  "cache-mb": {
    value: "MB",
    help: "memory for cached responses, which are reused until their data changes; 0 disables the cache",
    fallback: "32",
    ...integer(0, 100_000),
  },
  "stream-news-form": {
    value: "FORM",
    help: "news over WebSocket as the list returns it (rest), or in the form that older clients know (story)",
    fallback: "rest",
    ...oneOf("rest", "story"),
  },
  "bulk-directory": {
    value: "DIR",
    help: "directory of bulk files; by default, bulk next to a SQLite database, or data/bulk",
    ...nonEmpty("a directory"),
  },
  "bulk-minutes": {
    value: "MINUTES",
    help: "maximum age of a bulk file if records have changed since; with 0, it is always current",
    fallback: "15",
    ...integer(0, 10_080),
  },
} as const satisfies Record<string, Setting>;
