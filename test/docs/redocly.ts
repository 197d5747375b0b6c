// Runs the linter of API documents.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export type Judgment = {
  readonly totals: { readonly errors: number; readonly warnings: number };
  readonly problems: readonly { readonly message: string; readonly ruleId: string }[];
};

/** Lints a file by the redocly.yaml in its folder. */
export function redocly(folder: string, file: string): Judgment {
  const cli = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
  const run = spawnSync(process.execPath, [cli, "lint", file, "--format=json"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  assert.ok(run.stdout.startsWith("{"), `the linter did not run: ${run.stdout}${run.stderr}`);
  return JSON.parse(run.stdout) as Judgment;
}
