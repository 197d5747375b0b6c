// Runs an importer alongside a server under load: a process that writes records at a steady rate and reports the count.
import { fork } from "node:child_process";
import { join } from "node:path";

/** The process's input, and its report at the end. */
export type ImporterOrder = { readonly database: string; readonly run: number; readonly tickers: number };
export type Imported = { readonly records: number; readonly seconds: number };

export const recordsPerSecond = 50;

export type Importer = { readonly pid: number; stop(): Promise<Imported> };

export async function startImporter(order: ImporterOrder): Promise<Importer> {
  const child = fork(join(import.meta.dirname, "importer-process.ts"));
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const exited = new Promise<never>((_resolve, reject) => {
    child.once("exit", (code) => {
      process.removeListener("exit", kill);
      reject(new Error(`the importer ended with status ${code}`));
    });
  });
  // A regular exit may have no listener.
  exited.catch(() => {});
  const message = <T>() =>
    Promise.race([new Promise<T>((resolve) => child.once("message", (m) => resolve(m as T))), exited]);
  child.send(order);
  await message<"ready">();
  return {
    pid: child.pid as number,
    stop: async () => {
      const report = message<Imported>();
      child.send("stop");
      return report;
    },
  };
}
