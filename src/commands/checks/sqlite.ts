// Checks a SQLite database without writing to it: existence, integrity, disk space, and permissions.
import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { catalog } from "../../resources/catalog.ts";
import { migrations } from "../../store/migrate.ts";
import { isCorrupt } from "../../store/sqlite/connection.ts";
import { checkIntegrity, countErrors, schemaErrors } from "../../store/sqlite/file/integrity-check.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";

/** A larger write-ahead log means that checkpoints are blocked. */
const maxWalBytes = 1e9;
const minFreeBytes = 200e6;

export function checkSqlite(file: string, thorough: boolean): Finding[] {
  if (!existsSync(file)) {
    return [warning("database", `there is no database at ${file}`, "serve, import, and keys create will create one")];
  }
  return [...checkContent(file, thorough), ...checkFile(file)];
}

function checkContent(file: string, thorough: boolean): Finding[] {
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    db.exec("select 1 from sqlite_schema");
  } catch (error) {
    return [fault("database", `${file} can't be opened: ${(error as Error).message}`, adviceFor(error))];
  }
  try {
    const version = Number(db.prepare("pragma user_version").get()?.user_version);
    const strange = schemaErrors(db);
    if (strange.length > 0) {
      return [fault("database", strange.join("; "), restoreAdvice)];
    }
    const about = `SQLite ${process.versions.sqlite}, schema ${version} of ${migrations.length}`;
    if (version < migrations.length)
      return [warning("database", `${about}: it will be upgraded at the next start`, "make a backup first")];
    return [ok("database", about), ...checkIndexes(db, thorough)];
  } catch (error) {
    return [fault("database", `${file} can't be read: ${(error as Error).message}`, adviceFor(error))];
  } finally {
    db.close();
  }
}

const restoreAdvice = "restore the latest intact backup, or choose another database with --database";

const adviceFor = (error: unknown): string =>
  isCorrupt(error)
    ? restoreAdvice
    : "give this user read permission for the file and its directory, or choose another with --database";

function checkIndexes(db: DatabaseSync, thorough: boolean): Finding[] {
  const faults = [...(thorough ? checkIntegrity(db, catalog).errors : []), ...countErrors(db, catalog)];
  const checked = thorough ? "the whole database was checked" : "all exist, and the stored counts match the records";
  return faults.length === 0
    ? [ok("indexes", checked)]
    : [
        fault(
          "indexes",
          faults.join("; "),
          "restore the latest intact backup, or export and import into a new database",
        ),
      ];
}

function checkFile(file: string): Finding[] {
  const { size, mode } = statSync(file);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const { bavail, bsize } = statfsSync(dirname(file));
  const free = bavail * bsize;
  const about = `${megabytes(size)} used, ${megabytes(free)} free`;
  const findings: Finding[] = [];
  if (free < minFreeBytes) findings.push(fault("disk", about, "free up space: writes fail when the disk is full"));
  else if (free < size)
    findings.push(
      warning("disk", `${about}: a backup does not fit on the same disk`, "free up space, or back up elsewhere"),
    );
  else findings.push(ok("disk", about));
  if (log > maxWalBytes) {
    const advice = "stop the process with a long-running read, or restart the servers";
    findings.push(warning("log", `the write-ahead log is ${megabytes(log)}`, advice));
  }
  if ((mode & 0o077) !== 0 && process.platform !== "win32") {
    const advice = `chmod 600 ${file}`;
    findings.push(warning("rights", `other users of this machine can open ${file}`, advice));
  }
  return findings;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString("en")} MB`;
