// Checks whether the open-file limit allows as many connections as the settings do.
import { readFileSync } from "node:fs";
import type { Config } from "../../config.ts";
import { isPostgres, parseList } from "../../settings/setting.ts";
import { type Finding, warning } from "./finding.ts";

/** For the process itself: streams, ports, admin connections, files being read. */
const processFiles = 64;

/** SQLite: at most nine threads, each with the three files of a database and an event loop. */
const sqliteFiles = 72;

/** Undefined when the limit suffices, or when the need or the limit is unknown. */
export function checkOpenFiles(config: Config, limit = openFileLimit()): Finding | undefined {
  const connections = Number(config.get("connections"));
  const database = databaseFiles(config);
  const needed = connections + database + processFiles;
  if (limit === undefined || connections === 0 || limit >= needed) return undefined;
  const found = `a process may open ${limit} files and may need ${needed}: ${connections} for connections, ${database} for databases, ${processFiles} for itself`;
  const advice = `raise the limit (ulimit -n ${needed}, or LimitNOFILE=${needed} in the systemd unit), or lower --connections`;
  return warning("settings", found, advice);
}

/** One process's connections to its database servers, or its threads' files. */
function databaseFiles(config: Config): number {
  if (!isPostgres(config.get("database"))) return sqliteFiles;
  const servers = 1 + parseList(config.get("replicas")).length;
  return servers * (Number(config.get("pool-size")) + 1);
}

/** The soft limit, which Node.js raises to the hard limit at startup; undefined when unknown or unlimited. */
function openFileLimit(): number | undefined {
  const soft = fromProc() ?? fromReport();
  return soft === undefined || !/^\d+$/.test(soft) ? undefined : Number(soft);
}

function fromProc(): string | undefined {
  try {
    return /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  } catch {
    return undefined;
  }
}

/** For systems without /proc. */
function fromReport(): string | undefined {
  // Without host names, which would need DNS lookups.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport();
  const { userLimits } = report as { userLimits?: { open_files?: { soft: string | number } } };
  return userLimits?.open_files === undefined ? undefined : String(userLimits.open_files.soft);
}
