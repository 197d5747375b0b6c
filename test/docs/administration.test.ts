// The commands on the page about writing work when pasted, and print what the page shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blocks, lacking, printedBy } from "./page-commands.ts";

const page = "docs/reference/administration.md";

test("every command on the administration page works, one after the other", {
  skip: lacking("sh", "curl", "gzip"),
}, async () => {
  const commands = blocks(page, "sh");
  assert.equal(commands.length, 4);
  const [written, , removed] = blocks(page, "json");
  const again = JSON.stringify({ read: 1, created: 0, updated: 0, unchanged: 1, refused: 0, refusals: [] });
  assert.deepEqual(await printedBy(commands), [written, again, removed]);
});
