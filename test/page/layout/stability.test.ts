// Layout: nothing moves while a view loads or scrolls, and nothing important is cut off.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { isLong } from "../../support/budget.ts";
import { pageTests } from "../support/browser.ts";
import { filled } from "../support/calendar.ts";
import { layoutShift } from "../support/layout-shift.ts";
import { today } from "../support/service.ts";

const test = pageTests({ days: 30 });

/** Views with a selector for what appears last. */
const views: Readonly<Record<string, string>> = {
  "/": ".headlines li",
  [`/day/${today}`]: ".headlines li",
  "/news": ".line",
  "/calendar/ratings": "tr[data-index]",
  "/calendar/economics?date_from=2026-06-15&date_to=2026-06-21": "tr[data-index]",
  "/calendar/economics?view=agenda&date_from=2026-06-15&date_to=2026-06-21": "tr[data-index]",
  "/calendar/earnings?view=month": ".grid li",
  "/calendar/ratings?view=week": ".grid li",
  "/ticker/DELL": ".ticker-headlines li",
  "/operator": ".keys-of-server tbody tr",
};

const widths = [1440, 1024, 390];

test("views don’t move while they load, at any width", async ({ open, service }, t) => {
  const key = await service.makeKey("operator", ["read", "admin"]);
  const { page, origin } = await open("/page.json", { key });
  // A hidden page has no stream, so that the network becomes idle.
  await page.addInitScript(() => Object.defineProperty(document, "hidden", { value: true }));
  for (const [at, [path, last]] of Object.entries(views).entries()) {
    for (const width of isLong ? widths : [widths[at % widths.length] ?? 0]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`${origin}${path}`);
      await page.locator(last).first().waitFor();
      await page.waitForLoadState("networkidle");
      const shift = await layoutShift(page);
      t.diagnostic(`${path} at ${width}: ${shift.toFixed(4)}`);
      assert.ok(shift < 0.1, `${path} at ${width} pixels: ${shift}`);
    }
  }
});

test("columns don’t move while a list scrolls", async ({ open, service }) => {
  await service.has(
    "ratings",
    Array.from({ length: 300 }, (_, at) => ({
      ...{ id: `wide${at}`, date: "2026-06-20", ticker: `T${at}`, pt_prior: "1", pt_current: "2" },
      ...(at % 70 === 60
        ? {
            name: "A Company with a Long Name Ltd.",
            analyst: "Thistledown Equity Research Partners",
            pt_prior: "12345.67",
          }
        : {}),
    })),
  );
  const { page } = await open("/calendar/ratings");
  await filled(page);
  const lefts = () => page.locator("thead th").evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
  const before = await lefts();
  for (const index of [100, 200, 299]) {
    await page.locator(".table-scroll").evaluate((each, top) => each.scrollTo(0, top), index * 30);
    await page.locator(`tr[data-index='${index}']`).waitFor();
    assert.deepEqual(await lefts(), before);
  }
});

test("the day view shows all values at 1280, 1440, and 1920 pixels", async ({ open, service }) => {
  const day = "2026-06-10";
  await service.has("ratings", [
    {
      ...{ id: "long", date: day, ticker: "GOOGL", name: "Alphabet", analyst: "Thistledown Equity Research" },
      ...{ action_company: "Downgrades", rating_prior: "Sector Outperform", rating_current: "Sector Underperform" },
      ...{ pt_prior: "1250", pt_current: "1300" },
    },
  ]);
  await service.has("guidance", [
    {
      ...{ id: "long", date: day, ticker: "GOOGL", is_primary: "true", eps_guidance_est: "-13.25" },
      ...{ eps_guidance_min: "-12.50", eps_guidance_max: "-12.00" },
      ...{ revenue_guidance_min: "336000000", revenue_guidance_max: "350000000", revenue_guidance_est: "339900000" },
    },
  ]);
  const { page } = await open(`/day/${day}`);
  await page.locator(".headlines li").first().waitFor();
  const rating = page.locator("tr", { hasText: "GOOGL" }).locator(".change").first();
  assert.equal(await rating.getAttribute("title"), "Sector Outperform → Sector Underperform");
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await truncated(page), [[], [], []], `at ${width} pixels`);
    const seen = await rating.evaluate((each) => {
      const cell = each.closest("td")?.getBoundingClientRect();
      const now = each.querySelector(".to")?.getBoundingClientRect();
      return now !== undefined && cell !== undefined && now.right <= cell.right && now.width > 0;
    });
    assert.ok(seen, `the new rating is visible at ${width} pixels`);
  }
});

/** Truncated cells, new ratings, and tables of the day view. */
const truncated = (page: Page): Promise<string[][]> =>
  page.evaluate(() =>
    [".day-section :is(td.end, td.arrow, th)", ".change .to", ".day-section .table-scroll"].map((selector) =>
      [...document.querySelectorAll<HTMLElement>(selector)]
        .filter((each) => each.scrollWidth > each.clientWidth)
        .map((each) => each.innerText),
    ),
  );

test("at 1024 pixels, all tabs are visible next to the search box", async ({ open }) => {
  const { page } = await open("/news", { viewport: { width: 1024, height: 800 } });
  await page.locator(".line").first().waitFor();
  const hidden = await page.locator("nav[aria-label=Views] a").evaluateAll((tabs) =>
    tabs.flatMap((tab) => {
      const { x, y, width, height } = tab.getBoundingClientRect();
      const isOnTop = [x + 1, x + width - 1].every((at) => tab.contains(document.elementFromPoint(at, y + height / 2)));
      return isOnTop ? [] : [tab.textContent];
    }),
  );
  assert.deepEqual(hidden, []);
});
