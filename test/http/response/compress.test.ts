// Compression is limited: what exceeds the limit is sent uncompressed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { tryCompress } from "../../../src/http/response/compress.ts";

const large = "a large response ".repeat(900_000);

describe("compression", () => {
  test("is skipped beyond the memory limit, and resumes when memory is available again", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => tryCompress(large, "gzip")));
    const packed = all.filter((each) => each !== undefined);
    assert.equal(packed.length, 2);
    assert.equal(gunzipSync(packed[0] as Buffer).toString("utf8"), large);
    assert.ok((await tryCompress("a small response", "br")) !== undefined);
    assert.equal((await Promise.all([tryCompress(large, "gzip"), tryCompress(large, "gzip")])).length, 2);
  });

  test("of a single response always happens, however large it is", async () => {
    assert.ok((await tryCompress(large.repeat(3), "gzip")) !== undefined);
  });
});
