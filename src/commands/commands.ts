// The commands by name. What a command consists of is loaded only when it is called for.
import type { Command } from "./command.ts";

export type Listed = { readonly usage: string; readonly help: string; readonly load: () => Promise<Command> };

export const commands: Readonly<Record<string, Listed>> = {
  serve: {
    usage: "serve",
    help: "serves the API; on an empty database it first loads demo data and makes a key, unless --no-demo",
    load: async () => (await import("./serve/serve.ts")).serveCommand,
  },
  import: {
    usage: "import RESOURCE FILE…",
    help: "imports .json, .ndjson, .jsonl or .csv files, each optionally .gz; - reads NDJSON from standard input",
    load: async () => (await import("./import.ts")).importCommand,
  },
  export: {
    usage: "export RESOURCE",
    help: "writes all records in import form to standard output, as NDJSON unless --format or the output's name says otherwise",
    load: async () => (await import("./export.ts")).exportCommand,
  },
  feed: {
    usage: "feed URL…",
    help: "imports RSS and Atom feeds as news, once or with --every again and again; items that vanish from a feed stay",
    load: async () => (await import("./feed.ts")).feedCommand,
  },
  keys: {
    usage: "keys create --name NAME | keys list | keys show|update|rotate|revoke NAME | keys usage [NAME]",
    help: "makes, shows, changes, replaces and revokes API keys, and shows what they use; a key is shown once, when it is made, alone on the last line",
    load: async () => (await import("./keys/keys.ts")).keysCommand,
  },
  explain: {
    usage: "explain 'URL'",
    help: "shows how a request is understood: the parts, the plan, the SQL, the query plan and the time it takes",
    load: async () => (await import("./explain.ts")).explainCommand,
  },
  copy: {
    usage: "copy --from DATABASE --to DATABASE",
    help: "copies records, keys with their use, and change log to an empty database of either kind, goes on where it was stopped, and verifies",
    load: async () => (await import("./backup/copy.ts")).copyCommand,
  },
  mirror: {
    usage: "mirror BASE_URL | mirror status",
    help: "fills the database from an upstream of this interface and follows it until stopped; status tells how it stands",
    load: async () => (await import("./mirror/mirror.ts")).mirrorCommand,
  },
  backup: {
    usage: "backup FILE",
    help: "makes a consistent copy of a SQLite database, also while servers use it, and checks it",
    load: async () => (await import("./backup/backup.ts")).backupCommand,
  },
  restore: {
    usage: "restore FILE",
    help: "puts a copy in the place of a SQLite database that no server uses, after checking it; the old one is kept beside it",
    load: async () => (await import("./backup/restore.ts")).restoreCommand,
  },
  doctor: {
    usage: "doctor",
    help: "checks settings, machine, database, indexes, disk, clock, zone and keys, changes nothing, and says what to do",
    load: async () => (await import("./doctor.ts")).doctorCommand,
  },
  config: {
    usage: "config",
    help: "prints every setting as serve would use it, given the same flags, and where it comes from; without secrets",
    load: async () => (await import("./config.ts")).configCommand,
  },
};
