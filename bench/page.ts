// Load time of the demo's web page: empty cache, CPU throttled fourfold, until records are visible.
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openBrowser } from "../test/support/browser/browser.ts";
import { type Benchmark, inFolder, median, printTable } from "./benchmark.ts";
import { startProcess } from "./contenders/contender.ts";

const slowdown = 4;
/** Seconds until a view is usable. */
const target = 1;

const cli = join(import.meta.dirname, "..", "src", "cli.js");

/** The last trading day before today: weekends have few records. */
function workingDay(): string {
  const day = new Date(Date.now() - 86_400_000);
  while ([0, 6].includes(day.getUTCDay())) day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

/** Selector that matches once the view is usable. */
const views: readonly { readonly path: string; readonly shows: string }[] = [
  { path: `/day/${workingDay()}`, shows: "main tbody tr" },
  { path: "/news", shows: "main a[href^='/news/']" },
  { path: "/calendar/ratings", shows: "main tbody tr[data-index]" },
  { path: "/calendar/economics", shows: "main tbody tr[data-index]" },
  { path: "/ticker/DELL", shows: "main tbody tr" },
];

export const pageBenchmark: Benchmark = {
  name: "page",
  about: `seconds until each view of the page shows records of the demo, with the CPU throttled ${slowdown} times`,
  fullOnly: true,
  run: ({ rounds = 5, say }) =>
    inFolder(async (folder) => {
      const args = [cli, "serve", "--database", join(folder, "demo.db"), "--port", "0", "--log-level", "warn"];
      const browser = await openBrowser();
      say("loading the demo");
      const server = await startProcess("bellwire", { args, withinSeconds: 600 }).catch(async (error) => {
        await browser.close();
        throw error;
      });
      const seconds = new Map(views.map(({ path }) => [path, [] as number[]]));
      try {
        for (let round = 0; round < rounds; round++) {
          for (const { path, shows } of views) {
            const took = await visit(browser, server.url + path, shows);
            seconds.get(path)?.push(took);
            say(`round ${round + 1} of ${rounds}: ${path} ${took.toFixed(2)} s`);
          }
        }
      } finally {
        await browser.close();
        await server.stop();
      }
      const rows = [...seconds].map(([path, each]) => [
        path,
        `${median(each).toFixed(2)} s`,
        `${Math.min(...each).toFixed(2)}–${Math.max(...each).toFixed(2)}`,
        `${target.toFixed(2)} s ${median(each) <= target ? "reached" : "MISSED"}`,
      ]);
      return {
        sizes: { rounds, slowdown },
        text: printTable(["view", "median", "rounds", "target"], rows),
        missed: [...seconds.values()].filter((each) => median(each) > target).length,
        figures: { seconds: Object.fromEntries(seconds), target },
      };
    }),
};

/** Seconds from the start of the navigation to the frame with the first record. */
async function visit(browser: Browser, url: string, shows: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const wire = await context.newCDPSession(page);
  await wire.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.addInitScript(`
    const watch = new MutationObserver(() => {
      if (document.querySelector(${JSON.stringify(shows)}) === null) return;
      watch.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => { window.shownAt = performance.now(); }));
    });
    watch.observe(document, { childList: true, subtree: true });
  `);
  await page.goto(url);
  const shown = await page.waitForFunction(() => (globalThis as { shownAt?: number }).shownAt, undefined, {
    timeout: 60_000,
  });
  const milliseconds = (await shown.jsonValue()) as number;
  await context.close();
  return milliseconds / 1000;
}
