// Neither redirects nor links make a mirror send a request or the token to another host.
import assert from "node:assert/strict";
import { test } from "node:test";
import { requestBudget } from "../../../src/mirror/upstream/request-budget.ts";
import { openUpstream, type TokenLocation, type UpstreamResponse } from "../../../src/mirror/upstream/upstream.ts";
import { fakeUpstream, json } from "../support/fake-upstream.ts";
import { virtualClock } from "../support/virtual-clock.ts";

test("another host gets neither a request nor the token, by redirect or by link, wherever the token is sent", async () => {
  const other = await fakeUpstream((_, response) => json(response, ["secret"]));
  const targets = [
    `${other.url.href}list`,
    `//127.0.0.1:${other.url.port}/list`,
    `http://user@127.0.0.1:${other.url.port}/list`,
    `http://localhost:${other.url.port}/list`,
    `http://2130706433:${other.url.port}/list`,
    `http://[::ffff:127.0.0.1]:${other.url.port}/list`,
    "http://169.254.169.254/latest/meta-data/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:1/",
    "data:application/json,[]",
  ];
  let target = "";
  const server = await fakeUpstream(({ path }, response) =>
    path === "/linked"
      ? json(response, ["mine"], { link: `<${target}>; rel="next"` })
      : void response.writeHead(307, { location: target }).end(),
  );
  try {
    for (const tokenIn of ["header", "query", "auto"] satisfies TokenLocation[]) {
      const clock = virtualClock();
      const { request } = openUpstream({
        ...{ base: server.url, token: "the key", tokenIn, clock, attempts: 1, onRetry: () => {} },
        budget: requestBudget({ requests: 1000, periodMs: 1000 }, clock),
        signal: new AbortController().signal,
      });
      const get = (path: string) => request({ path, parameters: [], check: () => undefined });
      for (target of targets) {
        assert.match(JSON.stringify(await get("/moved")), /"refused":.*redirects to another host/, target);
        const { body, next } = (await get("/linked")) as UpstreamResponse;
        assert.deepEqual([body, next], [["mine"], undefined], target);
      }
    }
    assert.deepEqual(other.requests, []);
  } finally {
    await server.close();
    await other.close();
  }
});
