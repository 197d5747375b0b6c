// A server under test as a child process.
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

export type Contender = {
  readonly url: string;
  /** The child process; its descendants are found from it. */
  readonly pid: number;
  /** Processes that work for it but aren't its descendants, such as its database's. */
  readonly helpers: readonly number[];
  /** From spawning the process until it listens. */
  readonly startSeconds: number;
  stop(): Promise<void>;
};

export type Started = Contender & { readonly child: ChildProcess };

const running = new Set<ChildProcess>();

// An interrupted benchmark must not leave servers behind.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

type Start = {
  /** Arguments for Node.js. */
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Extracts the URL from the process's output. */
  readonly listening?: RegExp;
  /** The URL of a process that doesn't print it; polled until it responds. */
  readonly url?: string;
  readonly helpers?: readonly number[];
  /** Opens an IPC channel. Optional, since it keeps the process from exiting. */
  readonly messages?: boolean;
  readonly withinSeconds?: number;
};

export async function startProcess(name: string, start: Start): Promise<Started> {
  const began = performance.now();
  const child = spawn(process.execPath, start.args, {
    ...(start.cwd === undefined ? {} : { cwd: start.cwd }),
    env: { ...withoutSettings(process.env), NODE_ENV: "production", ...start.env },
    stdio: ["ignore", "pipe", "pipe", ...(start.messages ? (["ipc"] as const) : [])],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const pattern = start.listening ?? /listening on (http:\S+)/;
  const url = await firstAddress(name, child, start.url ?? pattern, start.withinSeconds ?? 60);
  return {
    child,
    url,
    pid: child.pid as number,
    helpers: start.helpers ?? [],
    startSeconds: (performance.now() - began) / 1000,
    stop: () => stopProcess(child),
  };
}

/** Excludes the user's own settings. */
const withoutSettings = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("BELLWIRE_")));

function firstAddress(
  name: string,
  child: ChildProcess,
  known: RegExp | string,
  withinSeconds: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const fail = (reason: string) => reject(new Error(`${name} ${reason}: ${text.slice(-2000)}`));
    const settle = (url: string) => {
      clearTimeout(limit);
      resolve(url);
    };
    const limit = setTimeout(() => {
      child.kill("SIGKILL");
      fail(`did not listen within ${withinSeconds} s`);
    }, withinSeconds * 1000);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (piece: string) => {
        text = `${text}${piece}`.slice(-10_000);
        const found = typeof known === "string" ? null : known.exec(text);
        if (found !== null) settle(found[1] as string);
      });
    }
    if (typeof known === "string") void answering(known, child).then(() => settle(known));
    child.once("exit", (code) => {
      clearTimeout(limit);
      fail(`ended with status ${code}`);
    });
  });
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const answered = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (answered) return;
    await pause(100);
  }
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const limit = setTimeout(() => child.kill("SIGKILL"), 5000);
  await gone;
  clearTimeout(limit);
}
