// What a first visit costs: bytes over the wire, as a browser with an empty cache counts them.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { pageService, type Service, today } from "./service.ts";

let service: Service;
let browser: Browser;

before(async () => {
  service = await pageService({ days: 8 });
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await service?.close();
});

/** Bytes of all answers by path, headers and compression included. */
async function weigh(path: string): Promise<Map<string, number>> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(`localStorage.setItem("bellwire.key", ${JSON.stringify(service.key)})`);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const wire = await context.newCDPSession(page);
  await wire.send("Network.enable");
  const paths = new Map<string, string>();
  const bytes = new Map<string, number>();
  wire.on("Network.requestWillBeSent", ({ requestId, request }) => paths.set(requestId, new URL(request.url).pathname));
  wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const asked = paths.get(requestId) ?? "";
    bytes.set(asked, (bytes.get(asked) ?? 0) + encodedDataLength);
  });
  await page.goto(`${service.origin}${path}`);
  await page.locator("main h1").waitFor();
  await page.waitForLoadState("networkidle");
  await context.close();
  return bytes;
}

const sum = (bytes: Map<string, number>, counts: (path: string) => boolean): number =>
  [...bytes].reduce((total, [path, each]) => (counts(path) ? total + each : total), 0);

describe("the weight of a first visit", () => {
  for (const path of ["/", `/day/${today}`, "/news", "/calendar/ratings", "/ticker/AAPL"]) {
    test(`${path}: the page itself under 60 kB, with everything it shows under 150 kB`, async (t) => {
      const bytes = await weigh(path);
      // The document of the API is an answer like any other: it grows with the API, not with the page.
      const own = sum(bytes, (each) => !/^\/(api\/|openapi\.json$)/.test(each) && !/chart/.test(each));
      const all = sum(bytes, () => true);
      t.diagnostic(`${path}: ${own} bytes of its own, ${all} in all`);
      assert.ok(own > 0 && own < 60_000, `${own} bytes: ${JSON.stringify([...bytes])}`);
      assert.ok(all < 150_000, `${all} bytes: ${JSON.stringify([...bytes])}`);
    });
  }

  test("charts are loaded by the ticker view alone", async () => {
    for (const path of ["/", "/news", "/calendar/ratings"]) {
      const bytes = await weigh(path);
      assert.deepEqual(
        [...bytes.keys()].filter((each) => /chart/.test(each)),
        [],
        path,
      );
    }
  });
});
