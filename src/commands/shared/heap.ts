// V8's heap settings, set in one place. They apply to all threads of the process.
import { setFlagsFromString } from "node:v8";

/** `growth`: percent by which the old generation may grow before it is collected. */
export function tuneHeap(growth: number): void {
  tuneHeapForBulk(growth);
  // Left to itself, the young generation grows to four times its size, some 60 MB with all threads, for no gain in CPU time.
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** For commands that read a whole file or database: nearly everything is garbage once it is written. */
export function tuneHeapForBulk(growth = 20): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
  // So few new objects survive a collection that parallel helpers cost more than they save.
  setFlagsFromString("--no-parallel-scavenge");
}
