// How `bellwire/client` sends requests: errors, retries, pacing, and cancellation.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Bellwire, BellwireError } from "../../client/index.ts";
import { type Api, startApi } from "../support/clients/api.ts";
import { connect, ratings, recordingFetch } from "../support/clients/bellwire-client.ts";

describe("a request of the client", () => {
  let api: Api;
  before(async () => {
    api = await startApi();
    await api.has("ratings", ratings(0, 5));
  });
  after(() => api.close());

  test("throws the problem document with every parameter error, without retrying", async () => {
    const { fetch, responses } = recordingFetch();
    const client = await connect(api, { fetch });
    await assert.rejects(client.earnings.page({ dateFrom: "soon", dateSort: "up" as never }), (error) => {
      assert.ok(error instanceof BellwireError);
      assert.equal(error.status, 400);
      assert.equal(error.code, "request.parameters");
      assert.deepEqual(error.errors.map(({ parameter }) => parameter).sort(), [
        "parameters[date_from]",
        "parameters[date_sort]",
      ]);
      assert.match(error.message, /parameters\[date_from\]: expected a day as YYYY-MM-DD, received soon/);
      assert.match(error.requestId ?? "", /\S/);
      return true;
    });
    await assert.rejects((await connect(api, { token: "wrong" })).news.page(), { status: 401, code: "key.unknown" });
    assert.equal(responses.length, 1);
  });

  test("rejects unknown names, names passed twice, and divided members before it sends anything", async () => {
    const { fetch, responses } = recordingFetch();
    const { ratings: list, news } = await connect(api, { fetch });
    const invalid = (parameters: object) => list.page(parameters as never);
    await assert.rejects(invalid({ symbols: "F" }), /has no parameter symbols; it has: page cursor pagesize/);
    await assert.rejects(invalid({ dateFrom: "2026-01-01", date_from: "2026-01-02" }), /date_from was passed twice/);
    await assert.rejects(invalid({ tickers: ["F,GM"] }), /can't contain a comma, received "F,GM"/);
    for (const id of [undefined, "", ".", ".."]) await assert.rejects(news.get(id as never), /needs the parameter id/);
    assert.equal(responses.length, 0);
  });

  test("rejects a URL or a key that no request could be sent with, without naming the key", () => {
    const { url, token } = { url: "http://127.0.0.1/path/", token: "bw_secret" };
    for (const wrong of ["localhost:8080", "127.0.0.1", "/api", "ftp://a", `${url}?a=b`, "http://a:b@c", undefined])
      assert.throws(() => new Bellwire({ url: wrong as string, token }), /^TypeError: url: expected an address/);
    for (const wrong of [`${token}\n`, `${token} `, "bw_…", "", undefined])
      assert.throws(
        () => new Bellwire({ url, token: wrong as string }),
        (error) =>
          error instanceof TypeError && /^token: expected a key/.test(error.message) && !/bw_/.test(error.message),
      );
    for (const password of ["pass", "pa\nss"])
      assert.throws(() => new Bellwire({ url: `http://me:${password}@host`, token }), /received http:\/\/…@host$/);
    assert.throws(() => new (Bellwire as new (options?: unknown) => Bellwire)(), /^TypeError: url/);
    new Bellwire({ url: new URL(url), token });
  });

  test("names the reason why there was no response", async () => {
    const client = new Bellwire({ url: "http://127.0.0.1:1", token: "key", retries: 0 });
    await assert.rejects(client.news.page(), {
      status: 0,
      message: /^GET \/api\/v2\/news: fetch failed: .*(ECONNREFUSED|bad port)/,
    });
  });

  test("doesn't occupy a connection with the page of an error", async () => {
    let cancelled = 0;
    const page = () => new ReadableStream({ cancel: () => void cancelled++ });
    const { fetch } = recordingFetch(() => new Response(page(), { status: 502, statusText: "Bad Gateway" }));
    const client = await connect(api, { fetch, retries: 1, maxDelayMs: 1 });
    await assert.rejects(client.news.page(), { status: 502, message: "GET /api/v2/news: 502 Bad Gateway" });
    assert.equal(cancelled, 2);
  });

  test("retries what may pass, and honors Retry-After", async () => {
    const failures = [
      () => new Response("no", { status: 502 }),
      () => new Response("{}", { status: 503, headers: { "retry-after": "0" } }),
      () => new Response("{", { status: 200 }),
      () => Response.error(),
    ];
    const { fetch, responses } = recordingFetch(() => failures.shift()?.());
    const client = await connect(api, { fetch, maxDelayMs: 20 });
    assert.equal((await client.ratings.page()).records.length, 5);
    assert.equal(responses.length, 5);
    const late = { status: 429, headers: { "retry-after": "90" } };
    const limited = recordingFetch(() => new Response(null, late));
    await assert.rejects((await connect(api, { fetch: limited.fetch })).ratings.page(), {
      status: 429,
      retryAfter: 90,
    });
    assert.equal(limited.responses.length, 1, "90 seconds are longer than maxDelayMs");
    const down = recordingFetch(() => new Response(null, { status: 500 }));
    await assert.rejects((await connect(api, { fetch: down.fetch, retries: 2, maxDelayMs: 20 })).ratings.page(), {
      status: 500,
    });
    assert.equal(down.responses.length, 3);
  });

  test("pauses when a rate limit is used up, so that the server rejects nothing", async () => {
    const token = await api.key({ rate: 3, burst: 3 });
    const { fetch, responses } = recordingFetch(() => {
      api.clock.ticks = performance.now();
      return undefined;
    });
    const client = await connect(api, { token, fetch });
    assert.equal((await Array.fromAsync(client.ratings.list({ pageSize: 1 }))).length, 5);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200, 200, 200, 200],
    );
    const { limits } = await client.ratings.page();
    assert.deepEqual(limits, [{ name: "rate", remaining: limits[0]?.remaining, resetSeconds: 1 }]);
  });

  test("stops when its signal is aborted", async () => {
    const client = await connect(api, {
      fetch: recordingFetch(() => new Response(null, { status: 503, headers: { "retry-after": "59" } })).fetch,
    });
    const controller = new AbortController();
    const pending = client.ratings.page({}, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await assert.rejects(pending, /enough/);
    await assert.rejects(client.ratings.page({}, { signal: controller.signal }), /enough/);
  });
});
