// The commands on the page about keys work when pasted, one after the other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blocks, lacking, printedBy } from "./page-commands.ts";

const page = "docs/reference/keys.md";

test("every command on the page about keys works", { skip: lacking("sh", "curl") }, async () => {
  const commands = blocks(page, "sh");
  assert.equal(commands.length, 7);
  const [made, listed, shown, changed, replaced, revoked] = (await printedBy(commands)).map((line) => JSON.parse(line));
  assert.match(made.key, /^bw_/);
  assert.deepEqual([made.owner, made.resources, made.rate], ["Acme Ltd", ["news"], 5]);
  assert.deepEqual(
    listed.keys.map(({ name }: { name: string }) => name),
    ["operator", "acme"],
  );
  assert.equal(shown.state, "valid");
  assert.equal(changed.delay_minutes, 15);
  assert.match(replaced.key, /^bw_/);
  assert.notEqual(replaced.key, made.key);
  assert.equal(revoked.state, "revoked");
  const examples = blocks(page, "json").map((block) => JSON.parse(block));
  const members = (response: { keys?: object[] }): string[] => Object.keys(response.keys?.[0] ?? response);
  assert.deepEqual([made, listed, shown].map(members), examples.map(members));
});
