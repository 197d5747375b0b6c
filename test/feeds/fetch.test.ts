// Fetching over real HTTP: redirects, private addresses, compression, sizes, times, and misbehaving servers.
import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import { describe, test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { type Fetched, type FetchOptions, fetchFeed } from "../../src/feeds/fetch/fetch.ts";
import { isPrivate } from "../../src/outbound/private-address.ts";
import { feedServer } from "./feed-server.ts";

const get = (url: string, options: Partial<FetchOptions> = {}): Promise<Fetched> =>
  fetchFeed(new URL(url), { agent: "Bellwire/test", ...options });

const textOf = (fetched: Fetched): string => (fetched.kind === "fetched" ? fetched.text : JSON.stringify(fetched));
const reasonOf = (fetched: Fetched): string => (fetched.kind === "failed" ? fetched.reason : fetched.kind);

describe("a feed request", () => {
  test("identifies the client and the accepted formats", () =>
    feedServer(async (server) => {
      server.give("<rss/>");
      await get(server.url);
      const { "user-agent": agent, accept, "accept-encoding": encoding } = server.requests[0]?.headers ?? {};
      assert.equal(agent, "Bellwire/test");
      assert.match(accept ?? "", /^application\/rss\+xml, application\/atom\+xml,/);
      assert.equal(encoding, "gzip, deflate, br");
    }));

  test("fails if the server switches to another protocol", async () => {
    const switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n";
    const server = createServer((socket) =>
      socket
        .on("error", () => {})
        .once("data", () => {
          socket.end(switching);
        }),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      assert.equal(reasonOf(await get(`http://127.0.0.1:${port}/`)), "no HTTP response");
    } finally {
      server.close();
    }
  });

  test("decompresses every encoding that it offers, and reports others", () =>
    feedServer(async (server) => {
      for (const [encoding, pack] of [
        ["gzip", gzipSync],
        ["deflate", deflateSync],
        ["br", brotliCompressSync],
      ] as const) {
        server.give(pack("<rss>é</rss>"), { "content-encoding": encoding });
        assert.equal(textOf(await get(server.url)), "<rss>é</rss>");
      }
      server.give("x", { "content-encoding": "zstd" });
      assert.equal(reasonOf(await get(server.url)), "its encoding zstd is unknown");
      server.give("this is not gzip", { "content-encoding": "gzip" });
      assert.match(reasonOf(await get(server.url)), /incorrect header check/);
      server.give(gzipSync("<rss>cut</rss>").subarray(0, 20), { "content-encoding": "gzip" });
      assert.match(reasonOf(await get(server.url)), /unexpected end of file/);
    }));

  test("determines the charset by byte order mark, then response, then document, then UTF-8", () =>
    feedServer(async (server) => {
      const declared = (charset: string) => `<?xml version='1.0' encoding='${charset}'?><rss>`;
      const bytes = (head: string, ...more: number[]) => Buffer.concat([Buffer.from(head), Buffer.from(more)]);
      for (const [body, type, last] of [
        [bytes(declared("windows-1252"), 0x80), "text/xml", "€"],
        [bytes(declared("KOI8-R"), 0xf2), "application/xml", "Р"],
        [bytes(declared("windows-1252"), 0xa4), "text/xml; charset=ISO-8859-15", "€"],
        [bytes("\ufeff<rss>", 0xc3, 0xa9), 'text/xml; charset="iso-8859-1"', "é"],
        [bytes("<rss>", 0xc3, 0xa9), "application/octet-stream", "é"],
        [bytes("<rss>", 0xff), "text/xml", "\ufffd"],
        [Buffer.from("\ufeff<rss>é", "utf16le"), "text/xml", "é"],
        [Buffer.from('<?xml version="1.0"?><rss>é', "utf16le"), "text/xml", "é"],
      ] as const) {
        server.give(body, { "content-type": type });
        assert.equal(textOf(await get(server.url)).at(-1), last, type);
      }
      server.give(declared("klingon"));
      assert.equal(reasonOf(await get(server.url)), "its charset klingon is unknown");
    }));

  test("abandons a document that is too large, compressed or not, with or without a length", () =>
    feedServer(async (server) => {
      const limit = { maxBytes: 1024 * 1024 };
      server.give("x".repeat(1024 * 1024));
      assert.equal(reasonOf(await get(server.url, limit)), "fetched");
      server.give("x".repeat(1024 * 1024 + 1));
      assert.equal(reasonOf(await get(server.url, limit)), "it is larger than 1 MB");
      server.give(gzipSync("x".repeat(200 * 1024 * 1024)), { "content-encoding": "gzip" });
      assert.equal(reasonOf(await get(server.url, limit)), "it is larger than 1 MB");
      let closed = false;
      server.respond((_, response) => {
        response.on("close", () => {
          closed = true;
        });
        const more = () => {
          while (!closed && response.write("x".repeat(65_536)));
        };
        response.on("drain", more);
        more();
      });
      assert.equal(reasonOf(await get(server.url, limit)), "it is larger than 1 MB");
      server.give("x".repeat(21 * 1024 * 1024));
      assert.equal(reasonOf(await get(server.url)), "it is larger than 20 MB");
    }));

  test("fails if the server doesn't respond, stops halfway, or doesn't speak HTTP", () =>
    feedServer(async (server) => {
      server.respond(() => {});
      assert.equal(reasonOf(await get(server.url, { seconds: 0.2 })), "it did not respond within 0.2 s");
      server.respond((_, response) => {
        response.writeHead(200, { "content-length": "100" }).write("<rss>");
      });
      assert.equal(reasonOf(await get(server.url, { seconds: 0.2 })), "it did not respond within 0.2 s");
      server.respond((_, response) => {
        response.writeHead(200, { "content-length": "100" }).write("<rss>", () => response.destroy());
      });
      assert.match(reasonOf(await get(server.url)), /aborted|reset|hang up/);
      server.respond((_, response) => {
        response.writeHead(200, { "content-encoding": "gzip", "content-length": "100" });
        response.write(gzipSync("<rss>").subarray(0, 12), () => response.destroy());
      });
      assert.match(reasonOf(await get(server.url)), /aborted|reset|hang up|unexpected end/);
      server.respond((request) => void request.socket.end("hello\r\n\r\n"));
      assert.match(reasonOf(await get(server.url)), /Parse Error/);
      server.respond((request) => void request.socket.destroy());
      assert.match(reasonOf(await get(server.url)), /hang up|reset/);
      assert.match(reasonOf(await get("http://127.0.0.1:1/")), /ECONNREFUSED/);
      assert.match(reasonOf(await get("http://no-such-host.invalid/")), /ENOTFOUND|EAI_AGAIN/);
    }));

  test("reports statuses, with Retry-After", () =>
    feedServer(async (server) => {
      const fetchWith = (status: number, headers = {}) => {
        server.respond((_, response) => response.writeHead(status, headers).end("x"));
        return get(server.url);
      };
      assert.deepEqual(await fetchWith(404), { kind: "failed", reason: "it responded with 404", gone: false });
      assert.deepEqual(await fetchWith(410), { kind: "failed", reason: "it responded with 410", gone: true });
      assert.deepEqual(await fetchWith(304), { kind: "failed", reason: "it responded with 304", gone: false });
      assert.deepEqual(await fetchWith(429, { "retry-after": "120" }), {
        kind: "failed",
        reason: "it responded with 429",
        gone: false,
        waitSeconds: 120,
      });
      const dated = await fetchWith(503, { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() });
      assert.ok(dated.kind === "failed" && (dated.waitSeconds ?? 0) > 3500);
      const odd = await fetchWith(503, { "retry-after": "soon" });
      assert.ok(odd.kind === "failed" && odd.waitSeconds === undefined);
    }));
});

describe("redirects", () => {
  test("are followed, at most five, and the result has its own URL", () =>
    feedServer(async (server) => {
      server.respond((request, response) => {
        const left = Number(/^\/(\d+)$/.exec(request.url ?? "")?.[1]);
        if (left > 0) response.writeHead(302, { location: `${left - 1}` }).end();
        else response.end("<rss>");
      });
      const found = await get(`http://127.0.0.1:${server.port}/5`);
      assert.ok(found.kind === "fetched");
      assert.equal(found.address, `http://127.0.0.1:${server.port}/0`);
      assert.equal(reasonOf(await get(`http://127.0.0.1:${server.port}/6`)), "it redirects more than 5 times");
    }));

  test("to another host with a private address are not followed, by name or by number", () =>
    feedServer(async (server) => {
      for (const host of [
        "localhost",
        "127.0.0.2",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "2130706434",
        "10.0.0.1",
      ]) {
        server.respond((request, response) => {
          if (request.headers.host?.startsWith("127.0.0.1")) {
            response.writeHead(301, { location: `http://${host}:${server.port}/secret` }).end();
          } else response.end("<rss>secret</rss>");
        });
        assert.match(reasonOf(await get(server.url)), /^it redirects to another host: .* private address$/, host);
      }
      assert.equal(server.requests.filter(({ url }) => url === "/secret").length, 0);
    }));

  test("to another scheme, or to an invalid URL, are not followed", () =>
    feedServer(async (server) => {
      for (const location of ["file:///etc/passwd", "ftp://example.com/", "data:text/xml,<rss/>", "http://["]) {
        server.respond((_, response) => response.writeHead(302, { location }).end());
        assert.match(reasonOf(await get(server.url)), /^it redirects to (a \w+: URL|an invalid URL)/);
      }
      server.respond((_, response) => response.writeHead(302).end());
      assert.equal(reasonOf(await get(server.url)), "it responded with 302");
    }));
});

test("treat addresses of the host and of local networks, and non-unicast ones, as private", () => {
  for (const address of [
    ...["127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1", "169.254.169.254", "100.64.0.1"],
    ...["0.0.0.0", "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fd00::1", "ff02::1", "::ffff:10.0.0.1"],
    ...["64:ff9b::a00:1", "2002:a00:1::", "::127.0.0.1", "::ffff:0:10.0.0.1", "2001:0:a00:1::"],
  ])
    assert.equal(isPrivate(address), true, address);
  for (const address of [
    "1.1.1.1",
    "172.32.0.1",
    "172.15.0.1",
    "192.169.0.1",
    "8.8.8.8",
    "2606:4700::1111",
    "::ffff:1.1.1.1",
  ])
    assert.equal(isPrivate(address), false, address);
});
