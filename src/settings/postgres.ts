// Settings that only a PostgreSQL database has.
import { isPostgres, listOf, number, type Setting, words } from "./setting.ts";

export const postgresSettings = {
  replicas: {
    value: "LIST",
    help: "PostgreSQL: postgres:// addresses of read replicas, separated by commas",
    fallback: "",
    check: (text: string) => listOf(text).every((address) => isPostgres(address)),
    expected: "postgres:// addresses, separated by commas",
    secret: true,
  },
  "replica-staleness": {
    value: "SECONDS",
    help: "PostgreSQL: how far behind a replica may be and still be read from",
    fallback: "1",
    ...number(0, 300),
  },
  "max-staleness": {
    value: "SECONDS",
    help: "PostgreSQL: how old data may be that is served while the primary can't be reached; 0 for any age",
    fallback: "0",
    ...number(0, 86_400),
  },
  "pool-size": {
    value: "N",
    help: "PostgreSQL: connections of a process to each server",
    fallback: "10",
    ...number(1, 1000),
  },
  "pool-queue": {
    value: "N",
    help: "PostgreSQL: requests that may wait for a connection; more are answered 503",
    fallback: "200",
    ...number(0, 100_000),
  },
  "prepare-statements": {
    value: "true|false",
    help: "PostgreSQL: prepare statements by name; false behind a pooler in transaction mode that can't carry them",
    fallback: "true",
    ...words("true", "false"),
  },
} as const satisfies Record<string, Setting>;
