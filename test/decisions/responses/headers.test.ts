// Headers of every response: request IDs, weak ETags and 304, compression, Vary, HEAD.
import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import inject from "light-my-request";
import { createLog } from "../../../src/http/observe/log.ts";
import { buildServer } from "../../../src/http/server.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { resourceNamed, startApi } from "../../support/clients/api.ts";
import { onEveryStore, type ReadApi, readingEveryStore } from "../../support/stores/every-store.ts";

onEveryStore("X-Request-Id", (test) => {
  test("is on every response: successes, problems, 304s, redirects, and documents", async (api) => {
    const authorization = `Bearer ${api.token}`;
    const etag = String((await api.fetch("/api/v2/news")).headers.etag);
    const seen = new Set<string>();
    for (const [url, method, headers, status] of [
      ["/api/v2/news", "GET", { authorization }, 200],
      ["/api/v2/news", "HEAD", { authorization }, 200],
      ["/api/v2/news", "GET", { authorization, "if-none-match": etag }, 304],
      ["/api/v2/news?page=x", "GET", { authorization }, 400],
      ["/api/v2/news", "GET", {}, 401],
      ["/nowhere", "GET", {}, 404],
      ["/api/v2/news", "POST", {}, 405],
      ["/api/v2/news", "GET", { authorization, accept: "text/plain" }, 406],
      [`/api/v2/news?x=${"y".repeat(17_000)}`, "GET", { authorization }, 414],
      ["/api/%zz", "GET", {}, 400],
      ["/api/v2/news", "OPTIONS", { origin: "https://a.example", "access-control-request-method": "GET" }, 204],
      ["/", "GET", {}, 200],
      ["/livez", "GET", {}, 200],
      ["/openapi.json", "GET", {}, 200],
    ] as const) {
      const found = await api.request(url, { method, headers });
      assert.equal(found.status, status, `${method} ${url.slice(0, 60)}`);
      const id = found.headers["x-request-id"] ?? "";
      assert.match(id, /^[\w.-]{1,64}$/, `${method} ${url.slice(0, 60)}`);
      assert.ok(!seen.has(id), "ids differ");
      seen.add(id);
    }
  });

  test("is the client's own if it is plain, and is in the log line", async (api) => {
    const found = await api.fetch("/api/v2/news", { "x-request-id": "job-17.a_b" });
    assert.equal(found.headers["x-request-id"], "job-17.a_b");
    assert.equal(JSON.parse(api.log.at(-1) ?? "").request_id, "job-17.a_b");
    const problem = await api.fetch("/api/v2/news?page=x", { "x-request-id": "job-18" });
    assert.deepEqual([problem.headers["x-request-id"], problem.json.request_id], ["job-18", "job-18"]);
  });

  test("is generated if the client's own could forge a log line or is too long", async (api) => {
    for (const input of ["two words", "a\tb", "x".repeat(65), '"quoted"', "é"]) {
      const found = await api.fetch("/api/v2/news", { "x-request-id": input });
      assert.notEqual(found.headers["x-request-id"], input);
      assert.match(found.headers["x-request-id"] ?? "", /^[\w.-]+$/);
    }
  });
});

const tagOf = async (api: ReadApi, url: string, headers: Record<string, string> = {}): Promise<string> => {
  const found = await api.fetch(url, headers);
  assert.equal(found.status, 200, found.text);
  return String(found.headers.etag);
};

onEveryStore("ETag", (test) => {
  test("is weak, and the same for the same request on the same data", async (api) => {
    await api.has("news", [{ id: 1 }]);
    const tag = await tagOf(api, "/api/v2/news?tickers=AAPL");
    assert.match(tag, /^W\/"[^"]+"$/);
    assert.equal(await tagOf(api, `/api/v2/news?token=${api.token}&tickers=aapl`, { authorization: "" }), tag);
  });

  test("differs by request and by format, but not by encoding", async (api) => {
    await api.has(
      "news",
      Array.from({ length: 15 }, (_, at) => ({ id: at + 1, author: "Dana Whitlock", url: "https://example.com/1" })),
    );
    const tag = await tagOf(api, "/api/v2/news");
    assert.notEqual(await tagOf(api, "/api/v2/news?page=1"), tag);
    assert.notEqual(await tagOf(api, "/api/v2/news?displayOutput=full"), tag);
    assert.notEqual(await tagOf(api, "/api/v2/news?format=text"), tag);
    assert.notEqual(await tagOf(api, "/api/v2/news", { accept: "application/xml" }), tag);
    for (const encoding of ["gzip", "br", "identity"]) {
      assert.equal(await tagOf(api, "/api/v2/news", { "accept-encoding": encoding }), tag, encoding);
    }
    assert.notEqual(
      await tagOf(api, "/api/v2.1/calendar/ratings"),
      await tagOf(api, "/api/v2.1/calendar/ratings?simplify=true"),
    );
  });

  test("changes with the data of its own resource, but not with other data or with keys", async (api) => {
    const url = "/api/v2.1/calendar/ratings";
    const tag = await tagOf(api, url);
    await api.has("news", [{ id: 1 }]);
    await api.has("earnings", [{ id: "a" }]);
    await api.key({ name: "partner" });
    await api.store.revokeKey("partner", api.clock.now);
    assert.equal(await tagOf(api, url), tag);
    await api.has("ratings", [{ id: "a" }]);
    const changed = await tagOf(api, url);
    assert.notEqual(changed, tag);
    await api.has("ratings", [{ id: "a" }]);
    assert.equal(await tagOf(api, url), changed, "an identical record changes nothing");
    await api.has("ratings", [{ id: "a", notes: "n" }]);
    assert.notEqual(await tagOf(api, url), changed);
  });

  test("is never reused for other content: a record removed and added again has a new one", async (api) => {
    const tags = [await tagOf(api, "/api/v2/news")];
    for (let round = 0; round < 2; round++) {
      await api.has("news", [{ id: 1 }]);
      tags.push(await tagOf(api, "/api/v2/news"));
      await api.store.remove(resourceNamed("news"), ["1"]);
      tags.push(await tagOf(api, "/api/v2/news"));
    }
    assert.equal(new Set(tags).size, tags.length);
  });

  test("differs between two databases with the same records", async (api) => {
    const other = await startApi();
    assert.notEqual(await tagOf(other, "/api/v2/news"), await tagOf(api, "/api/v2/news"));
    await other.close();
  });
});

onEveryStore("304", (test) => {
  test("is returned for If-None-Match with the ETag, weak or strong, in a list, or *", async (api) => {
    const url = "/api/v2.2/calendar/dividends?parameters[tickers]=F";
    const tag = await tagOf(api, url);
    for (const input of [tag, tag.slice(2), `"other", ${tag}`, `W/"a",${tag} , "b"`, "*"]) {
      const found = await api.fetch(url, { "if-none-match": input });
      assert.deepEqual([found.status, found.text], [304, ""], input);
    }
    for (const input of ['"other"', tag.slice(0, -2), ""]) {
      assert.equal((await api.fetch(url, { "if-none-match": input })).status, 200, input);
    }
  });

  test("has the headers of the full response: ETag, Vary, Cache-Control, ignored parameters, but no length", async (api) => {
    const url = "/api/v2/news?typo=1";
    const full = await api.fetch(url);
    const found = await api.fetch(url, { "if-none-match": String(full.headers.etag) });
    for (const name of ["etag", "vary", "cache-control", "x-ignored-parameters"]) {
      assert.ok(found.headers[name], name);
      assert.equal(found.headers[name], full.headers[name], name);
    }
    assert.deepEqual([found.headers["content-type"], found.headers["content-encoding"]], [undefined, undefined]);
  });

  test("comes after the checks: an invalid token or parameter is reported first", async (api) => {
    const tag = await tagOf(api, "/api/v2/news");
    assert.equal((await api.request("/api/v2/news", { headers: { "if-none-match": tag } })).status, 401);
    assert.equal((await api.fetch("/api/v2/news?page=x", { "if-none-match": "*" })).status, 400);
  });

  test("is returned without reading any record", async (api) => {
    await api.has("news", [{ id: 1 }]);
    let reads = 0;
    const counted = <T>(result: T): T => {
      reads++;
      return result;
    };
    const { app, handle } = await buildServer({
      catalog,
      store: {
        ...api.store,
        page: (...args) => counted(api.store.page(...args)),
        records: (...args) => counted(api.store.records(...args)),
      },
      log: createLog("silent"),
      openapi: {},
      now: () => api.clock.now,
    });
    const request = (headers: Record<string, string>) =>
      inject(handle, {
        url: "/api/v2/news?displayOutput=full",
        headers: { authorization: `Bearer ${api.token}`, ...headers },
      });
    const full = await request({});
    assert.deepEqual([full.statusCode, reads], [200, 1]);
    assert.equal((await request({ "if-none-match": String(full.headers.etag) })).statusCode, 304);
    assert.equal(reads, 1);
    await app.close();
  });
});

readingEveryStore("compression", (test) => {
  const many = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, title: `Übernahme ${at} – 漢字 📈`.repeat(5) }));
  const unpack = { gzip: gunzipSync, br: brotliDecompressSync };

  test("sends gzip and br if requested, which decompress to the plain body", async (api) => {
    await api.has("news", many);
    for (const accept of ["application/json", "application/xml"]) {
      const plain = await api.fetch("/api/v2/news?pageSize=100", { accept });
      assert.equal(plain.headers["content-encoding"], undefined);
      for (const encoding of ["gzip", "br"] as const) {
        const found = await api.fetch("/api/v2/news?pageSize=100", { accept, "accept-encoding": encoding });
        assert.equal(found.headers["content-encoding"], encoding);
        assert.equal(found.headers["content-length"], String(found.bytes.length));
        assert.ok(found.bytes.length < plain.bytes.length / 2);
        assert.equal(unpack[encoding](found.bytes).toString(), plain.text);
      }
    }
  });

  test("follows the q-values of Accept-Encoding", async (api) => {
    await api.has("news", many);
    const encoding = async (accepted: string) =>
      (await api.fetch("/api/v2/news", { "accept-encoding": accepted })).headers["content-encoding"];
    assert.equal(await encoding("gzip, deflate, br"), "br");
    assert.equal(await encoding("gzip;q=1.0, br;q=0.5"), "gzip");
    assert.equal(await encoding("br;q=0, gzip"), "gzip");
    assert.equal(await encoding("gzip;q=0"), undefined);
    assert.equal(await encoding("deflate, zstd"), undefined);
    assert.equal(await encoding("identity"), undefined);
    assert.equal(await encoding(""), undefined);
    assert.ok(["br", "gzip"].includes(String(await encoding("*"))));
  });
});

readingEveryStore("Vary and HEAD", (test) => {
  test("Vary contains Accept and Accept-Encoding, compressed or not, on 304 too", async (api) => {
    await api.has("earnings", [{ id: "a", notes: "n".repeat(2000) }]);
    const url = "/api/v2.1/calendar/earnings";
    const plain = await api.fetch(url);
    for (const headers of [{}, { "accept-encoding": "br" }, { "if-none-match": String(plain.headers.etag) }]) {
      assert.equal((await api.fetch(url, headers)).headers.vary, "Accept, Accept-Encoding");
    }
  });

  test("HEAD returns the status, headers, and length of GET, without a body", async (api) => {
    await api.has("news", [{ id: 1, title: "t".repeat(3000) }]);
    const authorization = `Bearer ${api.token}`;
    const same = ["content-type", "content-length", "content-encoding", "etag", "vary", "cache-control"];
    for (const [url, headers] of [
      ["/api/v2/news", {}],
      ["/api/v2/news", { "accept-encoding": "gzip" }],
      ["/api/v2/news", { accept: "application/xml" }],
      ["/api/v2/news?typo=1", { "if-none-match": "*" }],
      ["/api/v2/news?page=x", { "x-request-id": "same" }],
    ] as const) {
      const get = await api.request(url, { headers: { authorization, ...headers } });
      const head = await api.request(url, { method: "HEAD", headers: { authorization, ...headers } });
      assert.deepEqual([head.status, head.text], [get.status, ""], url);
      for (const name of same) assert.equal(head.headers[name], get.headers[name], `${name} of ${url}`);
    }
  });
});
