// Takes the screenshots in docs/screenshots: every view in both themes, with the demo on a fixed day, reproducibly.
// `npm run screenshots`, after `npm run page`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "../support/browser/browser.ts";
import { blankPage } from "./support/browser.ts";
import { pageService, type Service, today } from "./support/service.ts";
import { smallPng } from "./support/small-png.ts";

const folder = "docs/screenshots";

type Shot = {
  readonly name: string;
  readonly path: string;
  /** Selector that is visible once the view shows its data. */
  readonly ready: string;
  readonly phone?: true;
  readonly operator?: true;
  readonly act?: (page: Page) => Promise<unknown>;
};

const rows = "tbody tr[data-index]";

const shots: readonly Shot[] = [
  { name: "today", path: "/day/2026-04-29", ready: "main table tbody tr" },
  { name: "news", path: "/news?topics=price target", ready: "main li, main article" },
  { name: "ratings", path: "/calendar/ratings", ready: rows },
  { name: "earnings", path: "/calendar/earnings?date_from=2026-06-01&date_to=2026-06-17", ready: rows },
  { name: "economics", path: "/calendar/economics?date_from=2026-06-15&date_to=2026-06-21&panel=api", ready: rows },
  { name: "guidance", path: "/calendar/guidance", ready: rows },
  { name: "dividends", path: "/calendar/dividends?date_from=2026-05-18&date_to=2026-06-17", ready: rows },
  { name: "conference-calls", path: "/calendar/conference-calls?date_from=2026-06-01&date_to=2026-07-31", ready: rows },
  { name: "month", path: "/calendar/ratings?view=month", ready: ".month td.shade-4" },
  { name: "ticker", path: "/ticker/DELL", ready: "main canvas, main svg" },
  { name: "operator", path: "/operator", ready: "main table tbody tr", operator: true },
  { name: "phone-today", path: `/day/${today}`, ready: "main table tbody tr", phone: true },
  {
    name: "phone-earnings",
    path: "/calendar/earnings?date_from=2026-06-01&date_to=2026-06-17",
    ready: rows,
    phone: true,
  },
];

async function shoot(browser: Awaited<ReturnType<typeof openBrowser>>, service: Service, shot: Shot, admin: string) {
  for (const colorScheme of ["light", "dark"] as const) {
    const { page, close } = await blankPage(browser, service, {
      colorScheme,
      viewport: shot.phone ? { width: 390, height: 760 } : { width: 1280, height: 760 },
      ...(shot.operator ? { key: admin } : {}),
    });
    // A hidden page has no stream, so that the network becomes idle.
    await page.addInitScript(() => Object.defineProperty(document, "hidden", { value: true }));
    await page.goto(`${service.origin}${shot.path}`);
    await page.locator(shot.ready).first().waitFor();
    await page.waitForLoadState("networkidle");
    await shot.act?.(page);
    writeFileSync(join(folder, `${shot.name}-${colorScheme}.png`), smallPng(await page.screenshot()));
    await close();
  }
}

const only = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
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
