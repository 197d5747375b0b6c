// Puts one SQLite database in the place of another. SQLite does it in one transaction, under its own locks: files that
// are renamed while a process has them open would mix the log of one database with the pages of the other.
import { existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../../store.ts";
import { reporting } from "../connection.ts";
import { companions, copyInto, type Pages, patienceMs, sync, writeCopy } from "./backup.ts";

const isFilled = (file: string): boolean => existsSync(file) && statSync(file).size > 0;

/** Whether a database has this name, or something that one has left. An empty file is none. */
export const isTaken = (file: string): boolean => [file, `${file}-wal`, `${file}-journal`].some(isFilled);

/**
 * Puts what the source holds in the place of the target, and keeps what was there under the name that is given back;
 * undefined when there was nothing. Fails when another process uses the target.
 */
export async function replaceDatabase(
  source: DatabaseSync,
  target: string,
  onProgress?: (doing: "keeping" | "restoring", pages: Pages) => void,
): Promise<string | undefined> {
  mkdirSync(dirname(target), { recursive: true });
  const kept = freeName(target);
  const restoring = (pages: Pages) => onProgress?.("restoring", pages);
  const old = isFilled(target) ? openAlone(target) : undefined;
  if (old === undefined) {
    // There is no database, or none that SQLite can read: what is there is moved out of the way as it is.
    const moved = isTaken(target);
    moveAway(target, kept);
    await writeCopy(source, target, { replace: false, onProgress: restoring, approve: renew });
    return moved ? kept : undefined;
  }
  try {
    const mode = statSync(target).mode & 0o777;
    await writeCopy(old, kept, { replace: false, mode, onProgress: (pages) => onProgress?.("keeping", pages) });
  } finally {
    old.close();
  }
  await copyInto(source, target, restoring);
  const restored = new DatabaseSync(target, { timeout: patienceMs });
  try {
    reporting(() => renew(restored));
  } finally {
    restored.close();
  }
  sync(target);
  return kept;
}

/**
 * Gives a database a new identity. It goes on from an earlier moment, so that numbers of its log come to stand for other
 * changes: tags and positions from before must not be taken for its own.
 */
function renew(db: DatabaseSync): void {
  db.exec("update setting set value = lower(hex(randomblob(6))) where name = 'database'");
}

const busy = 5;
const unreadable = [11, 26];

/** The database as one file with no log beside it; undefined when it can't be read. Fails when others have it open. */
function openAlone(file: string): DatabaseSync | undefined {
  const db = new DatabaseSync(file, { timeout: patienceMs });
  try {
    // SQLite takes the log into the file only for a process that has the database to itself.
    db.prepare("pragma journal_mode = delete").get();
    // From here on nobody else can write.
    db.exec("begin");
    db.prepare("select count(*) from sqlite_schema").get();
    return db;
  } catch (error) {
    db.close();
    const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
    if (unreadable.includes(code)) return undefined;
    if (code === busy) {
      throw new StoreError(`${file} is in use by another process: stop the server, and try again`, { cause: error });
    }
    return reporting(() => {
      throw error;
    });
  }
}

/** A name beside the database that no earlier restore has used. */
function freeName(target: string): string {
  for (let n = 1; ; n++) {
    const name = `${target}.before-restore${n === 1 ? "" : `-${n}`}`;
    if (!["", ...companions].some((end) => existsSync(name + end))) return name;
  }
}

function moveAway(target: string, kept: string): void {
  const there = ["", ...companions].filter((end) => existsSync(target + end));
  // The database itself goes last: as long as it has its name, nobody takes what is left for none.
  for (const end of there.toReversed()) renameSync(target + end, kept + end);
}
