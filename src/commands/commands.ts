// All commands by name; each is loaded only when it is used.
import type { Command } from "./command.ts";

export type CommandEntry = { readonly usage: string; readonly help: string; readonly load: () => Promise<Command> };

export const commands: Readonly<Record<string, CommandEntry>> = {
  serve: {
    usage: "serve",
    help: "serve the API; an empty database is first filled with demo data and a demo key, unless --no-demo",
    load: async () => (await import("./serve/serve.ts")).serveCommand,
  },
  import: {
    usage: "import RESOURCE FILE…",
    help: "import .json, .ndjson, .jsonl, .csv, .tsv (also .gz or .zst), or .parquet files; - reads NDJSON from standard input; --check shows what would be imported, and proposes flags for files in another form",
    load: async () => (await import("./import/import.ts")).importCommand,
  },
  export: {
    usage: "export RESOURCE",
    help: "export all records in import form to standard output, as NDJSON unless --format or the name of --output selects another format",
    load: async () => (await import("./export.ts")).exportCommand,
  },
  feed: {
    usage: "feed URL…",
    help: "import RSS and Atom feeds as news, once or repeatedly with --every; items that disappear from a feed stay in the database",
    load: async () => (await import("./feed.ts")).feedCommand,
  },
  keys: {
    usage: "keys create --name NAME | keys list | keys show|update|rotate|revoke NAME | keys usage [NAME]",
    help: "manage API keys and show their usage; a new key is printed once, alone on the last line",
    load: async () => (await import("./keys/keys.ts")).keysCommand,
  },
  links: {
    usage: "links create 'URL' --key NAME | links list | links revoke ID",
    help: "manage links: private URLs that serve one list with fixed parameters on behalf of a key, for calendar apps and spreadsheets; a new one is printed once, alone on the last line",
    load: async () => (await import("./keys/links.ts")).linksCommand,
  },
  webhooks: {
    usage:
      "webhooks create RESOURCE ['FILTERS'] --url URL | webhooks list | webhooks show|update|test|replay|rotate|remove ID",
    help: "send changes of records to a URL, such as webhooks create ratings 'parameters[tickers]=F,GM' --url https://example.com/hooks; a new secret is printed once, alone on the last line",
    load: async () => (await import("./webhooks/webhooks.ts")).webhooksCommand,
  },
  explain: {
    usage: "explain 'URL'",
    help: "show how a request is executed: parsed parameters, plan, SQL, query plan, and timing",
    load: async () => (await import("./explain.ts")).explainCommand,
  },
  tail: {
    usage: "tail RESOURCE ['FILTERS']",
    help: "print changes as NDJSON while they happen, such as tail ratings 'parameters[tickers]=F,GM', from a database or, with --url, from a server",
    load: async () => (await import("./tail/tail.ts")).tailCommand,
  },
  copy: {
    usage: "copy --from DATABASE --to DATABASE",
    help: "copy records, keys, usage, links, and the change log to an empty SQLite or PostgreSQL database and verify the copy; an interrupted copy resumes",
    load: async () => (await import("./backup/copy.ts")).copyCommand,
  },
  mirror: {
    usage: "mirror BASE_URL | mirror status",
    help: "fill the database from an upstream with the same API and follow it until stopped; status shows lag, progress, and errors",
    load: async () => (await import("./mirror/mirror.ts")).mirrorCommand,
  },
  backup: {
    usage: "backup FILE",
    help: "write a consistent, verified copy of a SQLite database, even while servers use it",
    load: async () => (await import("./backup/backup.ts")).backupCommand,
  },
  restore: {
    usage: "restore FILE",
    help: "verify a backup and replace a SQLite database with it; no server may be using the database, and its old file is saved",
    load: async () => (await import("./backup/restore.ts")).restoreCommand,
  },
  mcp: {
    usage: "mcp URL",
    help: "serve AI assistants over standard input and output (Model Context Protocol), using the API of the server at URL; a server does the same at /mcp",
    load: async () => (await import("./mcp.ts")).mcpCommand,
  },
  check: {
    usage: "check URL",
    help: "check from outside whether the server at URL, Bellwire or another, conforms to the interface; each finding includes the request that reproduces it",
    load: async () => (await import("./check/check.ts")).checkCommand,
  },
  doctor: {
    usage: "doctor",
    help: "check settings, machine, database, indexes, disk, clock, time zone, and keys, and recommend fixes; changes nothing",
    load: async () => (await import("./doctor.ts")).doctorCommand,
  },
  config: {
    usage: "config",
    help: "print every setting as serve would use it with the same flags, and where its value comes from; secrets are hidden",
    load: async () => (await import("./config.ts")).configCommand,
  },
};
