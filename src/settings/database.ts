// Settings of the database: where it is, and how what it holds is answered.
import { defaultChangeDays } from "../core/feed.ts";
import { zone } from "../core/value/time-zone.ts";
import { filled, number, type Setting, words } from "./setting.ts";

export const databaseSettings = {
  database: {
    value: "DATABASE",
    help: "SQLite file, made when it is not there, or a postgres:// address",
    fallback: "./data/bellwire.db",
    // SQLite takes an empty name for a database that vanishes, and Node.js an empty host for every address.
    ...filled("a SQLite file or a postgres:// address"),
  },
  zone: {
    value: "ZONE",
    help: "time zone in which news is printed and its days are counted; kept in the database, at first America/New_York",
    check: (text: string) => zone(text) !== undefined,
    expected: "a time zone such as America/New_York or UTC",
  },
  "calendar-cusip": {
    value: "integer|string",
    help: "how cusip is answered in calendars; kept in the database, at first integer",
    ...words("integer", "string"),
  },
  "statement-seconds": {
    value: "SECONDS",
    help: "how long a statement may take before it is stopped; when it is not given, 10 on PostgreSQL and 2 on SQLite",
    ...number(1, 3600),
  },
  "read-thread": {
    value: "true|false",
    help: "has no effect and will be removed: SQLite always runs in separate threads",
    ...words("true", "false"),
  },
  "change-days": {
    value: "DAYS",
    help: "how long changes and removals can be learned of; 0 keeps them for ever",
    fallback: String(defaultChangeDays),
    ...number(0, 36_500),
  },
} as const satisfies Record<string, Setting>;
