// The lines that a server prints when it is ready: their order, and no address of a page that is not there.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { greeting } from "../../../src/commands/serve/startup-message.ts";
import { pageFolder } from "../../../src/web-files.ts";
import { endRunning, freshDatabase, serving } from "../support/bellwire.ts";

after(endRunning);

const address = "http://127.0.0.1:8080";

test("the page comes before the reference, and the last line is that the server listens", () => {
  assert.deepEqual(greeting({ address, adminAddress: "http://127.0.0.1:9090" }, ["a key"], true), [
    "a key",
    `page: ${address}/`,
    `reference: ${address}/docs`,
    "administration on http://127.0.0.1:9090",
    `listening on ${address}`,
  ]);
});

test("where the page was not built, a line says how to build it, and no address is given", () => {
  assert.deepEqual(greeting({ address }, [], false), [
    "page: not built; to build it, run: npm run page",
    `reference: ${address}/docs`,
    `listening on ${address}`,
  ]);
});

test("a server names its page only when it answers with it, and logs nothing until it is asked", async () => {
  const server = await serving(["--no-demo", "--database", freshDatabase()]);
  const { stdout, stderr } = server.output;
  assert.equal(stderr, "");
  const isBuilt = existsSync(join(pageFolder, "index.html"));
  assert.equal(stdout.includes(`page: ${server.url}/\n`), isBuilt, stdout);
  const type = (await fetch(server.url)).headers.get("content-type") ?? "";
  assert.equal(type.startsWith("text/html"), isBuilt);
  await server.stop();
});
