// Whether a process may open as many files as its settings let it need: each connection is one.
import { readFileSync } from "node:fs";
import type { Config } from "../../config.ts";
import { isPostgres, listOf } from "../../settings/setting.ts";
import { type Finding, warning } from "./finding.ts";

/** For the process itself: its streams, its ports, connections for administration, files that are being read. */
const ownFiles = 64;

/** SQLite: nine threads at most, each with a database of three files and its own event loop. */
const sqliteFiles = 72;

/** Undefined where the limit is high enough, or nobody knows what is needed or allowed. */
export function checkOpenFiles(config: Config, limit = openFileLimit()): Finding | undefined {
  const connections = Number(config.get("connections"));
  const database = databaseFiles(config);
  const needed = connections + database + ownFiles;
  if (limit === undefined || connections === 0 || limit >= needed) return undefined;
  const found = `a process may open ${limit} files and may need ${needed}: ${connections} for connections, ${database} for databases, ${ownFiles} for itself`;
  const advice = `raise the limit (ulimit -n ${needed}, or LimitNOFILE=${needed} in the systemd unit), or lower --connections`;
  return warning("settings", found, advice);
}

/** Connections of one process to its database servers, or files of its threads. */
function databaseFiles(config: Config): number {
  if (!isPostgres(config.get("database"))) return sqliteFiles;
  const servers = 1 + listOf(config.get("replicas")).length;
  return servers * (Number(config.get("pool-size")) + 1);
}

/** Of this process, after Node.js has raised it as far as it may; undefined where it can't be known or there is none. */
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

/** Where there is no /proc. */
function fromReport(): string | undefined {
  // Without names of hosts, which would have to be looked up.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport();
  const { userLimits } = report as { userLimits?: { open_files?: { soft: string | number } } };
  return userLimits?.open_files === undefined ? undefined : String(userLimits.open_files.soft);
}
