// Requests to an upstream that fails in every way are retried or refused, and the token is never logged.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { describe, test } from "node:test";
import { retryAfterMs } from "../../../src/core/retry-after.ts";
import { requestBudget } from "../../../src/mirror/upstream/request-budget.ts";
import {
  nextPage,
  RetriesExhaustedError,
  StoppedError,
  type UpstreamOptions,
} from "../../../src/mirror/upstream/upstream.ts";
import { json } from "../support/fake-upstream.ts";
import { type VirtualClock, virtualClock } from "../support/virtual-clock.ts";
import { token, withUpstream } from "../support/with-upstream.ts";

const cut = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write('[{"id":');
  setTimeout(() => response.destroy(), 10);
};

const troubles: Record<
  string,
  [respond: (response: ServerResponse) => void, words: RegExp, options?: Partial<UpstreamOptions>]
> = {
  "a status 500": [(response) => void response.writeHead(500).end("oops"), /status 500/],
  "a status 429": [(response) => void response.writeHead(429).end(), /status 429/],
  "a status 503 with Retry-After": [
    (response) => void response.writeHead(503, { "retry-after": "7" }).end(),
    /status 503/,
  ],
  "a connection that is dropped": [(response) => void response.destroy(), /connection failed/],
  "a body that is cut": [cut, /connection failed/],
  "no response in time": [() => {}, /no response within 0\.\d s/, { timeoutMs: 100 }],
  "JSON that ends early": [(response) => void response.end('[{"id":1},{"id'), /not valid JSON/],
  "an empty body": [(response) => void response.end(), /not valid JSON/],
  "XML instead of JSON": [
    (response) => void response.writeHead(200, { "content-type": "application/xml" }).end("<result/>"),
    /XML or HTML/,
  ],
  "a page of HTML": [(response) => void response.end("<html>Just a moment…</html>"), /XML or HTML/],
  "JSON of another shape": [(response) => json(response, { message: "limit reached" }), /not a list/],
  "text that is not UTF-8": [(response) => void response.end(Buffer.from([0x22, 0xff, 0x22])), /not valid UTF-8/],
};

describe("an upstream that", () => {
  for (const [name, [misbehave, words, options]] of Object.entries(troubles)) {
    test(`responds with ${name} is retried until it succeeds or the attempts are used up`, async () => {
      await withUpstream(
        (_, response, count) => (count < 3 ? misbehave(response) : json(response, ["ok"])),
        async ({ request, reported }) => {
          assert.deepEqual(await request().then((response) => (response as { body: unknown }).body), ["ok"]);
          assert.match(reported[0] ?? "", words);
        },
        // With a short timeout, a busy machine may need more than three attempts.
        { ...options, attempts: 1000 },
      );
      await withUpstream(
        (_, response) => misbehave(response),
        async ({ request, server, sent }) => {
          await assert.rejects(
            request(),
            (error: Error) => error instanceof RetriesExhaustedError && words.test(error.message),
          );
          assert.equal(sent(), 5);
          // With a short timeout, a request may be given up before it arrives.
          if (options === undefined) assert.equal(server.requests.length, 5);
        },
        options,
      );
    });
  }

  test("sends Retry-After, in seconds or as a date, is left alone until then", async () => {
    for (const form of [() => "90", (now: number) => new Date(now + 90_000).toUTCString()]) {
      let clock: VirtualClock | undefined;
      await withUpstream(
        (_, response, count) =>
          count === 1
            ? void response.writeHead(429, { "retry-after": form(clock?.time ?? 0) }).end()
            : json(response, []),
        async (setting) => {
          clock = setting.clock;
          const before = clock.time;
          await setting.request();
          assert.ok(clock.time - before >= 89_000, `${clock.time - before} ms`);
        },
      );
    }
    assert.equal(retryAfterMs("soon", 0), undefined);
    assert.equal(retryAfterMs(null, 0), undefined);
  });

  test("keeps failing is retried less and less often, with jitter", async () => {
    const times: number[] = [];
    let clock: VirtualClock | undefined;
    await withUpstream(
      (_, response, count) => {
        times.push(clock?.time ?? 0);
        if (count < 14) response.writeHead(502).end();
        else json(response, []);
      },
      async (setting) => {
        clock = setting.clock;
        await setting.request();
        const pauses = times.slice(1).map((time, index) => time - (times[index] as number));
        for (const [index, pause] of pauses.entries()) {
          const longest = Math.min(200 * 2 ** index, 60_000);
          assert.ok(pause >= longest / 2 && pause <= longest + 1, `pause ${index + 1}: ${pause} ms`);
        }
        assert.ok(setting.reported.length <= 5, "a long outage logs few lines");
      },
      { attempts: Number.POSITIVE_INFINITY },
    );
  });

  test("rejects a request is not retried, and its reason is reported without the token", async () => {
    for (const status of [400, 401, 403, 410]) {
      await withUpstream(
        (_, response) =>
          void response.writeHead(status).end(JSON.stringify({ detail: `no\n${token} here`, code: "x" })),
        async ({ request, server }) => {
          assert.deepEqual(await request(), { refused: { status, detail: "no … here" } });
          assert.equal(server.requests.length, 1);
        },
      );
    }
  });

  test("throttles one request delays the others by at most a minute, and not at all with another status", async () => {
    for (const [status, expected] of [
      [429, 60],
      [503, 0],
    ] as const) {
      const clock = virtualClock();
      const start = clock.time;
      const times: number[] = [];
      const budget = requestBudget({ requests: 1000, periodMs: 1000 }, clock);
      const acquire = async (signal: AbortSignal): Promise<boolean> => {
        const acquired = await budget.acquire(signal);
        times.push(Math.round((clock.time - start) / 1000));
        return acquired;
      };
      const waiting = Promise.withResolvers<void>();
      await withUpstream(
        (_, response, count) =>
          count === 1 ? void response.writeHead(status, { "retry-after": "3600" }).end() : json(response, []),
        async ({ request }) => {
          const throttled = request("/economics");
          await waiting.promise;
          await Promise.all([throttled, request("/ratings")]);
          assert.deepEqual(times, [0, expected, 3600]);
        },
        { clock, budget: { ...budget, acquire }, onRetry: () => waiting.resolve() },
      );
    }
  });

  test("redirects is followed on the same host only", async () => {
    await withUpstream(
      ({ path }, response) =>
        path === "/list" ? void response.writeHead(308, { location: "/moved" }).end() : json(response, [path]),
      async ({ request }) => assert.deepEqual(((await request()) as { body: unknown }).body, ["/moved"]),
    );
    await withUpstream(
      (_, response) => void response.writeHead(302, { location: "http://localhost:1/list?token=x" }).end(),
      async ({ request }) => assert.match(JSON.stringify(await request()), /another host, http:\/\/localhost:1,/),
    );
    await withUpstream(
      (_, response) => void response.writeHead(302, { location: "/list" }).end(),
      async ({ request, server }) => {
        assert.match(JSON.stringify(await request()), /too many times/);
        assert.equal(server.requests.length, 4);
      },
    );
  });

  test("has not responded yet doesn't delay a stop", async () => {
    const stop = new AbortController();
    await withUpstream(
      () => stop.abort(),
      async ({ request }) => assert.rejects(request(), StoppedError),
      { signal: stop.signal, timeoutMs: 60_000 },
    );
  });

  test("links to the next page is followed on the same host and path only", () => {
    const url = new URL("http://a/list?x=1");
    assert.deepEqual(nextPage('</list?x=1&cursor=abc&token=t>; rel="next"', url), [
      ["x", "1"],
      ["cursor", "abc"],
    ]);
    assert.deepEqual(nextPage('</list?p=0>; rel="prev", </list?p=2>; rel=next', url), [["p", "2"]]);
    assert.equal(nextPage('<http://b/list?x=2>; rel="next"', url), undefined);
    assert.equal(nextPage('</other?x=2>; rel="next"', url), undefined);
    assert.equal(nextPage('</list>; rel="nextish"', url), undefined);
    assert.equal(nextPage(null, url), undefined);
  });

  test("never gets more requests than the budget, retries included", async () => {
    const times: number[] = [];
    const clock = virtualClock();
    const spending = requestBudget({ requests: 3, periodMs: 1000 }, clock);
    const take = async (signal: AbortSignal): Promise<boolean> => {
      const taken = await spending.acquire(signal);
      times.push(clock.time);
      return taken;
    };
    await withUpstream(
      (_, response, count) => {
        if (count % 3 === 0) response.writeHead(500).end();
        else json(response, []);
      },
      async ({ request, server }) => {
        await Promise.all(Array.from({ length: 40 }, () => request()));
        assert.equal(server.requests.length, times.length);
        for (const at of times)
          assert.ok(times.filter((other) => other >= at && other <= at + 1000).length <= 3, "three a second at most");
      },
      { clock, budget: { ...spending, acquire: take }, timeoutMs: 60_000, attempts: 50 },
    );
  });
});
