// The commands on the page about keys work as they are pasted, one after the other.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { freshDatabase, serving } from "../commands/bellwire.ts";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const there = ["sh", "curl"].every((program) => spawnSync(program, ["--version"]).error === undefined);

test("every command of the page on keys", { skip: !there && "sh or curl is missing" }, async () => {
  const page = readFileSync("docs/reference/keys.md", "utf8");
  const commands = [...page.matchAll(/^```sh\n(.*?)\n```$/gms)].map((match) => String(match[1]));
  assert.equal(commands.length, 7);
  const database = freshDatabase();
  const server = await serving(["--database", database, "--no-demo", "--log-level", "fatal"]);
  const script = [
    `bellwire() { '${process.execPath}' '${cli}' "$@" --database '${database}'; }`,
    ...commands.map((command) => `${command.replaceAll("http://127.0.0.1:8080", server.url)}\necho`),
  ].join("\n");
  const shell = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"], timeout: 30_000 });
  const printed = (await text(shell.stdout)).split("\n").filter((line) => line !== "");
  await server.stop();
  const [made, listed, shown, changed, replaced, revoked] = printed.map((line) => JSON.parse(line));
  assert.match(made.key, /^bw_/);
  assert.deepEqual([made.owner, made.resources, made.rate], ["Acme Ltd", ["news"], 5]);
  assert.deepEqual(
    listed.keys.map(({ name }: { name: string }) => name),
    ["operator", "acme"],
  );
  assert.equal(shown.state, "valid");
  assert.equal(changed.delay_minutes, 15);
  assert.match(replaced.key, /^bw_/);
  assert.notEqual(replaced.key, made.key);
  assert.equal(revoked.state, "revoked");
  const example = JSON.parse(/^```json\n(.*?)\n```$/ms.exec(page)?.[1] ?? "");
  assert.deepEqual(Object.keys(shown), Object.keys(example));
});
