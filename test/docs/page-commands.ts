// Runs the commands of a reference page, one after the other, against a dedicated server.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { freshDatabase, serving } from "../commands/support/bellwire.ts";

const cli = fileURLToPath(new URL("../../src/cli.js", import.meta.url));

/** What must be installed; undefined if everything is. */
export function lacking(...programs: readonly string[]): string | undefined {
  const missing = programs.filter((program) => spawnSync(program, ["--version"]).error !== undefined);
  return missing.length === 0 ? undefined : `${missing.join(", ")} is missing`;
}

/** The code blocks of a page in a language, in order. */
export const blocks = (file: string, language: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, "gms"))].map((match) =>
    String(match[1]),
  );

/** The lines that the commands print. */
export async function printedBy(commands: readonly string[]): Promise<string[]> {
  const database = freshDatabase();
  const server = await serving(["--database", database, "--no-demo", "--log-level", "fatal"]);
  const script = [
    `bellwire() { '${process.execPath}' '${cli}' "$@" --database '${database}'; }`,
    ...commands.map((command) => `${command.replaceAll("http://127.0.0.1:8080", server.url)}\necho`),
  ].join("\n");
  const shell = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"], timeout: 300_000 });
  const printed = (await text(shell.stdout)).split("\n").filter((line) => line !== "");
  await server.stop();
  return printed;
}
