// Settings of answers: who may read them in a browser, and how many are kept in memory.
import { listOf, number, type Setting } from "./setting.ts";

export const answerSettings = {
  "cors-origins": {
    value: "LIST",
    help: "sites whose pages may call the API, separated by commas; * for all, empty for none",
    fallback: "*",
    check: (text: string) => text === "*" || listOf(text).every((origin) => /^https?:\/\/[^/]+$/.test(origin)),
    expected: "* or origins such as https://example.com, separated by commas",
  },
  "cache-mb": {
    value: "MB",
    help: "memory for answers that are kept until their data changes; 0 keeps none",
    fallback: "32",
    ...number(0, 100_000),
  },
} as const satisfies Record<string, Setting>;
