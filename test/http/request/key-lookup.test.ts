// Tokens are looked up only by hash, so that timing reveals nothing about how close a guess is.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import inject from "light-my-request";
import { createLog } from "../../../src/http/observe/log.ts";
import { buildServer } from "../../../src/http/server.ts";
import { generateKey, isKey } from "../../../src/keys/key.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { startApi } from "../../support/clients/api.ts";

/** Well-formed keys that share a prefix or suffix with another: rare, since most changes break the checksum. */
const changed = (key: string, at: number): string =>
  `${key.slice(0, at)}${key[at] === "x" ? "y" : "x"}${key.slice(at + 1)}`;

describe("a token", () => {
  test("is looked up by the hash of the entire token, whatever it looks like, and by nothing else", async () => {
    const api = await startApi();
    const looked: unknown[][] = [];
    const { app, handle } = await buildServer({
      catalog,
      store: {
        ...api.store,
        findKey: (hash, state) => {
          looked.push([hash]);
          return api.store.findKey(hash, state);
        },
      },
      log: createLog("silent"),
      openapi: {},
      now: () => api.clock.now,
      wrongTokens: 0,
    });
    await app.ready();
    try {
      const tokens = [api.token, generateKey(), generateKey()];
      for (const token of tokens) {
        looked.length = 0;
        const { statusCode } = await inject(handle, { url: `/api/v2/news?token=${token}` });
        assert.equal(statusCode, token === api.token ? 200 : 401);
        const hash = createHash("sha256").update(token).digest("hex");
        assert.ok(looked.length > 0);
        for (const input of looked) assert.deepEqual(input, [hash]);
      }
      for (const at of [3, 10, 40]) {
        looked.length = 0;
        const near = changed(api.token, at);
        assert.equal(isKey(near), false);
        assert.equal((await inject(handle, { url: `/api/v2/news?token=${near}` })).statusCode, 401);
        assert.deepEqual(looked, [], "what can be no key is not looked up");
      }
    } finally {
      await app.close();
      await api.close();
    }
  });
});
