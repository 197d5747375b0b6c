// What is logged: URLs without their token, and never a key.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createLog, type LogFormat, type LogLevel, loggedUrl, logOutput } from "../../../src/http/observe/log.ts";
import { generateKey } from "../../../src/keys/key.ts";

test("a URL is logged as received, except for its token", () => {
  for (const [url, logged] of [
    ["/api/v2/news", "/api/v2/news"],
    ["/api/v2/news?", "/api/v2/news?"],
    ["/api/v2/news?token=secret", "/api/v2/news?token=…"],
    ["/api/v2/news?a=1&token=secret&b=2", "/api/v2/news?a=1&token=…&b=2"],
    ["/api/v2/news?token=secret&token=other", "/api/v2/news?token=…&token=…"],
    ["/api/v2/news?TOKEN=secret", "/api/v2/news?token=…"],
    ["/api/v2/news?%74%6Fken=secret", "/api/v2/news?token=…"],
    ["/api/v2/news?+token+=secret", "/api/v2/news?token=…"],
    ["/api/v2/news?%20token=secret", "/api/v2/news?token=…"],
    ["/api/v2/news?token=a=b?c", "/api/v2/news?token=…"],
    ["/api/v2/news?token", "/api/v2/news?token=…"],
    ["/api/v2/news?%zz=secret", "/api/v2/news?token=…"],
    ["/api/v2/news?tokens=1&parameters[token]=2", "/api/v2/news?tokens=1&parameters[token]=2"],
    ["/api/v2/news?parameters%5Btickers%5D=F,GM", "/api/v2/news?parameters%5Btickers%5D=F,GM"],
  ] as const) {
    assert.equal(loggedUrl(url), logged);
  }
});

function logged(level: LogLevel, write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog(level, { write: (line) => lines.push(line) }));
  return lines;
}

test("a line is one JSON object with level, time, and message", () => {
  const [line = "", ...rest] = logged("info", (log) => log.info({ status: 200 }, "request"));
  assert.deepEqual(rest, []);
  assert.ok(line.endsWith("}\n"));
  const { level, time, status, msg, ...others } = JSON.parse(line);
  assert.deepEqual([level, status, msg, others], ["info", 200, "request", {}]);
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("no key is written, wherever it is in a logged value", () => {
  const key = generateKey();
  const encoded = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
  const lines = logged("trace", (log) => {
    log.info(`requested with ${key}`);
    log.error(
      { error: new Error(`failed for ${key}`), url: `/x?y=%20${key}`, nested: { list: [key] } },
      "internal error",
    );
    log.warn({ [key]: 1 }, key.slice(0, 20));
    log.debug({ text: `x${key}y` });
    log.trace({ url: `/x/${encoded}?a=%62w%5F${key.slice(3)}` });
  });
  assert.equal(lines.length, 5);
  for (const part of [key.slice(3, 20), encoded.slice(9, 60)])
    assert.ok(!lines.join("").includes(part), lines.join(""));
  for (const line of lines) JSON.parse(line);
});

test("lines below the level are not written", () => {
  const all = (log: ReturnType<typeof createLog>) => {
    log.debug("d");
    log.info("i");
    log.error("e");
  };
  assert.deepEqual(
    (["debug", "info", "error", "silent"] as const).map((level) => logged(level, all).length),
    [3, 2, 1, 0],
  );
});

/** What is written to a stream, in the format of the setting. */
async function shown(format: LogFormat, isTTY: boolean, write: (log: ReturnType<typeof createLog>) => void) {
  const written: string[] = [];
  write(createLog("info", logOutput(format, { isTTY, write: (text: string) => written.push(text) })));
  await setImmediate();
  return written.join("");
}

test("lines are JSON unless they go to a terminal, and a setting overrides that", async () => {
  const write = (log: ReturnType<typeof createLog>) => log.warn({ error: "away for now", ms: 3 }, "no database");
  for (const [format, isTTY] of [
    ["auto", false],
    ["json", false],
    ["json", true],
  ] as const) {
    const { time, ...line } = JSON.parse(await shown(format, isTTY, write));
    assert.deepEqual(line, { level: "warn", error: "away for now", ms: 3, msg: "no database" });
  }
  const text = /^\d\d:\d\d:\d\d warn {2}no database error="away for now" ms=3\n$/;
  assert.match(await shown("text", false, write), text);
  // On a terminal, anything on the line, such as a progress bar, is cleared first.
  const drawn = await shown("auto", true, write);
  assert.ok(drawn.startsWith("\r\x1b[K"));
  assert.match(drawn.slice(4), text);
});

test("text output shows a stack line by line, and no control characters from a client", async () => {
  const key = generateKey();
  const written = await shown("text", false, (log) => {
    log.info({ url: `/x?y=\x1b[2J${key}`, status: 200, key: "" }, "request");
    log.error({ error: "Error: lost\n    at here\n    at there" }, "internal error");
  });
  assert.ok(!written.includes("\x1b") && !written.includes(key.slice(3, 20)), written);
  const [first = "", second = "", ...stack] = written.split("\n");
  assert.match(first, /^\S+ info {2}request url=\S+ status=200 key=""$/);
  assert.match(second, /^\S+ error internal error$/);
  assert.deepEqual(stack, ["    Error: lost", "        at here", "        at there", ""]);
});
