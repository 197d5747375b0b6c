// Copies of a SQLite database: taken while it is in use, whole or not at all.
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StoreError } from "../../store.ts";
import { reporting } from "../connection.ts";

export type Pages = { readonly done: number; readonly total: number };

/** Files that SQLite keeps beside a database: what is committed may stand in one of them alone. */
export const companions: readonly string[] = ["-wal", "-shm", "-journal"];

/** How long another process may hold a database before it counts as in use. */
export const patienceMs = 2000;

/** Pages at a time: 4 MB, so that progress is seen and the thread is not held. */
const pagesAtOnce = 1000;

/**
 * Opens a database as it is at this moment: what others commit later is not seen, and does not make a copy begin anew.
 * A `still` file is one that nobody writes to: it is read without anything being made beside it.
 */
export function openMoment(file: string, { still }: { still: boolean }): DatabaseSync {
  return reporting(() => {
    const url = pathToFileURL(file);
    const alone = still && !companions.some((end) => existsSync(file + end));
    if (alone) url.searchParams.set("immutable", "1");
    // Only one that may write tidies up beside a database when it was the last to use it.
    const db = new DatabaseSync(url, { readOnly: alone, timeout: patienceMs });
    try {
      db.exec("pragma query_only = true; begin");
      db.prepare("select count(*) from sqlite_schema").get();
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

export type CopyOptions = {
  /** Whether a file of that name is replaced; else the copy fails when there is one. */
  readonly replace: boolean;
  /** Permissions of the file. */
  readonly mode?: number;
  readonly onProgress?: ((pages: Pages) => void) | undefined;
  /** Looks at the finished copy before it gets its name; throws to forbid that. */
  readonly approve?: (copy: DatabaseSync) => void;
};

/** The name under which a copy is written until it is whole. */
const partialName = (file: string): string => `${file}.partial-${process.pid}`;

export function removePartial(file: string): void {
  for (const end of ["", ...companions]) rmSync(partialName(file) + end, { force: true });
}

/** Writes a copy: under another name first, so that the name always stands for a whole one. */
export async function writeCopy(source: DatabaseSync, file: string, options: CopyOptions): Promise<void> {
  const partial = partialName(file);
  closeSync(openSync(partial, "wx", options.mode ?? 0o600));
  try {
    await copyInto(source, partial, options.onProgress);
    settle(partial, options.approve);
    sync(partial);
    giveName(partial, file, options.replace);
    sync(dirname(file));
  } finally {
    removePartial(file);
  }
}

/** One transaction of SQLite on the target: it holds the old or the new at every moment, also after a kill. */
export async function copyInto(
  source: DatabaseSync,
  target: string,
  onProgress?: (pages: Pages) => void,
): Promise<void> {
  try {
    await backup(source, target, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) =>
        onProgress?.({ done: totalPages - remainingPages, total: totalPages }),
    });
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number };
    // A target that is locked is reported without a code.
    const reason = errcode === 0 ? "it is in use, or can't be opened" : message;
    throw new StoreError(`can't write ${target}: ${reason}`, { cause: error });
  }
}

/** Makes a copy one file, that opens where nothing can be written beside it. */
function settle(file: string, approve: CopyOptions["approve"]): void {
  reporting(() => {
    const db = new DatabaseSync(file);
    try {
      db.prepare("pragma journal_mode = delete").get();
      approve?.(db);
    } finally {
      db.close();
    }
  });
}

function giveName(partial: string, file: string, replace: boolean): void {
  if (replace) {
    renameSync(partial, file);
    return;
  }
  try {
    // Unlike a rename, a link never takes the name from a file that another has just made.
    linkSync(partial, file);
  } catch (error) {
    if (existsSync(file)) throw new StoreError(`${file} is there already`, { cause: error });
    // Some file systems have no links.
    renameSync(partial, file);
  }
}

/** Waits until a file, or the names in a folder, are on the disk. */
export function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Not every system can do this to a folder.
    if (!statSync(path).isDirectory()) throw error;
  } finally {
    closeSync(descriptor);
  }
}
