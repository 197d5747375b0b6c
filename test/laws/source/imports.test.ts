// Source rules: import directions, file sizes, and opening comments.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, test } from "node:test";

/** Modules that a module may import from, besides itself. Files directly in src and the commands may import everything. */
const allowed: Record<string, readonly string[]> = {
  core: [],
  conformance: ["core"],
  bulk: ["core", "ingest", "store"],
  resources: ["core"],
  keys: ["core", "store"],
  store: ["core", "metrics"],
  endpoints: ["core", "keys"],
  http: ["bulk", "core", "endpoints", "metrics", "keys", "store", "ingest", "limits", "live", "mcp", "webhooks"],
  limits: ["core", "store"],
  live: ["core", "metrics", "store"],
  ingest: ["core", "store"],
  feeds: ["core", "outbound", "store"],
  lease: ["store"],
  outbound: [],
  mcp: ["core"],
  metrics: [],
  mirror: ["core", "lease", "store", "metrics"],
  webhooks: ["core", "keys", "lease", "live", "metrics", "outbound", "store"],
  docs: ["core", "endpoints", "keys"],
  settings: ["core", "http", "keys", "mirror", "resources"],
};

/** Of the store, other modules see only the interface. */
const storeInterface = "src/store/store.ts";

const files = globSync("src/**/*.ts");
/** The demo is data next to the server: it imports nothing from it, and only the command that loads it imports the demo. */
const demo = globSync("demo/**/*.ts");
/** What clients install: it imports nothing from the server, and nothing else. */
const client = globSync("client/**/*.ts");
/** The test kit composes a server, as the commands do. */
const kit = globSync("testing/**/*.ts");
/** What `npm run docs` writes. */
const generated = ["client/catalog.ts", "testing/records.ts"];
/** Tests and benchmarks are read as often as the source; other servers are installed there for comparison. */
const testsAndBenchmarks = globSync(["test/**/*.ts", "bench/**/*.ts"], { exclude: ["**/node_modules/**"] });
const moduleOf = (file: string): string | undefined => /^src\/([^/]+)\//.exec(file)?.[1];

/** Files of the source that another one loads when it is loaded. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )(?:[^;"]* from )?"(\.[^"]+)";/gm)].map((match) =>
    normalize(join(dirname(file), match[1] ?? "")),
  );

describe("the source", () => {
  test("every file starts with a comment about its job and has at most 300 lines, tests and benchmarks too", () => {
    for (const file of [...files, ...demo, ...client, ...kit, ...testsAndBenchmarks]) {
      const text = readFileSync(file, "utf8");
      assert.match(text.replace(/^#!.*\n/, ""), /^\/\/ \S/, `${file} does not open with its job`);
      if (!generated.includes(file))
        assert.ok(text.split("\n").length <= 301, `${file} has ${text.split("\n").length} lines`);
    }
  });

  test("imports point one way", () => {
    for (const file of files) {
      const module = moduleOf(file);
      if (module === undefined || module === "commands") continue;
      const imports = [...readFileSync(file, "utf8").matchAll(/(?:from\s+|import\s+|import\(\s*)"(\.[^"]+)"/g)];
      for (const imported of imports.map((match) => normalize(join(dirname(file), match[1] ?? "")))) {
        const target = moduleOf(imported);
        if (target === module) continue;
        // The only script of its module knows the catalog, like a command.
        if (file === "src/docs/write.ts" && target === "resources") continue;
        assert.ok(target !== undefined && allowed[module]?.includes(target), `${file} must not import ${imported}`);
        if (target === "store") assert.equal(imported, storeInterface, `${file} may see the store's interface only`);
      }
    }
  });

  test("the thread that serves requests loads nothing that runs SQLite, except to check for changes", () => {
    const loaded = new Set(["src/http/server.ts", "src/open-sqlite.ts"]);
    // Iterating over a set includes items added meanwhile.
    for (const file of loaded) for (const each of importsOf(file)) loaded.add(each);
    const running = [...loaded].filter((file) => /from "node:sqlite"/.test(readFileSync(file, "utf8")));
    assert.deepEqual(running, ["src/store/sqlite/current-state.ts"]);
  });

  test("the demo imports nothing from the server", () => {
    for (const file of demo)
      for (const imported of importsOf(file)) assert.match(imported, /^demo\//, `${file} must not import ${imported}`);
  });

  test("the client imports only its own files", () => {
    for (const file of client)
      for (const [, imported] of readFileSync(file, "utf8").matchAll(/^(?:import|export) [^;]*from "([^"]+)";/gm))
        assert.match(imported ?? "", /^\.\/[\w-]+\.ts$/, `${file} must not import ${imported}`);
  });

  test("a directory contains at most 14 files, except for migrations", () => {
    const directories = Map.groupBy(
      [...files, ...demo, ...client, ...kit, ...testsAndBenchmarks, ...globSync("web/**/*.{ts,tsx,css}")],
      dirname,
    );
    for (const [directory, inside] of directories) {
      if (directory === "src/store/migrations") continue;
      assert.ok(inside.length <= 14, `${directory} has ${inside.length} files`);
    }
  });

  test("every module is covered by the rules", () => {
    const modules = new Set(files.map(moduleOf).filter((module) => module !== undefined && module !== "commands"));
    assert.deepEqual([...modules].sort(), Object.keys(allowed).sort());
  });
});
