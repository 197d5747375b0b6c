// Slots for exports: each holds a connection of the database, and on SQLite a thread, for as long as its client reads.
import type { Problem } from "../../core/problem.ts";
import { busy, LargePageQueue } from "./large-page-queue.ts";

export type ExportLimits = {
  readonly concurrency: number;
  readonly perKey: number;
  readonly maxWaiting: number;
  readonly timeoutMs: number;
  /** Longest time a snapshot may be open: it prevents the database from discarding old versions of records. */
  readonly maxMs: number;
  /** Records per chunk; those with body text count ten times. */
  readonly chunkRecords: number;
};

export const defaultExportLimits: ExportLimits = {
  concurrency: 4,
  perKey: 2,
  maxWaiting: 16,
  timeoutMs: 5000,
  maxMs: 15 * 60_000,
  // Few enough that converting them doesn't delay other requests.
  chunkRecords: 500,
};

export type ExportSlots = {
  readonly limits: ExportLimits;
  /** A problem if too many exports are in progress or waiting; otherwise a function that releases the slot. */
  acquire(key: string, isAborted: () => boolean): Promise<Problem | (() => void)>;
};

export function exportSlots(limits: ExportLimits): ExportSlots {
  const queue = new LargePageQueue(limits, "Too many exports are in progress.");
  const byKey = new Map<string, number>();
  const leave = (key: string): void => {
    const left = (byKey.get(key) ?? 1) - 1;
    if (left === 0) byKey.delete(key);
    else byKey.set(key, left);
  };
  return {
    limits,
    acquire: async (key, isAborted) => {
      const count = byKey.get(key) ?? 0;
      if (count >= limits.perKey) return busy(`This key has ${count} exports in progress, which is the limit.`);
      byKey.set(key, count + 1);
      const refused = await queue.acquire(isAborted);
      if (refused !== undefined) {
        leave(key);
        return refused;
      }
      return () => {
        leave(key);
        queue.release();
      };
    },
  };
}
