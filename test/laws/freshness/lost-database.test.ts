// A database that is damaged or lost while the service runs: a problem for the client, the reason in the log.
import assert from "node:assert/strict";
import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { dividends } from "../../../src/resources/dividends.ts";
import { listening } from "../../support/clients/listening.ts";
import { isProblem } from "../../support/problem.ts";
import { crowd, sample } from "../../support/records/records.ts";
import { rowsOf } from "../../support/requests/requests.ts";

describe("a lost database", () => {
  test("a damaged file gets a 503 with Retry-After, and whatever needs no database still works", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bellwire-damaged-"));
    const file = join(folder, "test.db");
    try {
      let token = "";
      await listening(async ({ store, key }) => {
        token = await key();
        const rows = rowsOf(dividends, sample(crowd(dividends, 300)));
        await store.put(
          dividends,
          rows.map((row) => ({ row, stamped: false })),
        );
      }, file);
      await listening(async ({ request, log }) => {
        assert.equal((await request(`/api/v2/news?token=${token}`)).status, 200);
        damage(file);
        const reply = await request(`/api/v2.2/calendar/dividends?token=${token}`);
        isProblem(reply, "server.unavailable");
        assert.match(String(reply.headers["retry-after"]), /^\d+$/);
        assert.ok(!/sqlite|malformed|\.db/i.test(reply.text), "the response reveals internals");
        assert.ok(
          log.some((line) => line.includes(reply.json.request_id) && line.includes("damaged")),
          "the log does not say why",
        );
        assert.equal((await request("/livez")).status, 200);
        isProblem(await request("/api/v2/weather"), "request.path");
      }, file);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("an internal error gives the client only a reference, and the reason is logged", () =>
    listening(async ({ store, request, log }) => {
      await store.close();
      const reply = await request("/api/v2/news?token=nobody&page=x", { "x-request-id": "look-here" });
      isProblem(reply, "server.fault");
      assert.equal(reply.json.request_id, "look-here");
      assert.ok(!/is closed|\.ts/.test(reply.text));
      assert.ok(log.some((line) => line.includes("look-here") && line.includes("is closed")));
      isProblem(await request("/readyz"), "server.fault");
    }));
});

const firstPage = 8192;

/** Overwrites all but the first page, which an active reader has already seen. */
function damage(file: string): void {
  const handle = openSync(file, "r+");
  const { size } = fstatSync(handle);
  assert.ok(size > 100_000, "the file holds more than a reader has seen");
  writeSync(handle, Buffer.alloc(size - firstPage, "damage"), 0, size - firstPage, firstPage);
  closeSync(handle);
}
