// A key in a malformed or oversized request is never disclosed: not in the response, not in the log, not stored.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { generateKey } from "../../../src/keys/key.ts";
import { brokenRequests } from "../../laws/secrets/keyed-requests.ts";
import { listening } from "../../support/clients/listening.ts";

test("a key in a malformed request is neither in the response nor in the log or the database", () =>
  listening(async ({ send, key, log, file }) => {
    const keys = [await key(), await key({ scopes: ["admin"] }), generateKey()];
    const isClear = (text: string) => keys.every((each) => !text.includes(each.slice(3, 19)));
    for (const each of keys) {
      for (const bytes of brokenRequests(each)) {
        const { headers, text } = await send(bytes);
        assert.ok(isClear(JSON.stringify(headers) + text), `in the response to ${bytes.slice(0, 60)}`);
      }
    }
    assert.ok(isClear(log.join("")), "in the log");
    for (const suffix of ["", "-wal"])
      assert.ok(isClear(readFileSync(file + suffix, "latin1")), `in the database${suffix}`);
  }));
