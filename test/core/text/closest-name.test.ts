// Suggestions for mistyped names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { closestName } from "../../../src/core/text/closest-name.ts";

const names = ["serve", "import", "export", "keys", "mirror", "mcp"];

for (const [received, expected] of [
  ["serv", "serve"],
  ["server", "serve"],
  ["ipmort", "import"],
  ["exprot", "export"],
  ["key", "keys"],
  ["kyes", "keys"],
  ["miror", "mirror"],
  ["delete", undefined],
  ["mvp2", undefined],
  ["", undefined],
] as const)
  test(`"${received}" ${expected === undefined ? "is similar to no command" : `probably stands for ${expected}`}`, () => {
    assert.equal(closestName(received, names), expected);
  });
