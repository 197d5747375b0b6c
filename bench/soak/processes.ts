// Child processes of the soak test: starting them, sending orders, and counting their sockets.
import { type ChildProcess, fork } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AbuseOrder } from "./abuse-process.ts";
import type { GoodOrder } from "./good-process.ts";

const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** Starts a file of this directory as a process. */
export function childOf(file: string): ChildProcess {
  const child = fork(join(import.meta.dirname, file), { serialization: "advanced" });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** Sends a process an order and returns its report. */
export const reportOf = <Report>(child: ChildProcess, order: GoodOrder | AbuseOrder): Promise<Report> =>
  new Promise((resolve, reject) => {
    const gone = () => reject(new Error("a process of the soak ended before its time"));
    child.once("exit", gone);
    child.once("message", (report) => {
      child.off("exit", gone);
      resolve(report as Report);
    });
    child.send(order);
  });

/** Sockets of a process, once back to the previous number or no longer decreasing; 0 if unknown. */
export async function settledSockets(pid: number, before: number): Promise<number> {
  let seen = socketsOf(pid);
  for (let waited = 0; waited < 10 && seen > before; waited++) {
    await pause(500);
    seen = socketsOf(pid);
  }
  return seen;
}

export function socketsOf(pid: number): number {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).filter((each) => isSocket(join(folder, each))).length;
  } catch {
    return 0;
  }
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith("socket:");
  } catch {
    return false;
  }
}
