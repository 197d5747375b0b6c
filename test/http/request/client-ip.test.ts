// Client addresses: only trusted proxies are believed.
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, test } from "node:test";
import { clientAddress } from "../../../src/http/request/client-ip.ts";
import { listening } from "../../support/clients/listening.ts";

const request = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  }) as unknown as IncomingMessage;

describe("the client address", () => {
  test("is that of the connection if no proxy is trusted", () => {
    const addressOf = clientAddress([]);
    assert.equal(addressOf(request("192.0.2.1", "203.0.113.9")), "192.0.2.1");
    assert.equal(addressOf(request("::ffff:192.0.2.1")), "192.0.2.1");
    assert.equal(addressOf(request(undefined)), "");
  });

  test("is the last one that isn't a trusted proxy", () => {
    const addressOf = clientAddress(["10.0.0.0/8", "::1"]);
    for (const [from, forwarded, expected] of [
      ["192.0.2.1", "203.0.113.9", "192.0.2.1"],
      ["10.0.0.1", undefined, "10.0.0.1"],
      ["10.0.0.1", "203.0.113.9", "203.0.113.9"],
      ["::1", "203.0.113.9", "203.0.113.9"],
      // What the client wrote itself comes before what the proxies added.
      ["10.0.0.1", "192.0.2.66, 203.0.113.9", "203.0.113.9"],
      ["10.0.0.1", "192.0.2.66, 203.0.113.9, 10.0.0.2", "203.0.113.9"],
      ["10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
      ["10.0.0.1", "", "10.0.0.1"],
      ["10.0.0.1", "2001:db8::5", "2001:db8::5"],
    ] as const)
      assert.equal(addressOf(request(from, forwarded)), expected, `${from} for ${forwarded}`);
  });

  test("is checked against a key's networks on every request, also if the response is cached", () =>
    listening(
      async ({ request: send, key }) => {
        const token = await key({ networks: ["192.0.2.0/24"] });
        const status = async (forwarded: string) =>
          (await send(`/api/v2/news?token=${token}`, { "x-forwarded-for": forwarded })).status;
        for (let time = 0; time < 3; time++) {
          assert.equal(await status("192.0.2.7"), 200);
          assert.equal(await status("198.51.100.7"), 403);
          assert.equal(await status("192.0.2.7, 198.51.100.7"), 403);
        }
      },
      undefined,
      { trustedProxies: ["127.0.0.0/8"], cacheBytes: 1_000_000 },
    ));
});
