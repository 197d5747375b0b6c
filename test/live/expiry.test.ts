// Streams of keys that expire end, however many others are open.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Hub } from "../../src/live/hub.ts";
import { openSqlite } from "../../src/open-sqlite.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { ratings } from "../../src/resources/ratings.ts";
import { parseUrl } from "../support/requests/requests.ts";

/** More than a function can have arguments. */
const streams = 150_000;

test("a stream whose key expires is closed among more streams than a function has arguments [sqlite]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bellwire-expiry-"));
  const store = openSqlite({ file: join(folder, "records.db") });
  try {
    await store.prepare();
    let now = 1_730_800_000;
    const onError = (error: unknown) => assert.fail(String(error));
    const hub = new Hub({ catalog, store, now: () => now, onError, every: () => () => {} });
    const state = await store.state();
    const { plan } = parseUrl(ratings, "/api/v2.1/calendar/ratings") ?? assert.fail();
    const closed: number[] = [];
    for (let at = 0; at < streams; at++)
      await hub.subscribe(ratings, 0, state, {
        plan,
        form: { key: "", text: () => "" },
        visibility: undefined,
        until: at < 2 ? now + 10 + at : Number.POSITIVE_INFINITY,
        from: state.position,
        parsedWith: state,
        sink: {
          event: () => {},
          flush: () => {},
          heartbeat: () => {},
          close: () => closed.push(at),
          buffered: 0,
          drained: async () => {},
          drains: 0,
        },
        client: { recheck: async () => now, info: () => assert.fail() },
      });
    for (const expected of [[0], [0, 1]]) {
      now = 1_730_800_009 + expected.length;
      await hub.tick();
      assert.deepEqual(closed, expected);
    }
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});
