// The test's side of command-host.ts: starts it with the first command and stops it after the last test.
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

export type Order = {
  readonly id: number;
  readonly args: readonly string[];
  readonly input: string | Uint8Array;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
};

export type Outcome = {
  readonly id: number;
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
};

const script = fileURLToPath(new URL("./command-host.ts", import.meta.url));

export function commandHost(environment: Readonly<NodeJS.ProcessEnv>) {
  let child: ChildProcess | undefined;
  let orders = 0;
  const pending = new Map<number, { resolve(outcome: Outcome): void; reject(error: Error): void }>();

  const started = (): ChildProcess => {
    if (child !== undefined) return child;
    const host = fork(script, { env: environment, execArgv: [], serialization: "advanced" });
    host.unref();
    host.on("message", (outcome: Outcome) => {
      pending.get(outcome.id)?.resolve(outcome);
      pending.delete(outcome.id);
      // An idle host must not keep the test process alive.
      if (pending.size === 0) host.channel?.unref();
    });
    host.on("exit", (status, signal) => {
      if (child === host) child = undefined;
      for (const { reject } of pending.values()) reject(new Error(`the command host ended (${signal ?? status})`));
      pending.clear();
    });
    child = host;
    return host;
  };

  return {
    run: (order: Omit<Order, "id">): Promise<Outcome> =>
      new Promise((resolve, reject) => {
        const id = ++orders;
        const host = started();
        pending.set(id, { resolve, reject });
        host.channel?.ref();
        // If it has just ended, its exit rejects the promise.
        host.send({ ...order, id } satisfies Order, () => {});
      }),
    stop: () => child?.disconnect(),
  };
}
