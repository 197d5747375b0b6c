// A WebSocket whose command fails in the server: the client is disconnected, and the log says why.
import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog } from "../../../src/resources/catalog.ts";
import { StoreError } from "../../../src/store/store.ts";
import { startApi } from "../../support/clients/api.ts";
import { openMessages } from "../../support/clients/message-stream.ts";
import { openTestStore } from "../../support/stores/stores.ts";

test("a command that the database or a bug prevents ends the connection with 1011, and is logged", async () => {
  let failure: Error | undefined;
  const api = await startApi({
    other: {
      catalog,
      open: async (file, now) => {
        const store = await openTestStore(file, now);
        return {
          ...store,
          oldestPosition: async () => {
            if (failure !== undefined) throw failure;
            return store.oldestPosition();
          },
        };
      },
    },
  });
  try {
    for (const [error, title, level] of [
      [new StoreError("the disk is gone"), "Service unavailable", "database failure"],
      [new TypeError("a bug"), "Internal server error", "internal error"],
    ] as const) {
      failure = undefined;
      const stream = await openMessages(api, "/api/v2.1/calendar/ratings/stream");
      failure = error;
      stream.socket.send("replay");
      await stream.closed();
      assert.deepEqual([stream.code, stream.reason], [1011, title]);
      const line = api.log.find((each) => each.includes(error.message)) ?? assert.fail("nothing was logged");
      assert.equal(JSON.parse(line).msg, level);
    }
  } finally {
    await api.close();
  }
});
