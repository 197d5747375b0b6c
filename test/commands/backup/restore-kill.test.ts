// A restore that is killed at any moment.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { runs } from "../../support/budget.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { bellwire, folder, start } from "../support/bellwire.ts";
import { around, databaseOf, generations } from "./generations.ts";

test("a killed restore leaves either the old database or the new one", async (t) => {
  const [old, fresh] = [await databaseOf("OLD"), await databaseOf("NEW", 9000)];
  const seen: Record<string, number> = {};
  // Files at each stage: the old database being saved, then saved, and the new one being written.
  const signs = [".before-restore.partial", ".before-restore", "-journal"];
  /** Starts a restore and waits for a stage. */
  const begun = async (sign: string) => {
    const target = join(mkdtempSync(join(folder, "kill-")), "target.db");
    copyFileSync(old, target);
    const run = start(["restore", fresh, "--force", "--database", target]);
    const has = () => around(target).some((name) => name.startsWith(basename(target) + sign));
    await waitUntil(() => run.child.exitCode !== null || has());
    return { target, run };
  };
  const { run: whole } = await begun("-journal");
  const started = performance.now();
  assert.equal((await whole.finished).status, 0);
  const span = performance.now() - started;
  const rounds = runs(6, 18);
  // On a slow machine a restore may finish before it is killed, which takes more rounds.
  for (let round = 0; round < rounds || seen["killed OLD"] === undefined; round++) {
    const sign = signs[round % signs.length] ?? "";
    const { target, run } = await begun(sign);
    // Spread over the duration of a restore, and slightly beyond.
    await sleep(sign === "-journal" ? ((span * 1.3) / (rounds - 1)) * (round % rounds) : (round * 7) % 40);
    const { signal } = await run.stop("SIGKILL");
    const [found = "", ...more] = generations(target);
    assert.deepEqual(more, []);
    assert.ok(found === "OLD" || found === "NEW");
    if (existsSync(`${target}.before-restore`)) assert.deepEqual(generations(`${target}.before-restore`), ["OLD"]);
    else assert.equal(found, "OLD");
    const what = `${signal === null ? "ended" : "killed"} ${found}`;
    seen[what] = (seen[what] ?? 0) + 1;
    // Another run completes it.
    if (round % 6 === 0) {
      assert.equal((await bellwire(["restore", fresh, "--force", "--database", target])).status, 0);
      assert.deepEqual(generations(target), ["NEW"]);
    }
    rmSync(dirname(target), { recursive: true });
  }
  t.diagnostic(JSON.stringify(seen));
});
