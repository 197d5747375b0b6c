// `doctor`: looks at the settings, the machine and the database without changing anything, and says what to do.
import { existsSync } from "node:fs";
import type { Config } from "../config.ts";
import { isPostgres } from "../settings/setting.ts";
import { type Finding, fault } from "./checks/finding.ts";
import { checkListening } from "./checks/listening.ts";
import { checkMachine } from "./checks/machine.ts";
import { checkService } from "./checks/service.ts";
import { type Command, say } from "./command.ts";
import { serveSettings } from "./serve/settings.ts";
import { openStore } from "./shared/open-store.ts";

const marks: Record<Finding["level"], string> = { ok: "ok", warning: "WARN", fault: "FAULT" };

export const doctorCommand: Command = {
  mostWords: 0,
  settings: serveSettings,
  options: {
    thorough: { help: "SQLite: reads the whole database, which may take minutes" },
    json: { help: "findings as JSON" },
  },
  run: async ({ config, options }) => {
    const findings = await look(config, options.thorough === true);
    if (options.json === true) say(JSON.stringify(findings, null, 2));
    else for (const finding of findings) say(printed(finding));
    return findings.some(({ level }) => level === "fault") ? 1 : 0;
  },
};

async function look(config: Config, thorough: boolean): Promise<Finding[]> {
  const database = config.get("database");
  const findings = checkMachine(config, process.env);
  findings.push(...(await checkDatabase(config, thorough)));
  // A store brings its database to the newest schema: one that is not there, older or damaged is left as it is.
  const isUsable = findings.every(({ check, level }) => check !== "database" || level === "ok");
  if (isUsable && (isPostgres(database) || existsSync(database))) findings.push(...(await lookInside(config)));
  findings.push(await checkListening(config.get("host"), config.get("port")));
  return findings;
}

async function checkDatabase(config: Config, thorough: boolean): Promise<readonly Finding[]> {
  const database = config.get("database");
  return isPostgres(database)
    ? (await import("./checks/postgres.ts")).checkPostgres(config)
    : (await import("./checks/sqlite.ts")).checkSqlite(database, thorough);
}

async function lookInside(config: Config): Promise<Finding[]> {
  const store = await openStore(config, "must exist", "database", config.get("database"));
  try {
    return await checkService(store, config, Math.floor(Date.now() / 1000));
  } catch (error) {
    return [fault("database", (error as Error).message, "see the log of the database")];
  } finally {
    await store.close();
  }
}

const printed = ({ check, level, found, advice }: Finding): string =>
  `${marks[level].padEnd(5)}  ${check.padEnd(11)}  ${found}${advice === undefined ? "" : `\n${" ".repeat(20)}→ ${advice}`}`;
