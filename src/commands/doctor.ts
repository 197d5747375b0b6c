// `doctor`: checks settings, machine, and database without changing anything, and recommends fixes.
import { existsSync } from "node:fs";
import type { Config } from "../config.ts";
import { isPostgres } from "../settings/setting.ts";
import { type Finding, fault } from "./checks/finding.ts";
import { checkListening } from "./checks/listening.ts";
import { checkMachine } from "./checks/machine.ts";
import { checkService } from "./checks/service.ts";
import { type Command, print } from "./command.ts";
import { serveSettings } from "./serve/settings.ts";
import { openStore } from "./shared/open-store.ts";

const labels: Record<Finding["level"], string> = { ok: "ok", warning: "WARN", fault: "FAULT" };

export const doctorCommand: Command = {
  maxArgs: 0,
  settings: serveSettings,
  options: {
    thorough: { help: "SQLite: check the entire database file, which may take minutes" },
    json: { help: "print findings as JSON" },
  },
  run: async ({ config, options }) => {
    const findings = await runChecks(config, options.thorough === true);
    if (options.json === true) print(JSON.stringify(findings, null, 2));
    else for (const finding of findings) print(formatFinding(finding));
    return findings.some(({ level }) => level === "fault") ? 1 : 0;
  },
};

async function runChecks(config: Config, thorough: boolean): Promise<Finding[]> {
  const database = config.get("database");
  const findings = checkMachine(config, process.env);
  findings.push(...(await checkDatabase(config, thorough)));
  // Opening a store migrates its database, so a missing, outdated, or damaged one is not opened.
  const isUsable = findings.every(({ check, level }) => check !== "database" || level === "ok");
  if (isUsable && (isPostgres(database) || existsSync(database))) findings.push(...(await checkContents(config)));
  findings.push(await checkListening(config.get("host"), config.get("port")));
  return findings;
}

async function checkDatabase(config: Config, thorough: boolean): Promise<readonly Finding[]> {
  const database = config.get("database");
  return isPostgres(database)
    ? (await import("./checks/postgres.ts")).checkPostgres(config)
    : (await import("./checks/sqlite.ts")).checkSqlite(database, thorough);
}

async function checkContents(config: Config): Promise<Finding[]> {
  const store = await openStore(config, "must exist", "database", config.get("database"));
  try {
    return await checkService(store, config, Math.floor(Date.now() / 1000));
  } catch (error) {
    return [fault("database", (error as Error).message, "see the database's log")];
  } finally {
    await store.close();
  }
}

const formatFinding = ({ check, level, found, advice }: Finding): string =>
  `${labels[level].padEnd(5)}  ${check.padEnd(11)}  ${found}${advice === undefined ? "" : `\n${" ".repeat(20)}→ ${advice}`}`;
