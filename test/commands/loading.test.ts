// A command loads only the modules it needs, so that it starts quickly.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { bellwire, bellwireWrites, folder, freshDatabase, type Options, serving } from "./support/bellwire.ts";

const root = new URL("../../", import.meta.url).href;
let runs = 0;

/** Options for a process that reports the modules it loaded, as project paths. */
function watched(): { readonly options: Options; loaded(): string[] } {
  const file = join(folder, `loaded-${++runs}`);
  const hook = new URL("support/loaded-modules.ts", import.meta.url).href;
  return {
    options: { env: { NODE_OPTIONS: `--import=${hook}`, LOADED_MODULES: file } },
    loaded: () =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter((url) => url.startsWith(root) && !url.endsWith("/loaded-modules.ts"))
        .map((url) => url.slice(root.length)),
  };
}

async function loadedBy(args: readonly string[]): Promise<string[]> {
  const { options, loaded } = watched();
  await bellwire(args, { ...options, ownProcess: true });
  return loaded();
}

/** Asserts that no module under these paths was loaded. */
function spares(loaded: readonly string[], ...paths: readonly string[]): void {
  assert.ok(loaded.includes("src/main.ts"), "the list is that of the command line");
  const found = loaded.filter((path) => paths.some((each) => path.startsWith(each)));
  assert.deepEqual(found, []);
}

const server = ["src/http/server.ts", "src/commands/serve/run.ts", "node_modules/fastify/", "node_modules/pino/"];
const stores = ["src/store/sqlite/", "src/store/postgres/", "node_modules/pg/"];

describe("modules are loaded only if they are needed", () => {
  test("the version, the list of commands, and a mistyped command need only the command line", async () => {
    const all = new Set((await Promise.all([["--version"], ["help"], ["srve"]].map(loadedBy))).flat());
    assert.deepEqual([...all].sort(), [
      "src/cli.js",
      "src/commands/command.ts",
      "src/commands/commands.ts",
      "src/core/text/closest-name.ts",
      "src/core/user-error.ts",
      "src/keys/redact.ts",
      "src/main.ts",
      "src/package.ts",
    ]);
  });

  test("help of a command, or a mistyped flag, needs no server and no database", async () => {
    for (const args of [["help", "serve"], ["serve", "--prot", "1"], ["serve", "--port", "x"], ["config"]]) {
      spares(await loadedBy(args), ...server, ...stores, "demo/", "src/docs/");
    }
  });

  test("a command on SQLite needs neither PostgreSQL nor the server", async () => {
    const database = freshDatabase();
    await bellwireWrites(["keys", "create", "--name", "x", "--database", database]);
    const others = [...server, "src/store/postgres/", "node_modules/pg/", "demo/", "src/docs/", "src/feeds/"];
    for (const args of [
      ["keys", "list"],
      ["import", "news", "-"],
      ["export", "news"],
      ["mirror", "status"],
    ]) {
      spares(await loadedBy([...args, "--database", database]), ...others, "node_modules/csv-parse/");
    }
  });

  test("a command on PostgreSQL doesn't need SQLite", async () => {
    const loaded = await loadedBy(["keys", "list", "--database", "postgres://127.0.0.1:1/none"]);
    spares(loaded, ...server, "src/store/sqlite/sqlite.ts", "src/store/sqlite/connection.ts");
    assert.ok(loaded.includes("src/store/postgres/postgres.ts"));
  });

  test("a server on a prepared database loads no demo, no mirror, and no OpenAPI document until requested", async () => {
    const database = freshDatabase();
    await bellwireWrites(["keys", "create", "--name", "x", "--database", database]);
    for (const isRequested of [false, true]) {
      const { options, loaded } = watched();
      const running = await serving(["--database", database, "--no-demo"], options);
      if (isRequested) assert.equal((await fetch(`${running.url}/openapi.json`)).status, 200);
      await running.stop();
      const unneeded = ["demo/", "src/mirror/mirror.ts", "src/store/postgres/", "node_modules/pg/"];
      const libraries = ["@prometheus-io", "@scalar", "ajv", "htmlparser2", "sanitize-html"].map(
        (name) => `node_modules/${name}/`,
      );
      spares(loaded(), ...unneeded, ...libraries);
      assert.equal(loaded().includes("src/docs/openapi/openapi.ts"), isRequested);
    }
  });
});
