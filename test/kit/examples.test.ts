// The examples of the test kit, with the package as it is built, under node:test, vitest, and jest.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { isLong } from "../support/budget.ts";

const run = promisify(execFile);
const checkout = resolve(import.meta.dirname, "../..");
const examples = mkdtempSync(join(tmpdir(), "bellwire-examples-"));
const modules = join(examples, "node_modules");
const installed = join(modules, "bellwire");
const runners = ["jest", "@jest", "vitest"];

/** As after `npm install bellwire jest vitest`. */
async function install(): Promise<void> {
  mkdirSync(installed, { recursive: true });
  for (const name of runners) symlinkSync(join(checkout, "node_modules", name), join(modules, name));
  symlinkSync(join(checkout, "node_modules"), join(installed, "node_modules"));
  cpSync(join(checkout, "package.json"), join(installed, "package.json"));
  const compiler = join(checkout, "node_modules/typescript/bin/tsc");
  const args = [compiler, "-p", "tsconfig.build.json", "--outDir", join(installed, "dist")];
  // `npm run check` checks the types of the same sources, and no runner reads declarations.
  if (!isLong) args.push("--noCheck", "--declaration", "false");
  await run(process.execPath, args, { cwd: checkout });
}

const { scripts } = JSON.parse(readFileSync(join(checkout, "examples/testing/package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

const environment = (): NodeJS.ProcessEnv => {
  // The runner of this test must not be taken for that of the examples.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...rest } = process.env;
  return { ...rest, PATH: `${join(checkout, "node_modules/.bin")}:${process.env.PATH}`, NO_COLOR: "1", CI: "true" };
};

describe("the examples of the test kit", () => {
  before(async () => {
    cpSync(join(checkout, "examples/testing"), examples, { recursive: true });
    await install();
  });
  after(() => rmSync(examples, { recursive: true, force: true }));

  const passed = { "test:node": /pass 2\n/, "test:vitest": /Tests +2 passed/, "test:jest": /Tests: +2 passed/ };
  /** By default, a busy machine would be too slow for them. */
  const limits: Readonly<Record<string, readonly string[]>> = {
    "test:vitest": ["--test-timeout=600000", "--hook-timeout=600000", "--teardown-timeout=600000"],
    "test:jest": ["--testTimeout=600000"],
  };
  for (const [name, expected] of Object.entries(passed)) {
    test(`pass under ${name.replace("test:", "")}`, async () => {
      const [program = "", ...args] = scripts[name]?.split(" ") ?? [];
      args.push(...(limits[name] ?? []));
      const { stdout, stderr } = await run(program, args, { cwd: examples, env: environment() });
      assert.match(stdout + stderr, expected);
    });
  }
});
