// Whether anything was committed since the last look, at the cost of one small read: the head of SQLite's index of its
// log (`-shm`) changes with every commit. Where there is none, SQLite is asked, which takes three times as long.
import { openSync, readSync, statSync } from "node:fs";
import type { Connection } from "./connection.ts";

/** The head stands there twice, one copy written after the other: where they differ, a commit is under way. */
const headBytes = 48;

/**
 * Never closed: a process that closes any descriptor of a file loses all its locks on it, and SQLite's locks are on this
 * one. One for each file that was ever opened.
 */
const descriptors = new Map<string, number>();

/** Gives true at the first look, and whenever a commit may have come since the last. */
export function sightOf(file: string, reader: Connection): () => boolean {
  const bytes = new Int32Array((2 * headBytes) / 4);
  const seen = new Int32Array(headBytes / 4);
  let descriptor = headOf(file);
  let version = Number.NaN;

  const asked = (): boolean => {
    const before = version;
    version = reader.dataVersion();
    return version !== before;
  };

  return () => {
    if (descriptor === undefined) return asked();
    if (readSync(descriptor, bytes, 0, 2 * headBytes, 0) < 2 * headBytes) {
      descriptor = undefined;
      return true;
    }
    let same = true;
    for (let at = 0; at < seen.length; at++) {
      const value = bytes[at] as number;
      if (value !== bytes[at + seen.length]) return true;
      if (value !== seen[at]) same = false;
    }
    if (!same) seen.set(bytes.subarray(0, seen.length));
    return !same;
  };
}

function headOf(file: string): number | undefined {
  try {
    const path = `${file}-shm`;
    const { dev, ino } = statSync(path);
    const name = `${dev} ${ino}`;
    const descriptor = descriptors.get(name) ?? openSync(path, "r");
    descriptors.set(name, descriptor);
    return descriptor;
  } catch {
    return undefined;
  }
}
