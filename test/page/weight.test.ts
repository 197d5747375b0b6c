// What a first visit costs: bytes over the wire, as a browser with an empty cache counts them.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { pageTests, type Site } from "./support/browser.ts";
import { today } from "./support/service.ts";

const test = pageTests({ days: 30 });

/** The views, and what each of them shows last. */
const views: Readonly<Record<string, string>> = {
  "/": "main tbody tr",
  [`/day/${today}`]: "main tbody tr",
  "/news": ".line",
  "/calendar/ratings": "main tbody tr[data-index]",
  "/ticker/AAPL": ".target-chart canvas",
};

/** Bytes of all answers by path, headers and compression included. */
async function weigh({ blank, service }: Site, path: string): Promise<Map<string, number>> {
  const { page } = await blank({ fresh: true });
  const wire = await page.context().newCDPSession(page);
  await wire.send("Network.enable");
  const paths = new Map<string, string>();
  const bytes = new Map<string, number>();
  wire.on("Network.requestWillBeSent", ({ requestId, request }) => paths.set(requestId, new URL(request.url).pathname));
  wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const asked = paths.get(requestId) ?? "";
    bytes.set(asked, (bytes.get(asked) ?? 0) + encodedDataLength);
  });
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

describe("the weight of a first visit", () => {
  for (const path of Object.keys(views)) {
    test(`${path}: the page itself under 60 kB, with everything it shows under 150 kB`, async (site, t) => {
      const bytes = await weigh(site, path);
      // The document of the API is an answer like any other: it grows with the API, not with the page.
      const own = sum(bytes, (each) => !/^\/(api\/|openapi\.json$)/.test(each) && !isChart(each));
      const all = sum(bytes, () => true);
      t.diagnostic(`${path}: ${own} bytes of its own, ${all} in all`);
      assert.ok(own > 0 && own < 60_000, `${own} bytes: ${JSON.stringify([...bytes])}`);
      assert.ok(all < 150_000, `${all} bytes: ${JSON.stringify([...bytes])}`);
      assert.equal(
        [...bytes.keys()].some(isChart),
        path.startsWith("/ticker/"),
        "charts are for the ticker view alone",
      );
    });
  }
});
