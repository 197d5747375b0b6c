// Settings of the database and how its records are encoded.
import { defaultChangeDays } from "../core/feed.ts";
import { zone } from "../core/value/time-zone.ts";
import { integer, nonEmpty, oneOf, type Setting } from "./setting.ts";

export const databaseSettings = {
  database: {
    value: "DATABASE",
    help: "SQLite file, created by serve, import, feed, mirror, and keys create if it doesn't exist, or a postgres:// URL",
    fallback: "./data/bellwire.db",
    // SQLite treats an empty name as a temporary database.
    ...nonEmpty("a SQLite file or a postgres:// URL"),
  },
  zone: {
    value: "ZONE",
    help: "time zone for the timestamps and days of news; stored in the database, initially America/New_York",
    check: (text: string) => zone(text) !== undefined,
    expected: "a time zone such as America/New_York or UTC",
  },
  "calendar-cusip": {
    value: "integer|string",
    help: "type of cusip in calendar responses; stored in the database, initially integer",
    ...oneOf("integer", "string"),
  },
  "statement-seconds": {
    value: "SECONDS",
    help: "timeout of a database statement; by default 10 on PostgreSQL and 2 on SQLite",
    ...integer(1, 3600),
  },
  "read-thread": {
    value: "true|false",
    help: "has no effect and will be removed: SQLite always runs in separate threads",
    ...oneOf("true", "false"),
  },
  "change-days": {
    value: "DAYS",
    help: "how long the change log and removals are retained; 0 retains them forever",
    fallback: String(defaultChangeDays),
    ...integer(0, 36_500),
  },
} as const satisfies Record<string, Setting>;
