// Runs one batch of test files in a process and collects its results and its output.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, unwatchFile, watchFile } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesVariable } from "./files.ts";
import type { Result } from "./reporter.ts";

/** A batch in which no test finishes for so long hangs, however busy the machine is. */
const silenceMinutes = 15;

/** Processes left behind by an interrupted run can be killed as a group. */
const hasGroups = process.platform !== "win32";

const entry = fileURLToPath(import.meta.resolve("./entry.ts"));
const reporter = fileURLToPath(import.meta.resolve("./reporter.ts"));

export type BatchResult = {
  readonly files: readonly string[];
  readonly results: readonly Result[];
  /** Its output, failures last; empty if it was passed through. */
  readonly output: string;
  /** False if a test failed, the process crashed or hung, or a file ran no test. */
  readonly ok: boolean;
  readonly milliseconds: number;
};

export async function runBatch(
  files: readonly string[],
  environment: NodeJS.ProcessEnv,
  passThrough: boolean,
): Promise<BatchResult> {
  const folder = mkdtempSync(join(tmpdir(), "bellwire-results-"));
  const report = join(folder, "results.ndjson");
  const started = performance.now();
  const child = spawn(process.execPath, argumentsOf(report), {
    env: { ...environment, [filesVariable]: JSON.stringify(files) },
    stdio: ["ignore", passThrough ? "inherit" : "pipe", passThrough ? "inherit" : "pipe"],
    detached: hasGroups,
  });
  const kill = () => killGroup(child);
  process.prependOnceListener("exit", kill);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  let hung = false;
  const limit = setTimeout(() => {
    hung = true;
    kill();
  }, silenceMinutes * 60_000);
  watchFile(report, { interval: 1000, persistent: false }, () => limit.refresh());
  const status = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
  clearTimeout(limit);
  unwatchFile(report);
  process.off("exit", kill);
  if (hung) chunks.push(Buffer.from(`killed: no test finished for ${silenceMinutes} minutes\n`));
  const results = readResults(report);
  rmSync(folder, { recursive: true, force: true });
  const silent = files.filter((file) => !results.some((result) => result.file === file));
  for (const file of silent) chunks.push(Buffer.from(`${file}: no test of it has finished\n`));
  return {
    files,
    results,
    output: Buffer.concat(chunks).toString("utf8"),
    ok: status === 0 && silent.length === 0,
    milliseconds: performance.now() - started,
  };
}

/** With all processes that it has started: servers, commands, browsers. */
function killGroup({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(hasGroups ? -pid : pid, "SIGKILL");
  } catch {
    // It has already exited.
  }
}

/** The last line is cut off when the process was killed. */
function readResults(report: string): Result[] {
  const lines = readFileSync(report, { encoding: "utf8", flag: "a+" }).split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Result);
}

const argumentsOf = (report: string): string[] => [
  "--test-reporter=spec",
  "--test-reporter-destination=stdout",
  `--test-reporter=${reporter}`,
  `--test-reporter-destination=${report}`,
  entry,
];
