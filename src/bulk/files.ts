// Bulk files of a server: generated once per snapshot, in a directory that the processes of a host may share.
import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Resource } from "../core/catalog/resource.ts";
import type { BulkFormat } from "../core/output/bulk.ts";
import { type Store, StoreError } from "../store/store.ts";
import type { WrittenFile } from "./write.ts";

export type BulkFile = {
  /** Open, so that it can be read to its end after a newer one has replaced it. The caller closes it. */
  readonly handle: FileHandle;
  readonly size: number;
  /** Strong: the same for the same bytes. */
  readonly tag: string;
  readonly modified: Date;
};

/** Writes a file, not on the thread that serves requests. */
export type WriteBulk = (resource: Resource, format: BulkFormat, file: string) => Promise<WrittenFile>;

type BulkOptions = {
  readonly directory: string;
  /** A snapshot of up to this age is served although records have changed since; 0: only the current one is. */
  readonly maxAgeSeconds: number;
  readonly store: Store;
  readonly write: WriteBulk;
  /** Unix seconds. */
  readonly now: () => number;
};

export type BulkFiles = { readonly get: (resource: Resource, format: BulkFormat) => Promise<BulkFile> };

/** Free space that a new file leaves, besides twice the size of its predecessor. */
const reserveBytes = 256 * 1024 * 1024;
/** How often a process looks whether another one has finished a file. */
const pollMs = 200;
/** The lock of a process that was killed is ignored after this time. */
const lockMs = 30_000;
/** Unfinished files of processes that were killed are removed after this time. */
const abandonedMs = 24 * 3600 * 1000;

/** A finished file: its name has its version and a hash of its contents. */
type Finished = { readonly path: string; readonly stamp: string; readonly hash: string };

type Generation = { readonly began: number; readonly made: Promise<Finished | undefined> };

export function bulkFiles(options: BulkOptions): BulkFiles {
  const { directory, maxAgeSeconds, store, now } = options;
  const inFlight = new Map<string, Generation>();
  /** One generation at a time, since it keeps a core busy. */
  let queue: Promise<unknown> = Promise.resolve();
  /** Orders requests and generations. */
  let clock = 0;

  const current = async (name: string, resource: Resource): Promise<BulkFile | undefined> => {
    const newest = (await finishedIn(directory, name))[0];
    // Before the file is opened: the database may be away.
    const stamp = (await store.state()).versionTag(resource);
    const file = newest && (await opened(newest));
    if (newest === undefined || file === undefined) return undefined;
    const isCurrent = newest.stamp === stamp;
    const age = now() - file.modified.getTime() / 1000;
    if (isCurrent || (age >= 0 && age < maxAgeSeconds)) return file;
    await file.handle.close();
    return undefined;
  };

  const generateOrExplain = (name: string, resource: Resource, format: BulkFormat) =>
    generate(options, name, resource, format).catch((error: unknown) => {
      if (!(error instanceof Error && "syscall" in error)) throw error;
      throw new StoreError(`cannot write a bulk file: ${error.message}; see --bulk-directory`, { cause: error });
    });

  const generation = (name: string, resource: Resource, format: BulkFormat): Generation => {
    const running = inFlight.get(name);
    if (running !== undefined) return running;
    const made = queue.then(() => generateOrExplain(name, resource, format)).finally(() => inFlight.delete(name));
    queue = made.catch(() => {});
    const started = { began: ++clock, made };
    inFlight.set(name, started);
    return started;
  };

  return {
    get: async (resource, format) => {
      const arrived = ++clock;
      const name = `${(await store.state()).databaseId}-${resource.name}.${format}`;
      for (;;) {
        const file = await current(name, resource);
        if (file !== undefined) return file;
        const { began, made } = generation(name, resource, format);
        const finished = await made;
        // What was begun for this request is new enough, even if records change all the time.
        const served = finished !== undefined && began > arrived ? await opened(finished) : undefined;
        if (served !== undefined) return served;
      }
    },
  };
}

/** Undefined if another process is generating it. */
async function generate(
  { directory, write, now }: BulkOptions,
  name: string,
  resource: Resource,
  format: BulkFormat,
): Promise<Finished | undefined> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = await lockFor(join(directory, `${name}.lock`));
  if (lock === undefined) {
    await pause(pollMs);
    return undefined;
  }
  const temporary = join(directory, `${name}.${randomUUID()}.writing`);
  try {
    await removeAbandoned(directory);
    await checkSpace(directory, await finishedIn(directory, name));
    const began = now();
    const { stamp, hash } = await write(resource, format, temporary);
    const path = join(directory, `${name}~${stamp}~${hash}`);
    await utimes(temporary, began, began);
    await rename(temporary, path);
    for (const old of await finishedIn(directory, name)) if (old.path !== path) await rm(old.path, { force: true });
    return { path, stamp, hash };
  } finally {
    // What can't be removed now is removed once it is old, and says less than why the file wasn't written.
    await rm(temporary, { force: true }).catch(() => {});
    await lock.release();
  }
}

/** Newest first. */
async function finishedIn(directory: string, name: string): Promise<Finished[]> {
  const found: (Finished & { readonly at: number })[] = [];
  for (const entry of await readdir(directory).catch(() => [])) {
    const [own, stamp, hash] = entry.split("~");
    if (own !== name || stamp === undefined || hash === undefined) continue;
    const path = join(directory, entry);
    const at = (await stat(path).catch(() => undefined))?.mtimeMs;
    if (at !== undefined) found.push({ path, stamp, hash, at });
  }
  return found.sort((a, b) => b.at - a.at);
}

/** Undefined if another process has just removed it. */
async function opened({ path, hash }: Finished): Promise<BulkFile | undefined> {
  const handle = await open(path).catch(() => undefined);
  if (handle === undefined) return undefined;
  const { size, mtime } = await handle.stat();
  return { handle, size, tag: `"${hash}"`, modified: mtime };
}

/**
 * Undefined while another process has it. Its holder shows that it is alive by touching it; process IDs would repeat in
 * containers. If two processes have it after all, they only do the same work twice.
 */
async function lockFor(path: string): Promise<{ release(): Promise<void> } | undefined> {
  try {
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const touched = (await stat(path).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - touched > lockMs) await rm(path, { force: true });
    return undefined;
  }
  const touch = () => void utimes(path, new Date(), new Date()).catch(() => {});
  const timer = setInterval(touch, lockMs / 6).unref();
  return {
    release: () => {
      clearInterval(timer);
      return rm(path, { force: true }).catch(() => {});
    },
  };
}

async function removeAbandoned(directory: string): Promise<void> {
  for (const entry of await readdir(directory)) {
    if (!entry.endsWith(".writing")) continue;
    const path = join(directory, entry);
    const at = (await stat(path).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - at > abandonedMs) await rm(path, { force: true });
  }
}

/** The predecessor remains until the new file is complete. */
async function checkSpace(directory: string, [predecessor]: readonly Finished[]): Promise<void> {
  const size = predecessor && (await stat(predecessor.path).catch(() => undefined))?.size;
  const { bavail, bsize } = await statfs(directory);
  const [free, needed] = [bavail * bsize, 2 * (size ?? 0) + reserveBytes];
  if (free >= needed) return;
  const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);
  throw new StoreError(
    `no space for a bulk file: ${megabytes(needed)} MB needed in the bulk directory, ${megabytes(free)} MB free`,
  );
}
