// `bellwire/client` in a browser, bundled by vite: its size, and a page of another origin that reads and follows lists.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Rolldown } from "vite";
import { rating, startBellwire } from "../../testing/index.ts";
import { browserTest } from "../support/browser/browser-test.ts";

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

browserTest(
  "a page reads the demo from a server of another origin, as Node.js does, and follows it",
  async (browser) => {
    const code = await bundle();
    const site = createServer((request, response) => {
      const isCode = request.url === "/client.js";
      response.setHeader("content-type", isCode ? "text/javascript" : "text/html");
      response.end(isCode ? code : "<!doctype html><title>Client</title>");
    });
    site.listen(0, "127.0.0.1");
    await once(site, "listening");
    const server = await startBellwire();
    const page = await browser.newPage();
    // Only a bound for a busy machine.
    page.setDefaultTimeout(120_000);
    try {
      const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
      await page.goto(origin);
      const options = { url: server.url, token: server.token, module: `${origin}/client.js` };
      const read = await page.evaluate(async ({ module, ...options }) => {
        const { Bellwire, BellwireError } = await import(module);
        const client = new Bellwire({ ...options, cache: new Map() });
        const ids: Record<string, unknown[]> = {};
        for (const name of ["news", "ratings", "dividends", "guidance", "earnings", "economics", "conferenceCalls"]) {
          ids[name] = [];
          for await (const { id } of client[name].list()) ids[name].push(id);
        }
        await client.ratings.page();
        const { isCached, position } = await client.ratings.page();
        const error = await client.ratings.page({ dateFrom: "soon" }).catch((each: unknown) => each);
        const changes = client.ratings.follow({}, { since: position });
        Object.assign(globalThis, { change: changes.next() });
        return { ids, isCached, code: error instanceof BellwireError && error.code };
      }, options);
      const { ids, ...rest } = read;
      assert.deepEqual(rest, { isCached: true, code: "request.parameters" });
      for (const name of Object.keys(ids) as "ratings"[]) {
        const inNode = await Array.fromAsync(server.client[name].list());
        assert.ok(inNode.length > 0, name);
        assert.deepEqual(
          ids[name],
          inNode.map(({ id }) => id),
        );
      }
      await server.put({ ratings: [rating()] });
      const change = await page.evaluate(async () => {
        const { value } = await (globalThis as unknown as { change: Promise<{ value: { action: string } }> }).change;
        return value.action;
      });
      assert.equal(change, "created");
    } finally {
      await page.close();
      await server.close();
      site.close();
    }
  },
);
