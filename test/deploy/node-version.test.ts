// The entry point checks the version of Node.js before it loads anything that an older one can't parse.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const { engines, devEngines } = JSON.parse(readFileSync("package.json", "utf8"));

/** Runs `--version` under a Node.js that claims to be another. */
function claiming(version: string): { status: number | null; stdout: string; stderr: string } {
  const claim = `
    Object.defineProperty(process, "version", { value: "v${version}" });
    Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
  return spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(claim)}`, "src/cli.js", "--version"],
    { encoding: "utf8" },
  );
}

test("a Node.js older than engines allows is rejected in one line with its version and the remedy", () => {
  for (const version of ["20.20.2", "23.11.1", "24.10.0"]) {
    const { status, stdout, stderr } = claiming(version);
    assert.equal(status, 1);
    assert.equal(stdout, "");
    assert.equal(
      stderr,
      `bellwire needs Node.js 24.11 or newer; this is v${version} (${process.execPath}). Run npm ci, which installs one for this checkout.\n`,
    );
  }
});

test("the lowest version that engines allows is accepted, and so is the next major version", () => {
  assert.equal(engines.node, ">=24.11");
  for (const version of ["24.11.0", "25.0.0"]) {
    const { status, stderr } = claiming(version);
    assert.equal(status, 0, stderr);
  }
});

test("the entry point has no imports and no syntax that Node.js 14 can't parse", () => {
  const source = readFileSync("src/cli.js", "utf8").replace(/^\s*(\/\/|\/\*\*).*$/gm, "");
  assert.doesNotMatch(source, /^\s*(import|export)\b(?!\()/m);
  assert.doesNotMatch(source, /^await\b/m);
  assert.doesNotMatch(source, /\?\?|\?\.|\|\|=|&&=|#\w+ in|\bstatic\b|\d_\d/);
});

test("development is allowed on the Node.js version in the README", () => {
  const { name, version } = devEngines.runtime;
  assert.equal(name, "node");
  const [, needed] = /You need Node\.js (\d+) or newer/.exec(readFileSync("README.md", "utf8")) ?? [];
  assert.equal(version, `>=${needed}`);
});
