// One request to an upstream that misbehaves in every way: waited out, refused or survived, and never with the key told.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { describe, test } from "node:test";
import { retryAfter } from "../../src/core/retry-after.ts";
import { budget } from "../../src/mirror/upstream/request-budget.ts";
import {
  GaveUpError,
  nextOf,
  StoppedError,
  type UpstreamOptions,
  upstream,
} from "../../src/mirror/upstream/upstream.ts";
import { type Answering, json, type Pretender, pretender } from "./support/pretender.ts";
import { type VirtualClock, virtualClock } from "./support/virtual-clock.ts";

const token = "bw_secretsecretsecret0123";

type Setting = { clock: VirtualClock; there: Pretender; told: string[]; ask: (path?: string) => Promise<unknown> };

/** Asks a pretender for a list, under a clock of its own. */
async function asking(
  answer: Answering,
  run: (setting: Setting) => Promise<void>,
  options: Partial<UpstreamOptions> = {},
): Promise<void> {
  const there = await pretender(answer);
  const clock = virtualClock();
  const told: string[] = [];
  const { ask } = upstream({
    base: there.url,
    token,
    tokenIn: "header",
    budget: budget({ requests: 1000, periodMs: 1000 }, clock),
    clock,
    signal: new AbortController().signal,
    attempts: 5,
    timeoutMs: 120_000,
    onTrouble: (text) => told.push(text),
    ...options,
  });
  const check = (body: unknown) => (Array.isArray(body) ? undefined : "the answer is no list");
  try {
    await run({
      clock,
      there,
      told,
      ask: (path = "/list") => ask({ path, parameters: [["parameters[updated]", "5"]], check }),
    });
    for (const text of told) assert.ok(!text.includes(token), text);
  } finally {
    await there.close();
  }
}

const cut = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write('[{"id":');
  setTimeout(() => response.destroy(), 10);
};

const troubles: Record<
  string,
  [answer: (response: ServerResponse) => void, words: RegExp, options?: Partial<UpstreamOptions>]
> = {
  "a status 500": [(response) => void response.writeHead(500).end("oops"), /status 500/],
  "a status 429": [(response) => void response.writeHead(429).end(), /status 429/],
  "a status 503 with Retry-After": [
    (response) => void response.writeHead(503, { "retry-after": "7" }).end(),
    /status 503/,
  ],
  "a connection that is dropped": [(response) => void response.destroy(), /connection failed/],
  "a body that is cut": [cut, /connection failed/],
  "no answer in time": [() => {}, /no answer within 0\.\d s/, { timeoutMs: 100 }],
  "JSON that ends early": [(response) => void response.end('[{"id":1},{"id'), /no valid JSON/],
  "an empty body": [(response) => void response.end(), /no valid JSON/],
  "XML instead of JSON": [
    (response) => void response.writeHead(200, { "content-type": "application/xml" }).end("<result/>"),
    /XML or HTML/,
  ],
  "a page of HTML": [(response) => void response.end("<html>Just a moment…</html>"), /XML or HTML/],
  "JSON of another shape": [(response) => json(response, { message: "limit reached" }), /no list/],
  "text that is not UTF-8": [(response) => void response.end(Buffer.from([0x22, 0xff, 0x22])), /not UTF-8/],
};

describe("an upstream that", () => {
  for (const [name, [misbehave, words, options]] of Object.entries(troubles)) {
    test(`gives ${name} is asked again, until it answers or the attempts are used up`, async () => {
      await asking(
        (_, response, count) => (count < 3 ? misbehave(response) : json(response, ["answered"])),
        async ({ ask, told }) => {
          assert.deepEqual(await ask().then((answer) => (answer as { body: unknown }).body), ["answered"]);
          assert.match(told[0] ?? "", words);
        },
        // Where the time for an answer is short, a busy machine may need more than three.
        { ...options, attempts: 1000 },
      );
      await asking(
        (_, response) => misbehave(response),
        async ({ ask, there }) => {
          await assert.rejects(ask(), (error: Error) => error instanceof GaveUpError && words.test(error.message));
          assert.equal(there.asked.length, 5);
        },
        options,
      );
    });
  }

  test("says when to come back is left alone until then, whether in seconds or as a date", async () => {
    for (const form of [() => "90", (now: number) => new Date(now + 90_000).toUTCString()]) {
      let clock: VirtualClock | undefined;
      await asking(
        (_, response, count) =>
          count === 1
            ? void response.writeHead(429, { "retry-after": form(clock?.time ?? 0) }).end()
            : json(response, []),
        async (setting) => {
          clock = setting.clock;
          const before = clock.time;
          await setting.ask();
          assert.ok(clock.time - before >= 89_000, `${clock.time - before} ms`);
        },
      );
    }
    assert.equal(retryAfter("soon", 0), undefined);
    assert.equal(retryAfter(null, 0), undefined);
  });

  test("fails for long is asked less and less often, with jitter", async () => {
    const times: number[] = [];
    let clock: VirtualClock | undefined;
    await asking(
      (_, response, count) => {
        times.push(clock?.time ?? 0);
        if (count < 14) response.writeHead(502).end();
        else json(response, []);
      },
      async (setting) => {
        clock = setting.clock;
        await setting.ask();
        const pauses = times.slice(1).map((time, index) => time - (times[index] as number));
        for (const [index, pause] of pauses.entries()) {
          const longest = Math.min(200 * 2 ** index, 60_000);
          assert.ok(pause >= longest / 2 && pause <= longest + 1, `pause ${index + 1}: ${pause} ms`);
        }
        assert.ok(setting.told.length <= 5, "a long silence takes few lines");
      },
      { attempts: Number.POSITIVE_INFINITY },
    );
  });

  test("refuses is not asked again, and what it says is kept without the key", async () => {
    for (const status of [400, 401, 403, 404, 410]) {
      await asking(
        (_, response) =>
          void response.writeHead(status).end(JSON.stringify({ detail: `no\n${token} here`, code: "x" })),
        async ({ ask, there }) => {
          assert.deepEqual(await ask(), { refused: { status, detail: "no … here" } });
          assert.equal(there.asked.length, 1);
        },
      );
    }
  });

  test("redirects is followed on the same host, and never to another", async () => {
    await asking(
      ({ path }, response) =>
        path === "/list" ? void response.writeHead(308, { location: "/moved" }).end() : json(response, [path]),
      async ({ ask }) => assert.deepEqual(((await ask()) as { body: unknown }).body, ["/moved"]),
    );
    await asking(
      (_, response) => void response.writeHead(302, { location: "http://localhost:1/list?token=x" }).end(),
      async ({ ask }) => assert.match(JSON.stringify(await ask()), /another host, http:\/\/localhost:1,/),
    );
    await asking(
      (_, response) => void response.writeHead(302, { location: "/list" }).end(),
      async ({ ask, there }) => {
        assert.match(JSON.stringify(await ask()), /too many times/);
        assert.equal(there.asked.length, 4);
      },
    );
  });

  test("takes the key in the query alone is found out with one request, where that is left open", async () => {
    const answer: Answering = ({ query }, response) =>
      query.get("token") === token ? json(response, []) : void response.writeHead(401).end();
    await asking(
      answer,
      async ({ ask, there }) => {
        await ask();
        await ask();
        assert.deepEqual(
          there.asked.map(({ headers, query }) => [headers.authorization !== undefined, query.has("token")]),
          [
            [true, false],
            [false, true],
            [false, true],
          ],
        );
        assert.equal(there.asked[1]?.query.get("parameters[updated]"), "5");
      },
      { tokenIn: "auto" },
    );
    await asking(answer, async ({ ask }) => assert.ok("refused" in ((await ask()) as object)), { tokenIn: "header" });
    await asking(
      (_, response) => void response.writeHead(401).end(),
      async ({ ask, there }) => {
        await ask();
        assert.equal(there.asked.length, 2);
      },
      { tokenIn: "auto" },
    );
  });

  test("is under way when the mirror is stopped holds nothing up", async () => {
    const stop = new AbortController();
    await asking(
      () => stop.abort(),
      async ({ ask }) => assert.rejects(ask(), StoppedError),
      { signal: stop.signal, timeoutMs: 60_000 },
    );
  });

  test("links to the next page is believed for the same path of the same host only", () => {
    const url = new URL("http://a/list?x=1");
    assert.deepEqual(nextOf('</list?x=1&cursor=abc&token=t>; rel="next"', url), [
      ["x", "1"],
      ["cursor", "abc"],
    ]);
    assert.deepEqual(nextOf('</list?p=0>; rel="prev", </list?p=2>; rel=next', url), [["p", "2"]]);
    assert.equal(nextOf('<http://b/list?x=2>; rel="next"', url), undefined);
    assert.equal(nextOf('</other?x=2>; rel="next"', url), undefined);
    assert.equal(nextOf('</list>; rel="nextish"', url), undefined);
    assert.equal(nextOf(null, url), undefined);
  });

  test("never gets a request beyond the budget, retries included", async () => {
    const times: number[] = [];
    const clock = virtualClock();
    const spending = budget({ requests: 3, periodMs: 1000 }, clock);
    const take = async (signal: AbortSignal): Promise<boolean> => {
      const taken = await spending.take(signal);
      times.push(clock.time);
      return taken;
    };
    await asking(
      (_, response, count) => {
        if (count % 3 === 0) response.writeHead(500).end();
        else json(response, []);
      },
      async ({ ask, there }) => {
        await Promise.all(Array.from({ length: 40 }, () => ask()));
        assert.equal(there.asked.length, times.length);
        for (const at of times)
          assert.ok(times.filter((other) => other >= at && other <= at + 1000).length <= 3, "three a second at most");
      },
      { clock, budget: { ...spending, take }, timeoutMs: 60_000, attempts: 50 },
    );
  });
});
