// Restores a SQLite database over another one, in one SQLite transaction: renaming files that a process has open would mix
// the WAL of one database with the pages of the other.
import { existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../../store.ts";
import { translateErrors } from "../connection.ts";
import { busyTimeoutMs, copyInto, fsyncPath, type PageProgress, sidecarSuffixes, writeCopy } from "./backup.ts";

const isNonEmpty = (file: string): boolean => existsSync(file) && statSync(file).size > 0;

/** Whether a database, or a leftover WAL or journal, exists. An empty file doesn't count. */
export const databaseExists = (file: string): boolean => [file, `${file}-wal`, `${file}-journal`].some(isNonEmpty);

/**
 * Replaces the target with the source, and saves the old content under the returned name; undefined if there was none.
 * Fails if another process uses the target.
 */
export async function replaceDatabase(
  source: DatabaseSync,
  target: string,
  onProgress?: (doing: "keeping" | "restoring", pages: PageProgress) => void,
): Promise<string | undefined> {
  mkdirSync(dirname(target), { recursive: true });
  const saved = unusedName(target);
  const restoring = (pages: PageProgress) => onProgress?.("restoring", pages);
  const old = isNonEmpty(target) ? openExclusively(target) : undefined;
  if (old === undefined) {
    // There is no database, or none that SQLite can read: existing files are moved aside unchanged.
    const moved = databaseExists(target);
    moveAside(target, saved);
    await writeCopy(source, target, { replace: false, onProgress: restoring, approve: assignNewId });
    return moved ? saved : undefined;
  }
  try {
    const mode = statSync(target).mode & 0o777;
    await writeCopy(old, saved, { replace: false, mode, onProgress: (pages) => onProgress?.("keeping", pages) });
  } finally {
    old.close();
  }
  await copyInto(source, target, restoring);
  const restored = new DatabaseSync(target, { timeout: busyTimeoutMs });
  try {
    translateErrors(() => assignNewId(restored));
  } finally {
    restored.close();
  }
  fsyncPath(target);
  return saved;
}

/**
 * Gives the database a new ID. It continues from an earlier state, so that log positions will be reused for different
 * changes: ETags and positions from before the restore must not match.
 */
function assignNewId(db: DatabaseSync): void {
  db.exec("update setting set value = lower(hex(randomblob(6))) where name = 'database'");
}

const busy = 5;
const unreadable = [11, 26];

/** Opens a database as a single file without a WAL; undefined if it can't be read. Fails if it's in use. */
function openExclusively(file: string): DatabaseSync | undefined {
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    // SQLite merges the WAL into the file only for a process with exclusive access.
    db.prepare("pragma journal_mode = delete").get();
    // From here on no other process can write.
    db.exec("begin");
    db.prepare("select count(*) from sqlite_schema").get();
    return db;
  } catch (error) {
    db.close();
    const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
    if (unreadable.includes(code)) return undefined;
    if (code === busy) {
      throw new StoreError(`${file} is in use by another process: stop the server and try again`, { cause: error });
    }
    return translateErrors(() => {
      throw error;
    });
  }
}

/** A name for the saved database that no earlier restore has used. */
function unusedName(target: string): string {
  for (let n = 1; ; n++) {
    const name = `${target}.before-restore${n === 1 ? "" : `-${n}`}`;
    if (!["", ...sidecarSuffixes].some((end) => existsSync(name + end))) return name;
  }
}

function moveAside(target: string, saved: string): void {
  const existing = ["", ...sidecarSuffixes].filter((end) => existsSync(target + end));
  // The database goes last: until then no other process mistakes the target for missing.
  for (const end of existing.toReversed()) renameSync(target + end, saved + end);
}
