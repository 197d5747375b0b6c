// Transfer size of a first visit, with an empty browser cache.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { pageTests, type Site } from "./support/browser.ts";
import { today } from "./support/service.ts";

const test = pageTests({ days: 30 });

/** Views with a selector for the content that appears last. */
const views: Readonly<Record<string, string>> = {
  "/": "main tbody tr",
  [`/day/${today}`]: "main tbody tr",
  "/news": ".line",
  "/calendar/ratings": "main tbody tr[data-index]",
  "/ticker/AAPL": ".target-chart canvas",
};

/** Transferred bytes by path, including headers, after compression. */
async function weigh({ blank, service }: Site, path: string): Promise<Map<string, number>> {
  const { page } = await blank({ fresh: true });
  const wire = await page.context().newCDPSession(page);
  await wire.send("Network.enable");
  const paths = new Map<string, string>();
  const bytes = new Map<string, number>();
  wire.on("Network.requestWillBeSent", ({ requestId, request }) => paths.set(requestId, new URL(request.url).pathname));
  wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const requested = paths.get(requestId) ?? "";
    bytes.set(requested, (bytes.get(requested) ?? 0) + encodedDataLength);
  });
  // A hidden page has no stream, so that the network becomes idle.
  await page.addInitScript(() => Object.defineProperty(document, "hidden", { value: true }));
  await page.goto(`${service.origin}${path}`);
  await page
    .locator(views[path] ?? assert.fail(path))
    .first()
    .waitFor();
  await page.waitForLoadState("networkidle");
  return bytes;
}

const isChart = (path: string): boolean => path.includes("chart");

const sum = (bytes: Map<string, number>, counts: (path: string) => boolean): number =>
  [...bytes].reduce((total, [path, each]) => (counts(path) ? total + each : total), 0);

describe("the transfer size of a first visit", () => {
  for (const path of Object.keys(views)) {
    test(`${path}: the page is under 90 kB, everything under 180 kB`, async (site, t) => {
      const bytes = await weigh(site, path);
      // The OpenAPI document grows with the API, not with the page.
      const own = sum(bytes, (each) => !/^\/(api\/|openapi\.json$)/.test(each) && !isChart(each));
      const all = sum(bytes, () => true);
      t.diagnostic(`${path}: page ${own} bytes, total ${all} bytes`);
      assert.ok(own > 0 && own < 90_000, `${own} bytes: ${JSON.stringify([...bytes])}`);
      assert.ok(all < 180_000, `${all} bytes: ${JSON.stringify([...bytes])}`);
      assert.equal([...bytes.keys()].some(isChart), path.startsWith("/ticker/"), "only the ticker view loads charts");
    });
  }
});
