// Settings for PostgreSQL only.
import { integer, isPostgres, oneOf, parseList, type Setting } from "./setting.ts";

export const postgresSettings = {
  replicas: {
    value: "LIST",
    help: "PostgreSQL: postgres:// URLs of read replicas, comma-separated",
    fallback: "",
    check: (text: string) => parseList(text).every((address) => isPostgres(address)),
    expected: "comma-separated postgres:// URLs",
    secret: true,
  },
  "replica-staleness": {
    value: "SECONDS",
    help: "PostgreSQL: maximum lag of a replica that serves reads",
    fallback: "1",
    ...integer(0, 300),
  },
  "max-staleness": {
    value: "SECONDS",
    help: "PostgreSQL: maximum age of data served while the primary is unreachable; 0 for no limit",
    fallback: "0",
    ...integer(0, 86_400),
  },
  "pool-size": {
    value: "N",
    help: "PostgreSQL: connections per process to each server",
    fallback: "10",
    ...integer(1, 1000),
  },
  "pool-queue": {
    value: "N",
    help: "PostgreSQL: requests that may wait for a connection; further ones get a 503 response",
    fallback: "200",
    ...integer(0, 100_000),
  },
  "prepare-statements": {
    value: "true|false",
    help: "PostgreSQL: use named prepared statements; set to false behind a transaction-mode pooler that doesn't support them",
    fallback: "true",
    ...oneOf("true", "false"),
  },
} as const satisfies Record<string, Setting>;
