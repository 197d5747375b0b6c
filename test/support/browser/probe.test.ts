// A run of tests with a browser that can't start, or without any: one attempt, tests that are skipped, and a reason.
// And the browser from npm, which is unpacked as a whole or not at all.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { unpackInto, unpackNpmBrowser } from "./npm-browser.ts";
import { isBrowserSkip, isFailedBySkips, noBrowser, probeBrowser, skippedSummary, thisMachine } from "./probe.ts";

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "bellwire-browser-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const reasonFor = async (browser: string, milliseconds = 60_000): Promise<string> => {
  const probe = await probeBrowser(thisMachine({ BELLWIRE_TEST_BROWSER: browser }), milliseconds);
  return "reason" in probe ? probe.reason : assert.fail(`${browser} was launched`);
};

function killIfRunning(pid: number): void {
  // What is still empty would stand for all processes of this group.
  if (pid === 0) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already exited.
  }
}

describe("a browser that can't start", () => {
  test("ends the attempt when it exits, with its output as the reason", async () => {
    // Node doesn't know the flags of a browser.
    assert.match(await reasonFor(process.execPath), /^.+ can't be started: .+: bad option: --/);
  });

  test("is killed after a timeout if it hangs", { skip: process.platform === "win32" }, async () => {
    const hanging = join(folder, "hanging");
    const pid = join(folder, "pid");
    writeFileSync(hanging, `#!/bin/sh\necho $$ > ${pid}\nexec sleep 3600\n`);
    chmodSync(hanging, 0o755);
    assert.match(await reasonFor(hanging, 2000), /hanging can't be started: Timeout 2000ms exceeded/);
    // Playwright waits half a minute for it to exit before killing it.
    if (existsSync(pid)) killIfRunning(Number(readFileSync(pid, "utf8")));
  });
});

describe("without a browser", () => {
  const run = (file: string) => {
    const { NODE_TEST_CONTEXT: _context, BELLWIRE_PROBED_BROWSER: _probed, ...env } = process.env;
    return spawnSync(process.execPath, ["--test", "--test-reporter=tap", file], {
      env: { ...env, BELLWIRE_TEST_BROWSER: "/no/such/browser" },
      encoding: "utf8",
    });
  };
  const reason = `${noBrowser}BELLWIRE_TEST_BROWSER is "/no/such/browser", expected the path of an executable Chromium or Chrome`;

  test("every test that needs one is skipped, with the reason", () => {
    const { status, stdout } = run("test/page/weight.test.ts");
    assert.equal(status, 0, stdout);
    const skipped = [...stdout.matchAll(/# SKIP (.*)/g)].map(([, why]) => why?.replaceAll("\\", ""));
    assert.deepEqual(skipped, Array(5).fill(reason));
    assert.match(stdout, /^# skipped 5$/m);
  });

  test("tests in the same file that don't need one run", () => {
    const { status, stdout } = run("test/docs/reference-page.test.ts");
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^# pass 5\n# fail 0\n# cancelled 0\n# skipped 4$/m);
  });

  test("the last line of the run counts the skipped tests and says what to install", async () => {
    const outcome = Promise.resolve({ reason: "none is installed" });
    assert.match(await skippedSummary(136, outcome), /^136 tests were skipped, no browser: none is installed\. /);
    assert.match(
      await skippedSummary(1, outcome),
      /^1 test was skipped, .*apt-get install chromium.*BELLWIRE_TEST_BROWSER/,
    );
  });

  test("skipped tests fail a run only if a browser is required", () => {
    assert.ok(isBrowserSkip(reason));
    assert.ok(!isBrowserSkip("another reason"));
    assert.ok(!isBrowserSkip(undefined));
    assert.ok(!isFailedBySkips(3, {}));
    assert.ok(!isFailedBySkips(3, { BELLWIRE_REQUIRE_BROWSER: "false" }));
    assert.ok(!isFailedBySkips(0, { BELLWIRE_REQUIRE_BROWSER: "true" }));
    assert.ok(isFailedBySkips(3, { BELLWIRE_REQUIRE_BROWSER: "true" }));
  });
});

test("two processes that unpack the browser from npm concurrently end up with one, complete and then left unchanged", async () => {
  const parent = join(folder, "cache");
  const source = join(folder, "unpacked");
  mkdirSync(source);
  // Decompressing takes two seconds: both get the same files.
  const decompressed = unpackInto(source);
  const unpack = async (directory: string): Promise<void> => {
    await decompressed;
    await cp(source, directory, { recursive: true });
  };
  const [one, two] = await Promise.all([unpackNpmBrowser(parent, unpack), unpackNpmBrowser(parent, unpack)]);
  assert.equal(one, two);
  assert.deepEqual(
    readdirSync(parent).map((name) => join(parent, name)),
    [one],
  );
  const executable = statSync(join(one, "chromium"));
  assert.ok(executable.size > 100_000_000 && (executable.mode & 0o100) !== 0);
  for (const name of ["libGLESv2.so", "fonts.conf", "al2023"]) assert.ok(readdirSync(one).includes(name), name);
  assert.equal(await unpackNpmBrowser(parent, unpack), one);
  assert.equal(statSync(join(one, "chromium")).ino, executable.ino);
});
