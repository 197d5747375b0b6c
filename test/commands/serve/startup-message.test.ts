// The startup message: order of lines, and no page URL when the page is not built.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startupMessage } from "../../../src/commands/serve/startup-message.ts";
import { pageFolder } from "../../../src/web-files.ts";
import { freshDatabase, serving } from "../support/bellwire.ts";

const address = "http://127.0.0.1:8080";

test("the page comes before the reference, and the listening line is last", () => {
  assert.deepEqual(startupMessage({ address, adminAddress: "http://127.0.0.1:9090" }, ["a key"], true), [
    "a key",
    `page: ${address}/`,
    `reference: ${address}/docs`,
    "administration on http://127.0.0.1:9090",
    `listening on ${address}`,
  ]);
});

test("without a built page, a line explains how to build it", () => {
  assert.deepEqual(startupMessage({ address }, [], false), [
    "page: not built; to build it, run: npm run page",
    `reference: ${address}/docs`,
    `listening on ${address}`,
  ]);
});

test("a server prints the page's URL only when it serves the page, and logs nothing before the first request", async () => {
  const server = await serving(["--no-demo", "--database", freshDatabase()]);
  const { stdout, stderr } = server.output;
  assert.equal(stderr, "");
  const isBuilt = existsSync(join(pageFolder, "index.html"));
  assert.equal(stdout.includes(`page: ${server.url}/\n`), isBuilt, stdout);
  const type = (await fetch(server.url)).headers.get("content-type") ?? "";
  assert.equal(type.startsWith("text/html"), isBuilt);
  await server.stop();
});
