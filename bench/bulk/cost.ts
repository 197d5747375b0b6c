// What a load costs: wall-clock and CPU time, and the peak memory of the import command.
import { spawn } from "node:child_process";
import { cli } from "../contenders/bellwire.ts";
import { momentOf, peakMemoryOf, usageOf } from "../driver/machine.ts";

export type Cost = { readonly seconds: number; readonly cpuSeconds: number };
export type ImportCost = Cost & { readonly peakBytes: number };

/** An import and its baseline: the database's own insert of the same finished rows. */
export type Comparison = {
  readonly what: string;
  readonly records: number;
  readonly imported: ImportCost;
  readonly baseline: string;
  readonly plain: Cost;
  /** Speed relative to the baseline; undefined if shown only. */
  readonly target?: number;
};

/** Adds up the costs of the sections that it measures, so that reading the rows to insert doesn't count. */
export class Meter implements Cost {
  seconds = 0;
  cpuSeconds = 0;

  /** `server` is the process of the database, if it is a separate one. */
  async measure<T>(work: () => T | Promise<T>, server?: number): Promise<T> {
    const others = () => (server === undefined ? 0 : (usageOf([server])?.cpuSeconds ?? 0));
    const before = others();
    const cpu = process.cpuUsage();
    const start = performance.now();
    const result = await work();
    this.seconds += (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    this.cpuSeconds += (user + system) / 1e6 + others() - before;
    return result;
  }
}

export const sum = (...costs: readonly Cost[]): Cost => ({
  seconds: costs.reduce((total, { seconds }) => total + seconds, 0),
  cpuSeconds: costs.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0),
});

/** Runs `bellwire import`, which must create every record. CPU time includes that of the database server. */
export async function importFile(
  resource: string,
  file: string,
  records: number,
  database: string,
  server?: number,
): Promise<ImportCost> {
  const own = () => (momentOf()?.own ?? 0) + (server === undefined ? 0 : (usageOf([server])?.cpuSeconds ?? 0));
  const before = own();
  const start = performance.now();
  const args = [cli, "import", resource, file, "--database", database];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let peakBytes = 0;
  const sampling = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakMemoryOf(child.pid ?? 0) ?? 0);
  }, 50);
  let report = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    report += text;
  });
  const status = await new Promise((resolve) => child.once("close", resolve));
  const seconds = (performance.now() - start) / 1000;
  clearInterval(sampling);
  if (status !== 0 || !report.includes(`created ${records},`))
    throw new Error(`importing ${records} ${resource} ended with status ${status}: ${report}`);
  return { seconds, cpuSeconds: own() - before, peakBytes };
}
