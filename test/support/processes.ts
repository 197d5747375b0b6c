// Processes that tests start: one that a failed test leaves behind would keep its batch from ending.
import type { ChildProcess } from "node:child_process";

const running = new Set<ChildProcess>();

export function endAfterFile(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child));
}

export function endProcesses(): void {
  for (const child of running) child.kill("SIGKILL");
}
