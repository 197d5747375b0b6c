// Where tests put their databases: in memory if the machine has a tmpfs with enough space, since nothing written by a test
// has to survive a power failure, and small transactions spend most of their time waiting for a disk.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const tmpfs = "/dev/shm";
const roomNeeded = 4 * 1024 ** 3;

/** A directory for the run, removed with everything in it when the process exits. */
export function scratchDirectory(): string {
  const folder = mkdtempSync(join(hasRoomyTmpfs() ? tmpfs : tmpdir(), "bellwire-tests-"));
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(folder, 0o755);
  // Processes that were killed a moment ago may still write.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

function hasRoomyTmpfs(): boolean {
  try {
    // Programs are copied and started there; some containers forbid it.
    const mount = readFileSync("/proc/mounts", "utf8").match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1];
    if (mount === undefined || mount.split(",").includes("noexec")) return false;
    const { bavail, bsize } = statfsSync(tmpfs);
    return bavail * bsize >= roomNeeded;
  } catch {
    return false;
  }
}
