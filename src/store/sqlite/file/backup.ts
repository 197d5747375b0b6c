// Online backup of a SQLite database: a complete copy, or none.
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StoreError } from "../../store.ts";
import { translateErrors } from "../connection.ts";

export type PageProgress = { readonly done: number; readonly total: number };

/** Suffixes of SQLite's sidecar files, which may contain committed data that the database file doesn't yet. */
export const sidecarSuffixes: readonly string[] = ["-wal", "-shm", "-journal"];

/** How long to wait for a lock before a database counts as in use. */
export const busyTimeoutMs = 2000;

/** Pages per step: 4 MB, so that progress is visible and the thread isn't blocked. */
const pagesAtOnce = 1000;

/**
 * Opens a snapshot of a database: later commits aren't visible, and don't restart a copy. With `isUnused` nobody writes to
 * the file, so that it can be read without creating sidecar files.
 */
export function openSnapshot(file: string, { isUnused }: { isUnused: boolean }): DatabaseSync {
  return translateErrors(() => {
    const url = pathToFileURL(file);
    const isImmutable = isUnused && !sidecarSuffixes.some((end) => existsSync(file + end));
    if (isImmutable) url.searchParams.set("immutable", "1");
    // Only a writable connection removes the sidecar files when it's the last to close.
    const db = new DatabaseSync(url, { readOnly: isImmutable, timeout: busyTimeoutMs });
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

type CopyOptions = {
  /** Whether to replace an existing file; else the copy fails if there is one. */
  readonly replace: boolean;
  /** Permissions of the file. */
  readonly mode?: number;
  readonly onProgress?: ((pages: PageProgress) => void) | undefined;
  /** Validates the finished copy before it gets its name; throws to reject it. */
  readonly approve?: (copy: DatabaseSync) => void;
};

/** The name of a copy until it's complete. */
const partialName = (file: string): string => `${file}.partial-${process.pid}`;

export function removePartial(file: string): void {
  for (const end of ["", ...sidecarSuffixes]) rmSync(partialName(file) + end, { force: true });
}

/** Writes a copy under a temporary name first, so that the final name always belongs to a complete one. */
export async function writeCopy(source: DatabaseSync, file: string, options: CopyOptions): Promise<void> {
  const partial = partialName(file);
  closeSync(openSync(partial, "wx", options.mode ?? 0o600));
  try {
    await copyInto(source, partial, options.onProgress);
    finalize(partial, options.approve);
    fsyncPath(partial);
    publish(partial, file, options.replace);
    fsyncPath(dirname(file));
  } finally {
    removePartial(file);
  }
}

/** Copies in one SQLite transaction: the target has either the old or the new content, even after a crash. */
export async function copyInto(
  source: DatabaseSync,
  target: string,
  onProgress?: (pages: PageProgress) => void,
): Promise<void> {
  try {
    await backup(source, target, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) =>
        onProgress?.({ done: totalPages - remainingPages, total: totalPages }),
    });
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number };
    // A locked target is reported without a result code.
    const reason = errcode === 0 ? "it is in use, or can't be opened" : message;
    throw new StoreError(`can't write ${target}: ${reason}`, { cause: error });
  }
}

/** Turns a copy into a single file that can be opened from a read-only directory. */
function finalize(file: string, approve: CopyOptions["approve"]): void {
  translateErrors(() => {
    const db = new DatabaseSync(file);
    try {
      db.prepare("pragma journal_mode = delete").get();
      approve?.(db);
    } finally {
      db.close();
    }
  });
}

function publish(partial: string, file: string, replace: boolean): void {
  if (replace) {
    renameSync(partial, file);
    return;
  }
  try {
    // Unlike a rename, a link never replaces a file that another process has just created.
    linkSync(partial, file);
  } catch (error) {
    if (existsSync(file)) throw new StoreError(`${file} already exists`, { cause: error });
    // Some file systems don't support links.
    renameSync(partial, file);
  }
}

/** Flushes a file, or the entries of a directory, to disk. */
export function fsyncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Not every system can sync a directory.
    if (!statSync(path).isDirectory()) throw error;
  } finally {
    closeSync(descriptor);
  }
}
