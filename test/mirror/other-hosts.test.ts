// An upstream leads a mirror nowhere else: neither a redirect nor a link makes it ask another host, or tell it the key.
import assert from "node:assert/strict";
import { test } from "node:test";
import { budget } from "../../src/mirror/upstream/request-budget.ts";
import { type Answer, type TokenPlace, upstream } from "../../src/mirror/upstream/upstream.ts";
import { json, pretender } from "./support/pretender.ts";
import { virtualClock } from "./support/virtual-clock.ts";

test("another host gets neither a request nor the key, by redirect or by link, wherever the key is sent", async () => {
  const other = await pretender((_, response) => json(response, ["secret"]));
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
  const there = await pretender(({ path }, response) =>
    path === "/linked"
      ? json(response, ["mine"], { link: `<${target}>; rel="next"` })
      : void response.writeHead(307, { location: target }).end(),
  );
  try {
    for (const tokenIn of ["header", "query", "auto"] satisfies TokenPlace[]) {
      const clock = virtualClock();
      const { ask } = upstream({
        ...{ base: there.url, token: "the key", tokenIn, clock, attempts: 1, onTrouble: () => {} },
        budget: budget({ requests: 1000, periodMs: 1000 }, clock),
        signal: new AbortController().signal,
      });
      const get = (path: string) => ask({ path, parameters: [], check: () => undefined });
      for (target of targets) {
        assert.match(JSON.stringify(await get("/moved")), /"refused":.*redirects to another host/, target);
        const { body, next } = (await get("/linked")) as Answer;
        assert.deepEqual([body, next], [["mine"], undefined], target);
      }
    }
    assert.deepEqual(other.asked, []);
  } finally {
    await there.close();
    await other.close();
  }
});
