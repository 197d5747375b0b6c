// `bellwire/client` in a browser, bundled by vite: its size, and a page of another origin that reads and follows a list.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Rolldown } from "vite";
import { browserTest } from "../support/browser/browser-test.ts";
import { startApi } from "../support/clients/api.ts";
import { ratings } from "../support/clients/bellwire-client.ts";

const maxBytes = 10_000;

/** The client as one minified module. */
async function bundle(): Promise<string> {
  const { build } = await import("vite");
  const built = (await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: "oxc",
      target: "es2022",
      rolldownOptions: { input: "client/index.ts", preserveEntrySignatures: "strict", output: { format: "es" } },
    },
  })) as Rolldown.RolldownOutput;
  assert.equal(built.output.length, 1);
  return built.output[0].code;
}

test("the client has at most 10 kB, minified and compressed", async (t) => {
  const code = await bundle();
  const bytes = gzipSync(code).length;
  t.diagnostic(`${code.length} bytes minified, ${bytes} compressed`);
  assert.ok(bytes <= maxBytes, `${bytes} bytes`);
  assert.doesNotMatch(code, /\bimport\b|\brequire\(|\bprocess\.|\bBuffer\b/);
});

browserTest("a page reads and follows a list of a server of another origin", async (browser) => {
  const code = await bundle();
  const site = createServer((request, response) => {
    const isCode = request.url === "/client.js";
    response.setHeader("content-type", isCode ? "text/javascript" : "text/html");
    response.end(isCode ? code : "<!doctype html><title>Client</title>");
  });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  const api = await startApi();
  const page = await browser.newPage();
  try {
    await api.has("ratings", ratings(0, 130));
    const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    await page.goto(origin);
    const options = { url: `http://127.0.0.1:${await api.port()}`, token: api.token, module: `${origin}/client.js` };
    const read = await page.evaluate(async ({ module, ...options }) => {
      const { Bellwire, BellwireError } = await import(module);
      const client = new Bellwire({ ...options, cache: new Map() });
      let count = 0;
      for await (const _ of client.ratings.list()) count++;
      await client.ratings.page();
      const { isCached, position } = await client.ratings.page();
      const error = await client.ratings.page({ dateFrom: "soon" }).catch((each: unknown) => each);
      const changes = client.ratings.follow({}, { since: position });
      Object.assign(globalThis, { change: changes.next() });
      return { count, isCached, code: error instanceof BellwireError && error.code };
    }, options);
    assert.deepEqual(read, { count: 130, isCached: true, code: "request.parameters" });
    await api.has("ratings", ratings(500, 1));
    const change = await page.evaluate(async () => {
      const { value } = await (globalThis as unknown as { change: Promise<{ value: { action: string } }> }).change;
      return value.action;
    });
    assert.equal(change, "created");
  } finally {
    await page.close();
    await api.close();
    site.close();
  }
});
