// The database of a server under test: a file in memory where the system has a file system there, deleted at the end.
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Memory as a file system, on Linux. */
const tmpfs = "/dev/shm";

/** Containers have 64 MB there by default; a server with test records needs a few. */
const roomNeeded = 32 * 1024 ** 2;

export type TemporaryDatabase = { readonly file: string; remove(): void };

/** Those of servers that aren't closed yet. */
const directories = new Set<string>();

// Some test runners end their processes without this event, so that only closing a server is sure to delete its files.
process.once("exit", () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** A file that doesn't exist yet, and how to remove it. */
export function temporaryDatabase(): TemporaryDatabase {
  const directory = mkdtempSync(join(isRoomy(tmpfs) ? tmpfs : tmpdir(), `bellwire-testing-${process.pid}-`));
  directories.add(directory);
  return {
    file: join(directory, "test.db"),
    remove: () => {
      rmSync(directory, { recursive: true, force: true });
      directories.delete(directory);
    },
  };
}

/** A copy of a database, as another one: no cached response of one is valid for the other. */
export async function copyDatabase(original: Uint8Array): Promise<TemporaryDatabase> {
  const copy = temporaryDatabase();
  await writeFile(copy.file, original, { mode: 0o600 });
  const db = new DatabaseSync(copy.file);
  db.exec("update setting set value = lower(hex(randomblob(6))) where name = 'database'");
  db.close();
  return copy;
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
