// Every TypeScript example of the README and the client's documentation type-checks as written.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { blocks } from "../docs/page-commands.ts";

const checkout = resolve(import.meta.dirname, "../..");

/** What examples refer to without defining it. */
const context = `
declare const Bellwire: typeof import("bellwire/client").Bellwire;
declare const BellwireError: typeof import("bellwire/client").BellwireError;
declare const api: import("bellwire/client").Bellwire;
declare const url: string;
declare const token: string;
declare const tickers: string[];
declare const copy: Map<string, import("bellwire/client").EarningsRecord>;
declare const savePosition: (position: string | undefined) => Promise<void>;
`;

/** A line that is documented as an error must be one. */
const moduleOf = (example: string): string =>
  `${example.replace(/^.*\/\/ error: .*$/gm, "// @ts-expect-error\n$&")}\nexport {};\n`;

test("every documented example of the client type-checks", async () => {
  const directory = mkdtempSync(join(tmpdir(), "bellwire-documented-"));
  const write = (file: string, text: string) => writeFileSync(join(directory, file), text);
  try {
    const examples = ["README.md", "docs/client.md"].flatMap((page) => blocks(page, "ts"));
    assert.ok(examples.length >= 8, String(examples.length));
    examples.forEach((example, at) => {
      write(`example-${at}.ts`, moduleOf(example));
    });
    write("context.d.ts", context);
    write("package.json", '{"type":"module"}');
    const compilerOptions = {
      paths: { "bellwire/client": [join(checkout, "client/index.ts")] },
      ...{ lib: ["es2024", "esnext", "dom"], types: [], noUnusedLocals: false },
    };
    const settings = { extends: join(checkout, "tsconfig.json"), compilerOptions, include: ["."] };
    write("tsconfig.json", JSON.stringify(settings));
    const compiler = join(checkout, "node_modules/typescript/bin/tsc");
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", directory]).catch((error) => error);
    assert.equal(stdout, "");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
