// Decompression bombs, sent by clients and returned by upstreams.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { readText } from "../../../src/mirror/upstream/response-body.ts";
import { resourceNamed } from "../../support/clients/api.ts";
import { listening } from "../../support/clients/listening.ts";

const megabyte = 1024 * 1024;

describe("a decompression bomb", () => {
  test("is rejected at the limit of decompressed bytes, whatever it contains, and the server continues", () =>
    listening(
      async ({ port, key, store, request }) => {
        const authorization = `Bearer ${await key({ scopes: ["write"] })}`;
        const bombs = {
          "nothing but blanks": gzipSync(Buffer.alloc(20 * megabyte, " ")),
          "one record without an end": gzipSync(`[{"id":1,"title":"${"x".repeat(20 * megabyte)}`),
          "many parts": Buffer.concat(Array.from({ length: 200 }, () => gzipSync(Buffer.alloc(100_000, "\n")))),
        };
        for (const [what, body] of Object.entries(bombs)) {
          assert.ok(body.length < 50_000, `${what} has ${body.length} bytes`);
          for (const type of ["application/json", "application/x-ndjson"]) {
            const found = await fetch(`http://127.0.0.1:${port}/admin/v1/records/news`, {
              method: "POST",
              headers: { authorization, "content-type": type, "content-encoding": "gzip" },
              body,
            });
            const { code } = (await found.json()) as { code: string };
            assert.deepEqual([found.status, code], [413, "request.size"], `${what} as ${type}`);
          }
        }
        assert.equal((await request("/livez")).status, 200);
        assert.equal(await store.count(resourceNamed("news")), 0);
      },
      undefined,
      { writeLimits: { bytes: megabyte } },
    ));

  test("is abandoned if it comes from an upstream", async () => {
    const bomb = gzipSync(Buffer.alloc(129 * megabyte, " "));
    const there = createServer((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
    await once(there.listen(0, "127.0.0.1"), "listening");
    try {
      const { port } = there.address() as AddressInfo;
      const read = await readText(await fetch(`http://127.0.0.1:${port}/`));
      assert.deepEqual(read, { problem: "the response is larger than 134217728 bytes" });
    } finally {
      there.closeAllConnections();
      there.close();
    }
  });
});
