// Bellwire as in production: `serve` with default settings.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Contender, startProcess } from "./contender.ts";

const own = join(import.meta.dirname, "..", "..", "src", "cli.js");

/** The entry point; set it to another checkout's to compare two versions. */
export const cli = process.env.BELLWIRE_BENCH_CLI ?? own;

const brought = new Set<string>();

export async function startBellwire(
  database: string,
  flags: readonly string[] = [],
  helpers: readonly number[] = [],
  nodeFlags: readonly string[] = [],
): Promise<Contender> {
  const start = (more: readonly string[]) =>
    startProcess("bellwire", {
      args: [
        ...nodeFlags,
        cli,
        "serve",
        "--database",
        database,
        "--port",
        "0",
        "--no-demo",
        "--log-level",
        "warn",
        ...more,
      ],
      helpers,
      withinSeconds: 600,
    });
  if (!brought.has(database)) {
    // A newer version may have to migrate the data first, which must not count as startup.
    await (await start([])).stop();
    brought.add(database);
  }
  return start(flags);
}

/** Flags that disable the response cache; a version without one needs none. */
export function withoutCache(): readonly string[] {
  const help = execFileSync(process.execPath, [cli, "help", "serve"], { encoding: "utf8" });
  return help.includes("--cache-mb ") ? ["--cache-mb", "0"] : [];
}
