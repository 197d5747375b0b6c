// Everything about one company, in a real browser: the picture of its targets, its numbers, and the ways around.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { accessibilityFaults, assertClean, open } from "./browser.ts";
import { pageService, type Service, today } from "./service.ts";

let service: Service;
let browser: Browser;

const of = (id: string, more: object) => ({
  ...{ id, ticker: "ACME", name: "Acme Works", exchange: "NYSE", currency: "USD" },
  ...more,
});

const rating = (id: string, firm: string, date: string, prior: string, current: string, more: object = {}) =>
  of(id, {
    ...{ date, time: "09:30:00", firm_id: firm, analyst: `${firm} Research`, analyst_name: `Ann ${firm}` },
    ...{
      action_company: "Maintains",
      rating_current: "Buy",
      rating_prior: "Buy",
      pt_prior: prior,
      pt_current: current,
    },
    ...more,
  });

const report = (id: string, date: string, period: string, year: number, eps: string, estimate: string) =>
  of(id, {
    ...{ date, time: "amc", period, period_year: year, date_confirmed: eps === "" ? 0 : 1, eps, eps_est: estimate },
    ...(eps === "" ? {} : { eps_surprise_percent: String((Number(eps) / Number(estimate) - 1).toFixed(4)) }),
  });

before(async () => {
  service = await pageService({ demo: [] });
  await service.has("ratings", [
    rating("r1", "North", "2025-09-01", "", "100.00", { action_company: "Initiates Coverage On", rating_prior: "" }),
    rating("r2", "North", "2026-01-12", "100.00", "120.00", { action_company: "Upgrades", rating_prior: "Hold" }),
    rating("r3", "South", "2026-02-02", "80.00", "90.00"),
    rating("r4", "South", "2026-05-04", "90.00", "70.00"),
    rating("r5", "East", "2024-03-04", "", "50.00"),
    rating("r6", "West", "2026-03-02", "", "200.00"),
    rating("r7", "West", "2026-04-01", "200.00", "", { action_company: "Terminates Coverage On" }),
  ]);
  await service.has("earnings", [
    report("e1", "2025-05-01", "Q1", 2025, "0.50", "0.40"),
    report("e2", "2025-08-01", "Q2", 2025, "0.50", "0.60"),
    report("e3", "2025-11-01", "Q3", 2025, "0.50", "0.50"),
    report("e4", "2026-02-01", "Q4", 2025, "0.60", "0.50"),
    report("e5", "2026-07-29", "Q1", 2026, "", "0.70"),
  ]);
  await service.has("guidance", [
    of("g1", {
      ...{ date: "2025-05-01", period: "FY", period_year: 2025, is_primary: "true" },
      ...{ eps_guidance_min: "1.80", eps_guidance_max: "2.00", eps_guidance_est: "1.95" },
    }),
    of("g2", {
      ...{ date: "2026-02-01", period: "FY", period_year: 2026, is_primary: "true" },
      ...{ revenue_guidance_min: "1000000000", revenue_guidance_max: "1200000000" },
    }),
  ]);
  await service.has("dividends", [
    of("d1", { date: "2026-02-10", dividend: "0.50", ex_dividend_date: "2026-02-20", payable_date: "2026-03-10" }),
    of("d2", {
      ...{ date: "2026-05-10", dividend: "0.55", dividend_prior: "0.50", frequency: 4, dividend_yield: "0.021" },
      ...{ ex_dividend_date: "2026-06-19", payable_date: "2026-07-10", confirmed: true },
    }),
  ]);
  await service.has("conference-calls", [
    { id: "c1", ticker: "ACME", date: "2026-07-29", start_time: "17:00:00", confirmed: true },
  ]);
  await service.has("news", [
    { id: 1, title: "Acme opens a works", created: "2026-06-17T09:00:00-04:00", stocks: [{ name: "ACME" }] },
    { id: 2, title: "Of another company", created: "2026-06-17T10:00:00-04:00", stocks: [{ name: "OTHER" }] },
  ]);
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await service?.close();
});

const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const cells = (page: Page, name: string, row: number) =>
  part(page, name).locator("tbody tr").nth(row).locator("th, td").allInnerTexts();

/** Waits until the picture of the targets holds many pixels of a colour of the theme that is seen. */
const drawnIn = (page: Page, token: string) =>
  page.waitForFunction((name) => {
    const copy = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (copy === null) return false;
    copy.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name);
    copy.fillRect(0, 0, 1, 1);
    const [red, green, blue] = copy.getImageData(0, 0, 1, 1).data;
    let found = 0;
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>(".target-chart canvas")) {
      if (canvas.width === 0 || canvas.height === 0) continue;
      Object.assign(copy.canvas, { width: canvas.width, height: canvas.height });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      for (let at = 0; at < data.length; at += 4)
        if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255) found++;
    }
    return found > 150;
  }, token);

describe("a company", () => {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`everything about it is on one page, in ${colorScheme} colours`, async () => {
      const opened = await open(browser, service, "/ticker/acme", { colorScheme });
      const { page } = opened;
      await page.getByRole("heading", { level: 1, name: "ACME" }).waitFor();
      await page.getByText("mean target 95.00 of 2 firms, from 70.00 to 120.00").waitFor();
      await page.getByText("Acme Works").first().waitFor();
      await drawnIn(page, "--accent");
      const picture = page.getByRole("img", { name: /^Price targets of ACME since Mar 4, 2024: mean target 95.00/ });
      assert.equal(await picture.count(), 1);
      assert.deepEqual(await cells(page, "Where each firm stands", 0), [
        "South Research",
        "Buy",
        "70.00",
        "−22.2%",
        "May 4, 2026",
      ]);
      const changes = await cells(page, "Ratings and price targets of ACME, newest first", 0);
      assert.deepEqual(changes.slice(0, 5), ["May 4, 2026", "09:30", "South Research", "Ann South", "Maintains"]);
      await part(page, "Earnings per share").getByText("above the estimate 2 of 4 times").waitFor();
      assert.deepEqual((await cells(page, "Earnings of ACME, newest first", 1)).slice(0, 5), [
        "Q4 2025",
        "Feb 1, 2026 after close",
        "0.60",
        "0.50",
        "+20.0%",
      ]);
      await part(page, "Dividends").getByText("0.55 USD, quarterly, yield 2.10%").waitFor();
      const guidance = await cells(page, "Guidance of ACME against results, newest first", 1);
      assert.deepEqual(guidance.slice(0, 4), ["FY 2025 EPS", "May 1, 2025", "1.80 – 2.00", "1.95"]);
      assert.deepEqual(guidance.slice(5, 7), ["Σ 2.10", "above"]);
      await part(page, "News").getByRole("link", { name: "Acme opens a works" }).waitFor();
      assert.equal(await page.getByText("Of another company").count(), 0);
      assert.deepEqual(await accessibilityFaults(page), []);
      assertClean(opened, service);
      await opened.close();
    });
  }

  test("the next events come first, and open as records", async () => {
    const opened = await open(browser, service, "/ticker/ACME");
    const { page } = opened;
    const events = part(page, "Next").getByRole("listitem");
    await events.first().waitFor();
    assert.deepEqual(
      (await events.allInnerTexts()).map((text) => text.split("\n")),
      [
        ["Ex-dividend", "Fri, Jun 19, 2026", "in 2 days · 0.55"],
        ["Dividend paid", "Fri, Jul 10, 2026", "in 23 days · 0.55"],
        ["Earnings Q1 2026", "Wed, Jul 29, 2026 (expected)", "in 42 days · after close · EPS est. 0.70"],
        ["Conference call", "Wed, Jul 29, 2026", "in 42 days · 17:00"],
      ],
    );
    await events.first().getByRole("button").click();
    await page.waitForURL(/record=dividends(:|%3A)d2/);
    await page.getByRole("complementary").getByText("As JSON").waitFor();
    assertClean(opened, service);
    await opened.close();
  });

  test("a firm is set off in the picture, its words are listed alone, and the address says so", async () => {
    const opened = await open(browser, service, "/ticker/ACME?span=all");
    const { page } = opened;
    await drawnIn(page, "--accent");
    const changes = part(page, "Ratings and price targets of ACME, newest first").locator("tbody tr");
    assert.equal(await changes.count(), 7);
    await page.getByRole("button", { name: "North Research", exact: true }).click();
    await page.waitForURL(/firm=North/);
    await drawnIn(page, "--text");
    assert.equal(await changes.count(), 2);
    await page.reload();
    await page.getByRole("button", { name: "North Research", exact: true, pressed: true }).waitFor();
    assert.equal(await page.getByRole("button", { name: "All", exact: true }).getAttribute("aria-pressed"), "true");
    await page.getByRole("link", { name: "All firms" }).click();
    await changes.nth(6).waitFor();
    assertClean(opened, service);
    await opened.close();
  });

  test("the picture follows the theme when it is switched", async () => {
    const opened = await open(browser, service, "/ticker/ACME");
    await drawnIn(opened.page, "--surface");
    await opened.page.emulateMedia({ colorScheme: "dark" });
    await opened.page.locator("html[data-theme=dark]").waitFor();
    await drawnIn(opened.page, "--surface");
    await drawnIn(opened.page, "--accent");
    assertClean(opened, service);
    await opened.close();
  });

  test("the pointer tells the day and the firm it is at, and a press sets that firm off", async () => {
    const opened = await open(browser, service, "/ticker/ACME?span=all");
    const { page } = opened;
    await drawnIn(page, "--accent");
    const box = await page.locator(".target-chart").boundingBox();
    assert.ok(box !== null);
    const said = page.locator(".target-pointed");
    // Somewhere above the middle of the last days stands the line of the firm with the highest target.
    for (let y = box.y + 10; y < box.y + box.height - 40; y += 3) {
      await page.mouse.move(box.x + box.width * 0.8, y);
      if (/Research/.test(await said.innerText())) break;
    }
    const [day = "", firm = "", target = ""] = (await said.innerText()).split(" · ");
    assert.match(day, /^\w{3} \d+, 202\d$/);
    assert.match(firm, /^(North|South|West) Research$/);
    assert.match(target, /^\d+\.\d\d$/);
    await page.mouse.down();
    await page.mouse.up();
    await page.getByRole("button", { name: firm, exact: true, pressed: true }).waitFor();
    assertClean(opened, service);
    await opened.close();
  });

  test("each part leads to its own request and the answer it was drawn from", async () => {
    const opened = await open(browser, service, "/ticker/ACME");
    const { page } = opened;
    const panel = page.getByRole("complementary", { name: "As an API call" });
    const calls = [
      ["Analysts", "/api/v2.1/calendar/ratings?parameters[tickers]=ACME&pagesize=1000", '"r7"'],
      ["Earnings per share", "/api/v2.1/calendar/earnings?parameters[tickers]=ACME&pagesize=100", '"e5"'],
      ["Dividends", "/api/v2.2/calendar/dividends?parameters[tickers]=ACME&pagesize=100", '"d2"'],
      ["Guidance", "/api/v2.1/calendar/guidance?parameters[tickers]=ACME&pagesize=100", '"g2"'],
      ["News", "/api/v2/news?tickers=ACME&pageSize=50", "Acme opens a works"],
    ] as const;
    for (const [title, call, answer] of calls) {
      await page.getByRole("link", { name: `${title} as an API call` }).click();
      await panel.getByText(`${service.origin}${call}&token=YOUR_KEY`).waitFor();
      await panel.getByText(answer).first().waitFor();
    }
    await panel.getByRole("combobox", { name: "Request" }).selectOption("Conference calls");
    await panel.getByText("/api/v2.1/calendar/conference-calls?parameters[tickers]=ACME").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await panel.getByRole("button", { name: "Close the panel" }).click();
    await panel.waitFor({ state: "detached" });
    assertClean(opened, service);
    await opened.close();
  });

  test("by keyboard alone: a row is chosen and opened, a firm set off, the panel opened and closed", async () => {
    const opened = await open(browser, service, "/ticker/ACME");
    const { page } = opened;
    await page.locator(".targets-changes tbody tr").nth(6).waitFor();
    for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key);
    await page.waitForURL(/record=ratings(:|%3A)r3|record=ratings(:|%3A)r7/);
    const chosen = page.locator(".targets-changes tr.chosen");
    assert.ok(await chosen.evaluate((row) => row.getBoundingClientRect().bottom <= window.innerHeight));
    await page.getByRole("button", { name: "Close the panel" }).press("Enter");
    await page.getByRole("button", { name: "South Research", exact: true }).press("Enter");
    await page.waitForURL(/firm=South/);
    await page.keyboard.press("a");
    await page.getByRole("complementary", { name: "As an API call" }).waitFor();
    await page.keyboard.press("a");
    await page.getByRole("complementary").waitFor({ state: "detached" });
    assertClean(opened, service);
    await opened.close();
  });

  test("on a narrow screen nothing is wider than the screen", async () => {
    const opened = await open(browser, service, "/ticker/ACME", { viewport: { width: 360, height: 740 } });
    const { page } = opened;
    await drawnIn(page, "--accent");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    const wide = await page
      .getByRole("img")
      .evaluateAll((pictures) =>
        pictures.filter((each) => each.getBoundingClientRect().right > window.innerWidth).map((each) => each.outerHTML),
      );
    assert.deepEqual(wide, []);
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened, service);
    await opened.close();
  });
});

describe("a company of which little is known", () => {
  test("nothing at all: that is said, and what was asked can still be seen", async () => {
    const opened = await open(browser, service, "/ticker/NOSUCH?panel=api");
    const { page } = opened;
    await page.getByText("Nothing is known of NOSUCH here").waitFor();
    await page.getByText("parameters[tickers]=NOSUCH").first().waitFor();
    assert.equal(await page.locator(".target-chart").count(), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened, service);
    await opened.close();
  });

  test("news alone: the other parts say that they are empty, and no chart is loaded", async () => {
    const opened = await open(browser, service, "/ticker/OTHER");
    const { page } = opened;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.getByRole("link", { name: "Of another company" }).waitFor();
    for (const none of ["No ratings.", "No reports.", "No dividends.", "No guidance."])
      await page.getByText(none).waitFor();
    assert.deepEqual(
      asked.filter((url) => url.includes("chart")),
      [],
    );
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened, service);
    await opened.close();
  });

  test("ratings without a target: a table without a picture", async () => {
    await service.has("ratings", [{ id: "p1", ticker: "PLAIN", date: today, analyst: "Firm", rating_current: "Hold" }]);
    const opened = await open(browser, service, "/ticker/PLAIN");
    const { page } = opened;
    await page.getByText("No price target stands.").waitFor();
    await page.getByRole("button", { name: "Firm", exact: true }).waitFor();
    assert.equal(await page.locator(".target-chart").count(), 0);
    assertClean(opened, service);
    await opened.close();
  });

  test("no symbol, or several: one is asked for", async () => {
    const opened = await open(browser, service, "/ticker/ACME,OTHER");
    const { page } = opened;
    await page.getByText("is not one ticker symbol").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByLabel("Ticker symbol").fill(" acme ");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/ticker\/ACME$/);
    await page.getByText("mean target 95.00").waitFor();
    assertClean(opened, service);
    await opened.close();
  });

  test("one list that fails leaves the others", async () => {
    const opened = await open(browser, service, "/news");
    const { page } = opened;
    await page.route("**/calendar/dividends*", (route) =>
      route.fulfill({
        status: 500,
        headers: { "content-type": "application/problem+json" },
        body: JSON.stringify({ title: "Internal error", detail: "It is logged." }),
      }),
    );
    await page.goto(`${service.origin}/ticker/ACME`);
    await part(page, "Dividends").getByText("Internal error").waitFor();
    await page.getByText("mean target 95.00").waitFor();
    await page.unroute("**/calendar/dividends*");
    await part(page, "Dividends").getByRole("button", { name: "Try again" }).click();
    await part(page, "Dividends").getByText("0.55 USD").waitFor();
    await opened.close();
  });
});
