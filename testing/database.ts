// The database of a server under test: a file in memory where the system has a file system there, deleted at the end.
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Memory as a file system, on Linux. */
const tmpfs = "/dev/shm";

/** Containers have 64 MB there by default; a server with test records needs a few. */
const roomNeeded = 32 * 1024 ** 2;

let directory: string | undefined;
let made = 0;

export type TemporaryDatabase = { readonly file: string; remove(): void };

/** A file that doesn't exist yet, and how to remove it. */
export function temporaryDatabase(): TemporaryDatabase {
  directory ??= makeDirectory();
  const file = join(directory, `${++made}.db`);
  return {
    file,
    remove: () => {
      for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
    },
  };
}

/** A copy of a database that no process has open, as another one: no cached response of one is valid for the other. */
export async function copyDatabase(original: string): Promise<TemporaryDatabase> {
  const copy = temporaryDatabase();
  await copyFile(original, copy.file);
  const db = new DatabaseSync(copy.file);
  db.exec("update setting set value = lower(hex(randomblob(6))) where name = 'database'");
  db.close();
  return copy;
}

function makeDirectory(): string {
  const made = mkdtempSync(join(isRoomy(tmpfs) ? tmpfs : tmpdir(), `bellwire-testing-${process.pid}-`));
  // Also of servers that were never closed.
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  return made;
}

function isRoomy(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= roomNeeded;
  } catch {
    return false;
  }
}
