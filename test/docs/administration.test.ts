// The commands on the page about writing work as they are pasted, and print what the page says.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { freshDatabase, serving } from "../commands/bellwire.ts";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const there = ["sh", "curl", "gzip"].every((program) => spawnSync(program, ["--version"]).error === undefined);

test("every command of the page, one after the other", { skip: !there && "sh, curl or gzip is missing" }, async () => {
  const page = readFileSync("docs/reference/administration.md", "utf8");
  const fences = (language: string) =>
    [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, "gms"))].map((match) => String(match[1]));
  const commands = fences("sh");
  assert.equal(commands.length, 4);
  const database = freshDatabase();
  const server = await serving(["--database", database, "--no-demo", "--log-level", "fatal"]);
  const script = [
    `bellwire() { '${process.execPath}' '${cli}' "$@" --database '${database}'; }`,
    ...commands.map((command) => `${command.replaceAll("http://127.0.0.1:8080", server.url)}\necho`),
  ].join("\n");
  const shell = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"], timeout: 30_000 });
  const printed = (await text(shell.stdout)).split("\n").filter((line) => line !== "");
  await server.stop();
  const [written, , removed] = fences("json");
  const again = JSON.stringify({ read: 1, created: 0, updated: 0, unchanged: 1, refused: 0, refusals: [] });
  assert.deepEqual(printed, [written, again, removed]);
});
