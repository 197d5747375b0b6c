// Whether a process that serves reads pages of SQLite in a thread of their own, and the program of that thread.
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import type { Config } from "../config.ts";

/** Source and package differ in how their files end. */
const program = new URL(`../reading${extname(import.meta.url)}`, import.meta.url);

/** Two threads on one processor would only take turns. */
const hasRoom = (processes: number): boolean => availableParallelism() >= 2 * processes;

export function readingOf(config: Config): URL | undefined {
  const given = config.given("read-thread") ?? String(hasRoom(Number(config.get("workers"))));
  return given === "true" ? program : undefined;
}
