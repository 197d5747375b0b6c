// Takes the screenshots in docs/screenshots: every view at three widths and in both themes, with the demo on a fixed day,
// reproducibly. `npm run screenshots`, after `npm run page`; with names, only those.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "../support/browser/browser.ts";
import { blankPage } from "./support/browser.ts";
import { now, pageService, type Service } from "./support/service.ts";
import { smallPng } from "./support/small-png.ts";

const folder = "docs/screenshots";

type Shot = {
  readonly name: string;
  readonly path: string;
  /** Selector that is visible once the view shows its data. */
  readonly ready: string;
  readonly operator?: true;
  readonly act?: (page: Page) => Promise<unknown>;
};

const rows = "tbody tr[data-index]";

const shots: readonly Shot[] = [
  { name: "today", path: "/day/2026-04-29", ready: ".headlines li" },
  { name: "news", path: "/news?topics=price target", ready: ".line" },
  { name: "economics", path: "/calendar/economics?view=agenda", ready: rows },
  { name: "economics-week", path: "/calendar/economics?view=week", ready: "td:not(.other) li" },
  { name: "earnings", path: "/calendar/earnings?view=agenda", ready: rows },
  { name: "earnings-month", path: "/calendar/earnings?view=month&date_from=2026-04-01", ready: "td:not(.other) li" },
  { name: "ratings", path: "/calendar/ratings", ready: rows },
  { name: "guidance", path: "/calendar/guidance", ready: rows },
  { name: "dividends", path: "/calendar/dividends?view=agenda", ready: rows },
  { name: "conference-calls", path: "/calendar/conference-calls?view=agenda", ready: rows },
  {
    name: "record",
    path: "/calendar/economics?view=agenda&importance=2",
    ready: rows,
    act: async (page) => {
      await page.locator("tr", { hasText: "Initial Jobless Claims" }).locator(".opener button").click();
      await page.locator(".panel .history-rows").waitFor();
    },
  },
  { name: "api-request", path: "/calendar/ratings?importance=3&panel=api", ready: rows },
  { name: "ticker", path: "/ticker/DELL", ready: "main canvas" },
  { name: "operator", path: "/operator", ready: ".keys-of-server tbody tr", operator: true },
  { name: "my-tickers", path: "/calendar/ratings?my=AAPL,DELL,MSFT,NVDA", ready: rows },
];

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;

async function shoot(browser: Awaited<ReturnType<typeof openBrowser>>, service: Service, shot: Shot, admin: string) {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const viewport of sizes) {
      const { page, close } = await blankPage(browser, service, {
        colorScheme,
        viewport,
        ...(shot.operator ? { key: admin } : {}),
        fresh: true,
      });
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.clock.install({ time: now * 1000 });
      // A hidden page has no stream, so that the network becomes idle.
      await page.addInitScript(() => Object.defineProperty(document, "hidden", { value: true }));
      await page.goto(`${service.origin}${shot.path}`);
      await page.locator(shot.ready).first().waitFor();
      await shot.act?.(page);
      await page.waitForLoadState("networkidle");
      const name = `${shot.name}-${viewport.width}-${colorScheme}.png`;
      writeFileSync(join(folder, name), smallPng(await page.screenshot({ animations: "disabled" })));
      await close();
    }
  }
}

const only = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
if (only.length === 0) for (const file of readdirSync(folder)) if (file.endsWith(".png")) rmSync(join(folder, file));
const service = await pageService({ days: 800 });
const browser = await openBrowser();
const failed: string[] = [];
try {
  const admin = await service.makeKey("operator", ["read", "admin"]);
  for (const shot of shots.filter(({ name }) => only.length === 0 || only.includes(name))) {
    await shoot(browser, service, shot, admin).catch((error: Error) => failed.push(`${shot.name}: ${error.message}`));
  }
} finally {
  await browser.close();
  await service.close();
}
if (failed.length > 0) {
  process.stderr.write(`${failed.join("\n")}\n`);
  process.exitCode = 1;
}
