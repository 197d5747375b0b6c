// A SQLite database, looked at without writing to it: whether it is there, whole, and has room.
import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { catalog } from "../../resources/catalog.ts";
import { migrations } from "../../store/migrate.ts";
import { isDamage } from "../../store/sqlite/connection.ts";
import { check, countFaults, schemaFaults } from "../../store/sqlite/file/integrity-check.ts";
import { type Finding, fault, fine, warning } from "./finding.ts";

/** A log that is longer than this is not being taken over into the database. */
const longestLog = 1e9;
const leastFree = 200e6;

export function checkSqlite(file: string, thorough: boolean): Finding[] {
  if (!existsSync(file)) {
    return [warning("database", `there is no database at ${file}`, "serve, import and keys create make one")];
  }
  return [...checkContent(file, thorough), ...checkFile(file)];
}

function checkContent(file: string, thorough: boolean): Finding[] {
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    db.exec("select 1 from sqlite_schema");
  } catch (error) {
    return [fault("database", `${file} can't be opened: ${(error as Error).message}`, adviceOn(error))];
  }
  try {
    const version = Number(db.prepare("pragma user_version").get()?.user_version);
    const strange = schemaFaults(db);
    if (strange.length > 0) {
      return [fault("database", strange.join("; "), restore)];
    }
    const about = `SQLite ${process.versions.sqlite}, schema ${version} of ${migrations.length}`;
    if (version < migrations.length)
      return [warning("database", `${about}: it is upgraded at the next start`, "make a backup first")];
    return [fine("database", about), ...checkIndexes(db, thorough)];
  } catch (error) {
    return [fault("database", `${file} can't be read: ${(error as Error).message}`, adviceOn(error))];
  } finally {
    db.close();
  }
}

const restore = "restore the newest good backup, or name another database with --database";

const adviceOn = (error: unknown): string =>
  isDamage(error) ? restore : "give this user the right to read it and its folder, or name another with --database";

function checkIndexes(db: DatabaseSync, thorough: boolean): Finding[] {
  const faults = [...(thorough ? check(db, catalog).faults : []), ...countFaults(db, catalog)];
  const looked = thorough
    ? "the whole database was read"
    : "all are there, and what is counted agrees with the records";
  return faults.length === 0
    ? [fine("indexes", looked)]
    : [fault("indexes", faults.join("; "), "restore the newest good backup, or export, import and serve anew")];
}

function checkFile(file: string): Finding[] {
  const { size, mode } = statSync(file);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const { bavail, bsize } = statfsSync(dirname(file));
  const free = bavail * bsize;
  const about = `${megabytes(size)} used, ${megabytes(free)} free`;
  const findings: Finding[] = [];
  if (free < leastFree) findings.push(fault("disk", about, "make room: writes fail when the disk is full"));
  else if (free < size)
    findings.push(
      warning("disk", `${about}: a backup on the same disk does not fit`, "make room, or back up elsewhere"),
    );
  else findings.push(fine("disk", about));
  if (log > longestLog) {
    const advice = "end the process that has been reading for long, or restart the servers";
    findings.push(warning("log", `the write-ahead log has ${megabytes(log)}`, advice));
  }
  if ((mode & 0o077) !== 0 && process.platform !== "win32") {
    const advice = `chmod 600 ${file}`;
    findings.push(warning("rights", `other users of this machine may open ${file}`, advice));
  }
  return findings;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString("en")} MB`;
