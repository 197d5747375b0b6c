// A restore that is killed, at any moment of its way.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { runs } from "../../support/budget.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { bellwire, endRunning, folder, start } from "../support/bellwire.ts";
import { around, databaseOf, generations } from "./generations.ts";

after(endRunning);

test("a restore that is killed leaves the old database or the new one, never a half", async (t) => {
  const [old, fresh] = [await databaseOf("OLD"), await databaseOf("NEW", 9000)];
  const seen: Record<string, number> = {};
  // What is there while the command is at work: the old one being kept, then kept, and the new one being written.
  const signs = [".before-restore.partial", ".before-restore", "-journal"];
  /** Starts a restore and waits until it has come so far. */
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
  // Where this process is held up, a restore may be over before it is killed: then there are more rounds.
  for (let round = 0; round < rounds || seen["killed OLD"] === undefined; round++) {
    const sign = signs[round % signs.length] ?? "";
    const { target, run } = await begun(sign);
    // Spread over the time that it takes, and a little beyond.
    await sleep(sign === "-journal" ? ((span * 1.3) / (rounds - 1)) * (round % rounds) : (round * 7) % 40);
    const { signal } = await run.stop("SIGKILL");
    const [found = "", ...more] = generations(target);
    assert.deepEqual(more, []);
    assert.ok(found === "OLD" || found === "NEW");
    if (existsSync(`${target}.before-restore`)) assert.deepEqual(generations(`${target}.before-restore`), ["OLD"]);
    else assert.equal(found, "OLD");
    const what = `${signal === null ? "ended" : "killed"} ${found}`;
    seen[what] = (seen[what] ?? 0) + 1;
    // Another run puts it right.
    if (round % 6 === 0) {
      assert.equal((await bellwire(["restore", fresh, "--force", "--database", target])).status, 0);
      assert.deepEqual(generations(target), ["NEW"]);
    }
    rmSync(dirname(target), { recursive: true });
  }
  t.diagnostic(JSON.stringify(seen));
});
