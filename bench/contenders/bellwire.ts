// Bellwire as its users start it: `serve`, every part of the path of a request on.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Contender, startProcess } from "./contender.ts";

const own = join(import.meta.dirname, "..", "..", "src", "cli.js");

/** What is started; another checkout's may be named, to compare two states of the source. */
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
    // A newer source may first have to bring kept data to its own form, which is neither its start nor its memory.
    await (await start([])).stop();
    brought.add(database);
  }
  return start(flags);
}

/** Flags that turn the answer cache off; a state of the source that has none needs no flag. */
export function withoutCache(): readonly string[] {
  const help = execFileSync(process.execPath, [cli, "help", "serve"], { encoding: "utf8" });
  return help.includes("--cache-mb ") ? ["--cache-mb", "0"] : [];
}
