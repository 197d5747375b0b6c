// For tests of the command line: runs it as scripts do, in a temporary folder. Tests of the process itself, such as of
// signals, pipes, and `serve`, get a separate process; other commands share one, which saves loading the program.
import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endAfterFile } from "../../support/processes.ts";
import { commandHost } from "./hosted.ts";

export const folder = mkdtempSync(join(tmpdir(), "bellwire-commands-"));
// A hook would belong to the first file that imports this module; others may still need the folder and the host then.
process.once("exit", () => {
  host.stop();
  rmSync(folder, { recursive: true, force: true });
});

let made = 0;

/** The name of a database that doesn't exist yet. */
export const freshDatabase = (): string => join(folder, `${++made}.db`);

export function fileOf(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

export type Options = {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Use a separate process instead of the shared one, so that every command's startup is tested once. */
  readonly ownProcess?: boolean;
  /** Open-file limit of the process; by default this one's. */
  readonly openFiles?: number;
};

export type Finished = {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

const cli = fileURLToPath(new URL("../../../src/cli.js", import.meta.url));

/** Disables load shedding, and gives statements time on a busy machine, unless a test sets those limits. */
const patient = { BELLWIRE_BUSY_MS: "0", BELLWIRE_STATEMENT_SECONDS: "300" };

/** The developer's own settings must not reach the process under test. */
const plainEnvironment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("BELLWIRE_"))),
  ...patient,
  // Processes are many and short, so they share a compile cache.
  NODE_COMPILE_CACHE:
    process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "compiled"),
};
const host = commandHost(plainEnvironment);

export type Running = {
  readonly child: ChildProcessWithoutNullStreams;
  readonly output: { readonly stdout: string; readonly stderr: string };
  readonly finished: Promise<Finished>;
  /** Resolves when the output matches. */
  until(stream: "stdout" | "stderr", pattern: RegExp): Promise<void>;
  /** Sends a signal and waits for the process to exit. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
};

/** Starts a command. */
export function start(args: readonly string[], { env = {}, cwd = folder, openFiles }: Options = {}): Running {
  const command = [process.execPath, cli, ...args];
  const limited = ["sh", "-c", `ulimit -n ${openFiles}; exec "$@"`, "sh", ...command];
  const [program = "", ...rest] = openFiles === undefined ? command : limited;
  const child = spawn(program, rest, { cwd, env: { ...plainEnvironment, ...env } });
  endAfterFile(child);
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text;
    });
  }
  const finished = new Promise<Finished>((resolve) => {
    child.on("close", (status, signal) => {
      resolve({ status, signal, ...output });
    });
  });
  return {
    child,
    output,
    finished,
    until: (stream, pattern) =>
      new Promise((resolve, reject) => {
        const look = () => pattern.test(output[stream]) && resolve();
        child[stream].on("data", look);
        look();
        void finished.then(({ status, signal, stderr }) =>
          reject(new Error(`ended with ${signal ?? status}: ${stderr}`)),
        );
      }),
    stop: (signal = "SIGTERM") => {
      child.kill(signal);
      return finished;
    },
  };
}

/** Runs a command to its end. */
export async function bellwire(args: readonly string[], options: Options = {}): Promise<Finished> {
  const { env = {}, cwd = folder, input = "", ownProcess = args[0] === "serve" } = options;
  if (!ownProcess) {
    const { status, stdout, stderr } = await host.run({ args, env, cwd, input });
    return { status, signal: null, stdout, stderr };
  }
  const { child, finished } = start(args, options);
  // A command may end before it has read its input.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return finished;
}

/** Runs a command that must succeed and returns its standard output. */
export async function bellwireWrites(args: readonly string[], options: Options = {}): Promise<string> {
  const { status, stdout, stderr } = await bellwire(args, options);
  assert.equal(status, 0, `${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

export type Serving = Running & { readonly url: string };

/** Starts `serve` on a free port and waits until it listens. */
export async function serving(args: readonly string[], options: Options = {}): Promise<Serving> {
  const started = start(["serve", "--port", "0", ...args], options);
  await started.until("stdout", /^listening on .*\n/m);
  return { ...started, url: /^listening on (\S+)$/m.exec(started.output.stdout)?.[1] ?? "" };
}

/** Creates a key in a database and returns it. */
export async function keyOn(database: string, name = "test", scopes: readonly string[] = ["read"]): Promise<string> {
  const written = await bellwireWrites([
    "keys",
    "create",
    "--name",
    name,
    "--license",
    "cusip",
    "--scope",
    scopes.join(","),
    "--database",
    database,
  ]);
  return written.trimEnd().split("\n").at(-1) ?? "";
}
