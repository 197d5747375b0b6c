// CPU time and memory of processes and of the machine, from /proc; undefined on other systems.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";

/** Linux reports CPU time in hundredths of a second. */
const ticksPerSecond = 100;

const hasProc = process.platform === "linux";

type Stat = {
  readonly parent: number;
  readonly cpuSeconds: number;
  readonly childrenCpuSeconds: number;
  readonly rss: number;
};

function statOf(pid: number | "self"): Stat | undefined {
  if (!hasProc) return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program name may contain anything; the numbers follow its closing parenthesis.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const at = (place: number) => Number(fields[place - 3]);
    return {
      parent: at(4),
      cpuSeconds: (at(14) + at(15)) / ticksPerSecond,
      childrenCpuSeconds: (at(16) + at(17)) / ticksPerSecond,
      rss: at(24) * 4096,
    };
  } catch {
    return undefined;
  }
}

function childrenOf(pid: number): number[] {
  try {
    const own = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    const children = own === "" ? [] : own.split(/\s+/).map(Number);
    return children.flatMap((child) => [child, ...childrenOf(child)]);
  } catch {
    return [];
  }
}

export type Usage = { readonly cpuSeconds: number; readonly rssBytes: number };

/**
 * CPU time and memory of processes and their descendants, including exited ones, since a database server's processes are
 * short-lived. Undefined if the system doesn't report it.
 */
export function usageOf(pids: readonly number[]): Usage | undefined {
  if (!hasProc) return undefined;
  const all = pids
    .flatMap((pid) => [pid, ...childrenOf(pid)])
    .map(statOf)
    .filter((stat) => stat !== undefined);
  return {
    cpuSeconds: all.reduce((sum, { cpuSeconds, childrenCpuSeconds }) => sum + cpuSeconds + childrenCpuSeconds, 0),
    rssBytes: all.reduce((sum, { rss }) => sum + rss, 0),
  };
}

/** The largest memory that a running process has had; undefined if the system doesn't report it. */
export function peakMemoryOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

export type Moment = { readonly busy: number; readonly steal: number; readonly own: number };

/** CPU seconds of the whole machine, steal time, and those of this process and its exited children. */
export function momentOf(): Moment | undefined {
  if (!hasProc) return undefined;
  const [, ...fields] = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.split(/\s+/) ?? [];
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields.map(
    (each) => Number(each) / ticksPerSecond,
  );
  const self = statOf("self");
  return {
    busy: user + nice + system + irq + softirq,
    steal,
    own: (self?.cpuSeconds ?? 0) + (self?.childrenCpuSeconds ?? 0),
  };
}

export const cores = cpus().length;
