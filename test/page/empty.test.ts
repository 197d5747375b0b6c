// A server without records in a browser: the page shows how to fill it, with commands that work here.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "../../src/package.ts";
import { accessibilityFaults } from "./accessibility.ts";
import { assertClean, pageTests, region } from "./support/browser.ts";

const test = pageTests({ demo: [] });

const inShell = async (command: string): Promise<string> =>
  (await promisify(execFile)("sh", ["-c", command], { cwd: packageRoot })).stdout;

test("an empty server shows commands that fill it, which work as copied", async ({ open }) => {
  const opened = await open("/calendar/ratings");
  const { page } = opened;
  const start = region(page, "Getting started");
  const commandOf = async (title: string): Promise<string> =>
    (await start.locator("dl > div").filter({ hasText: title }).locator("code").innerText()).trim();
  await start.waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  for (const view of ["/news", "/"]) {
    await page.goto(`${opened.origin}${view}`);
    await start.waitFor();
  }
  assert.match(await commandOf("Follow a news feed"), / feed https:\S+ --every 5m --database \S+$/);
  assert.match(await commandOf("Mirror another server"), / mirror https:\S+ --token KEY --database \S+$/);
  await page.goto(`${opened.origin}/calendar/ratings`);
  const [load, create] = [await commandOf("Import a file"), await commandOf("Create an API key")];
  const folder = dirname(/--database (\S+)/.exec(load)?.[1] ?? assert.fail(load));
  const file = join(folder, "ratings.json");
  writeFileSync(file, JSON.stringify([{ id: "a", ticker: "AAPL", date: "2026-06-17" }]));
  await inShell(load.replace("FILE", file));
  const key = (await inShell(create.replace("NAME", "visitor"))).trim().split("\n").at(-1) ?? "";
  await page.evaluate((made) => localStorage.setItem("bellwire.key", made), key);
  await page.reload();
  await page.getByRole("row", { name: /AAPL/ }).waitFor();
  await start.waitFor({ state: "detached" });
  assertClean(opened);
});
