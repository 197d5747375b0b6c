// The runner itself: no file is skipped, and no failure, crash, or file without tests counts as success.
import assert from "node:assert/strict";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, test } from "node:test";
import { runBatch } from "./batch.ts";
import { batchesOf, selectFiles } from "./files.ts";
import { closingLine, failureText, slowestFiles, storeCounts, totalsOf } from "./summary.ts";

describe("the selection of test files", () => {
  test("every file runs in npm test, in the long run, or in both", () => {
    const short = selectFiles({ patterns: [], long: false });
    const long = selectFiles({ patterns: [], long: true });
    assert.deepEqual([...new Set([...short, ...long])].sort(), globSync("test/**/*.test.ts").sort());
    assert.ok(short.every((file) => !file.endsWith(".long.test.ts")));
    assert.ok(long.length < short.length);
  });

  test("each selected file is in exactly one batch", () => {
    const files = selectFiles({ patterns: [], long: false });
    assert.deepEqual(batchesOf(files).flat().sort(), files);
  });

  test("a named file runs, wherever it belongs", () => {
    assert.deepEqual(selectFiles({ patterns: ["test/runner/runner.test.ts"], long: true }), [
      "test/runner/runner.test.ts",
    ]);
  });

  test("a directory stands for its files", () => {
    assert.deepEqual(
      selectFiles({ patterns: ["test/mirror"], long: false }),
      globSync("test/mirror/**/*.test.ts").sort(),
    );
  });
});

describe("a batch", () => {
  const passing = `test("a", () => {});`;
  const failing = `test("b", () => { assert.equal(1, 2, "one is not two"); });`;

  /** Runs files with these contents, after the imports that all of them need. */
  async function run(...contents: string[]) {
    const folder = mkdtempSync(join(tmpdir(), "bellwire-runner-"));
    try {
      const files = contents.map((content, index) => {
        const file = join(folder, `${index}.test.mjs`);
        writeFileSync(file, `import assert from "node:assert"; import { describe, test } from "node:test"; ${content}`);
        return relative(process.cwd(), file);
      });
      // Node.js marks the processes of a test run, which keeps a run inside another from starting.
      const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
      return await runBatch(files, environment, false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  test("of tests that pass, are skipped, and run on a store is counted as such", async () => {
    const batch = await run(
      passing,
      `describe("x [sqlite]", () => { test("c", () => {}); test("d", { skip: "no browser" }, () => {}); });`,
    );
    assert.equal(batch.ok, true, batch.output);
    assert.deepEqual(totalsOf([batch]), { passed: 2, failed: 0, skipped: 1 });
    assert.match(storeCounts([batch]), /1 on SQLite, 0 on PostgreSQL/);
    assert.deepEqual(
      batch.results.flatMap(({ reason }) => reason ?? []),
      ["no browser"],
    );
    assert.equal(slowestFiles([batch], 1).split("\n").length, 2);
  });

  test("with a failing test fails, and shows what failed", async () => {
    const batch = await run(passing, failing);
    assert.equal(batch.ok, false);
    assert.equal(closingLine(totalsOf([batch])), "1 passed, 1 failed, 0 skipped");
    assert.match(failureText(batch), /one is not two/);
  });

  test("with a file that can't be loaded fails", async () => {
    const batch = await run(passing, `import "./missing.mjs";`);
    assert.equal(batch.ok, false);
    assert.ok(totalsOf([batch]).failed > 0);
    assert.match(batch.output, /missing\.mjs/);
  });

  test("doesn't track promises while its tests run, which would slow each of them down", async () => {
    const batch = await run(
      `import { executionAsyncId } from "node:async_hooks";
      describe("x", () => test("a", async () => {
        await undefined;
        assert.equal(executionAsyncId(), 0, "a promise has an ID only when it's tracked");
      }));`,
    );
    assert.equal(batch.ok, true, batch.output);
  });

  test("with an uncaught error fails at once, and shows it", async () => {
    for (const uncaught of [`setTimeout(() => assert.fail("too late"))`, `Promise.reject(new Error("too late"))`]) {
      const batch = await run(
        passing,
        `test("b", () => new Promise(() => { ${uncaught}; setInterval(() => {}, 1); }));`,
      );
      assert.equal(batch.ok, false);
      assert.match(failureText(batch), /too late\n +at .*1\.test\.mjs/);
    }
  });

  test("whose process ends itself early fails, even with status 0", async () => {
    const batch = await run(`test("a", () => process.exit(0));`);
    assert.equal(batch.ok, false);
    assert.equal(totalsOf([batch]).failed, 1);
  });
});
