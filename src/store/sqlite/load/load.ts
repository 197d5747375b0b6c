// A load as the main thread sees it: prepares records while the writer thread inserts those before them.
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Rendering } from "../../../core/catalog/field.ts";
import type { Resource } from "../../../core/catalog/resource.ts";
import { tablesOf } from "../../rows/row-encoding.ts";
import { type Load, type LoadOptions, StoreError } from "../../store.ts";
import type { CallThread } from "../threads/threads.ts";
import { type PreparedRow, prepareRow } from "../write/prepare-row.ts";
import { type OrderKey, orderKeyOf, writeOrder } from "../write/write-order.ts";

/** Records per message: cloning more would block the event loop for too long. */
const maxRowsPerMessage = 250;

/**
 * Bytes on disk for each character of the records: rows and indexes, once in the WAL and once in the database, and the
 * files of the largest sort.
 */
const bytesPerCharacter = 5;

export async function checkSpace(file: string, text: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(file));
  const [needed, free] = [text * bytesPerCharacter, bavail * bsize];
  if (needed <= free) return;
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  throw new StoreError(
    `the load needs about ${gigabytes(needed)} of disk space at ${dirname(file)}; ${gigabytes(free)} are free`,
  );
}

/** `call` reaches the writer thread while the load holds the write lock; `end` releases it. */
export async function beginLoad(
  call: CallThread,
  rendering: () => Promise<Rendering>,
  resource: Resource,
  at: number,
  options: LoadOptions,
  end: () => void,
): Promise<Load> {
  await call("beginLoad", resource.name, at, options);
  // Fixed from now on: changing it takes the lock.
  const fixed = await rendering().catch(async (error) => {
    await call("rollbackLoad");
    throw error;
  });
  const tables = tablesOf(resource);
  let keys: OrderKey[] = [];
  let prepared: PreparedRow[] = [];
  let writing: Promise<void> = Promise.resolve();
  let isCommitted = false;

  /** The writer always has a batch to continue with: it waits for the one before. */
  const flush = async (): Promise<void> => {
    const batch = writeOrder(keys).map((index) => prepared[index] as PreparedRow);
    keys = [];
    prepared = [];
    const previous = writing;
    writing = send(batch, call);
    // Reported by the next call.
    writing.catch(() => {});
    await previous;
  };
  return {
    add: (row) => {
      keys.push(orderKeyOf(resource, row.row));
      prepared.push(prepareRow(tables, row, fixed));
    },
    flush,
    commit: async (onPhase = () => {}) => {
      await flush();
      await writing;
      const steps = await call("loadSteps");
      for (let step = 0; step < steps; step++) {
        onPhase("indexing", step, steps);
        await call("stepLoad", step);
      }
      const result = await call("commitLoad");
      isCommitted = true;
      end();
      return result;
    },
    rollback: async () => {
      // Another load may have begun.
      if (isCommitted) return;
      await writing.catch(() => {});
      await call("rollbackLoad").finally(end);
    },
  };
}

async function send(batch: readonly PreparedRow[], call: CallThread): Promise<void> {
  const sent: Promise<void>[] = [];
  for (let from = 0; from < batch.length; from += maxRowsPerMessage) {
    const written = call("putLoad", batch.slice(from, from + maxRowsPerMessage));
    // Reported once all are sent; until then, a failure mustn't count as unhandled.
    written.catch(() => {});
    sent.push(written);
    await setImmediate();
  }
  await Promise.all(sent);
}
