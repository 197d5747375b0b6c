// V8's heap settings, the same for the server and for bulk loads. They apply to all threads of the process.
import { setFlagsFromString } from "node:v8";

/** `growth`: percent by which the old generation may grow before it is collected. */
export function tuneHeap(growth: number): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
  // So few new objects survive a collection that parallel helpers cost more than they save.
  setFlagsFromString("--no-parallel-scavenge");
  // Left to itself, the young generation grows to four times its size, some 60 MB with all threads, for no gain in CPU time.
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** For commands that read a whole database or file: nearly everything is garbage once it is written. */
export const tuneHeapForBulk = (): void => tuneHeap(20);
