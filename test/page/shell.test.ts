// Page shell in a browser: navigation, shortcuts, search, theme, time zone, lost connections.
import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Page } from "playwright-core";
import { accessibilityFaults } from "./accessibility.ts";
import { assertClean, pageTests, pressSequence } from "./support/browser.ts";

const test = pageTests({ demo: ["ratings", "economics"], days: 8 }, (service) =>
  service.has("economics", [{ id: "zone", date: "2026-06-16", time: "20:30:00", event_name: "Late release" }]),
);

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme);

describe("the shell", () => {
  test("navigates to views by links, marks the current one, and goes back", async ({ open }) => {
    const opened = await open("/calendar/ratings");
    const { page } = opened;
    await heading(page, "Analyst ratings").waitFor();
    const views = page.getByRole("navigation", { name: "Views" });
    await views.getByRole("link", { name: "Economics" }).click();
    await heading(page, "Economic events").waitFor();
    await page.waitForURL(({ pathname }) => pathname === "/calendar/economics");
    assert.equal(await views.locator("[aria-current=page]").textContent(), "Economics");
    await page.goBack();
    await heading(page, "Analyst ratings").waitFor();
    await page.goForward();
    await heading(page, "Economic events").waitFor();
    await page.reload();
    await heading(page, "Economic events").waitFor();
    assertClean(opened);
  });

  test("lists every calendar of the OpenAPI document in the navigation", async ({ open }) => {
    const opened = await open("/calendar/ratings");
    const links = opened.page.getByRole("navigation", { name: "Views" }).getByRole("link");
    await links.first().waitFor();
    assert.deepEqual(await links.allTextContents(), [
      "Today",
      "News",
      "Economics",
      "Earnings",
      "Ratings",
      "Guidance",
      "Dividends",
      "Calls",
      "Operator",
    ]);
  });

  test("shows all views at 1280 pixels, live and with a long time zone", async ({ open }) => {
    const { page } = await open("/calendar/ratings?tz=Asia/Kathmandu");
    await page.locator(".live.live").waitFor();
    await page.getByText("GMT+5:45 ▾").waitFor();
    const views = page.getByRole("navigation", { name: "Views" }).locator("ul");
    const hidden = await views.evaluate((list) => list.scrollWidth - list.clientWidth);
    assert.equal(hidden, 0);
    await page.setViewportSize({ width: 1390, height: 800 });
    assert.equal(await views.evaluate((list) => list.scrollWidth - list.clientWidth), 0);
  });

  test("works by keyboard: skip to content, go to a view, select and open a row, search, show shortcuts", async ({
    open,
  }) => {
    const opened = await open("/calendar/economics");
    const { page } = opened;
    await heading(page, "Economic events").waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
    await pressSequence(page, "g", "r");
    await heading(page, "Analyst ratings").waitFor();
    await page.locator("tbody tr").nth(2).waitFor();
    for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
    await page.locator("tr.selected[data-index='1']").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("complementary").getByText("JSON", { exact: true }).waitFor();
    await page.waitForURL(/[?&]record=/);
    await page.keyboard.press("a");
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("go to News").waitFor();
    await help.getByText("open row").waitFor();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.type("AAPL");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/ticker\/AAPL$/);
    await page.keyboard.press("/");
    await page.keyboard.type("interest rates");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/news\?topics=interest(%20|\+)rates$/);
    assertClean(opened);
  });

  test("follows the system's theme until the user selects one, which is stored", async ({ open }) => {
    const opened = await open("/calendar/ratings", { colorScheme: "dark" });
    const { page } = opened;
    await heading(page, "Analyst ratings").waitFor();
    assert.equal(await themeOf(page), "dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.locator("html[data-theme=light]").waitFor();
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
    assert.equal(await themeOf(page), "dark");
    await page.reload();
    await heading(page, "Analyst ratings").waitFor();
    assert.equal(await themeOf(page), "dark");
    assertClean(opened);
  });

  test("shows all times in one time zone, which is stored and in the URL", async ({ open, service }) => {
    await service.has("news", [{ id: 7, title: "Late in the day", created: "2026-06-17T19:30:00-04:00" }]);
    const opened = await open("/calendar/economics?date=2026-06-16&record=zone");
    const { page } = opened;
    const zone = page.getByRole("combobox", { name: "Time zone" });
    assert.equal(await zone.locator("option:checked").textContent(), "New York (exchange)");
    const row = page.getByRole("row", { name: /Late release/ });
    const time = async (): Promise<string> => (await row.innerText()).match(/\d\d:\d\d(?: [+−]1)?/)?.[0] ?? "";
    await row.waitFor();
    assert.equal(await time(), "20:30");
    await page.getByText("Jun 17, 2026, 20:00 EDT").waitFor();
    await zone.selectOption("UTC");
    await page.getByText("Jun 18, 2026, 00:00 UTC").waitFor();
    assert.equal(await time(), "00:30 +1");
    await page.waitForURL(/[?&]tz=UTC(&|$)/);
    await page.goto(`${service.origin}/news/7`);
    await page.getByText("Jun 17, 2026, 23:30 UTC").waitFor();
    await page.getByRole("link", { name: "Economics" }).click();
    await page.waitForURL(/\/calendar\/economics\?.*tz=UTC/);
    await page.goto(`${service.origin}/news/7?tz=Asia/Tokyo`);
    await page.getByText("Jun 18, 2026, 08:30 GMT+9").waitFor();
    assert.equal(await zone.inputValue(), "Asia/Tokyo");
    await zone.selectOption("America/New_York");
    await page.getByText("Jun 17, 2026, 19:30 EDT").waitFor();
    await page.waitForURL(`${service.origin}/news/7`);
    assertClean(opened);
  });

  test("reports an unknown calendar", async ({ open }) => {
    const opened = await open("/calendar/weather");
    await heading(opened.page, "Calendar not found").waitFor();
    assertClean(opened);
  });
});

describe("when the server is unavailable", () => {
  test("the page shows stale data with a banner, and recovers", async ({ open, service }) => {
    const opened = await open("/calendar/ratings");
    const { page } = opened;
    await page.locator("tbody tr").first().waitFor();
    await service.goAway();
    await page.getByRole("link", { name: "Operator" }).click();
    await page.getByText("Failed to load this view").waitFor();
    await service.comeBack();
    await heading(page, "Operator").waitFor();
    await page.goBack();
    await page.locator("tbody tr").first().waitFor();
    await service.goAway();
    await Promise.all([
      page.waitForEvent("requestfailed", (request) => request.url().includes("/share-dialog-")),
      page.getByRole("button", { name: "Share" }).click(),
    ]);
    await page.getByText("Connection lost. Data may be stale.").waitFor();
    // The page reloads, since its code is incomplete.
    await Promise.all([page.waitForEvent("domcontentloaded"), service.comeBack()]);
    await page.locator("tbody tr").first().waitFor();
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await service.goAway();
    await page.getByRole("button", { name: "2 or higher" }).click();
    await page.getByText("Connection lost. Data may be stale.").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    const retryNow = page.getByRole("button", { name: "Retry now" });
    await retryNow.waitFor();
    await service.comeBack();
    const gone = page.getByText("Data may be stale.").waitFor({ state: "detached" });
    // The page also retries automatically, and may have just reconnected.
    await Promise.race([retryNow.click().catch(() => {}), gone]);
    await gone;
    await page.locator("tbody tr").first().waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
  });

  test("the page reloads once if a view is missing, and then says so", async ({ open }) => {
    const { page } = await open("/calendar/ratings");
    await page.locator("tbody tr").first().waitFor();
    let documents = 0;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) documents++;
    });
    const failed = Promise.withResolvers<void>();
    await page.route("**/assets/operator-view-*.js", (route) => {
      if (documents > 0) failed.resolve();
      return route.fulfill({ status: 404, body: "" });
    });
    await page.getByRole("link", { name: "Operator" }).click();
    await failed.promise;
    await page.getByRole("button", { name: "Reload page" }).waitFor();
    assert.equal(documents, 1);
    assert.equal(await page.getByText("Connection lost.").count(), 0, "it doesn’t wait for another reload");
    await page.getByRole("link", { name: "Ratings" }).click();
    await page.locator("tbody tr").first().waitFor();
  });

  test("the page waits for a server that is starting", async ({ open, service }) => {
    const opened = await open("/docs/problems");
    const { page } = opened;
    let isStarting = true;
    await page.route("**/page.json", (route) =>
      isStarting ? route.fulfill({ status: 503, body: "{}" }) : route.continue(),
    );
    await page.goto(`${service.origin}/calendar/ratings`);
    await page.getByText("The server is starting.").waitFor();
    isStarting = false;
    await page.locator("tbody tr").first().waitFor();
  });

  test("the page waits for a rate limit and retries", async ({ open }) => {
    const opened = await open("/calendar/economics");
    const { page } = opened;
    await page.locator("tbody tr").first().waitFor();
    let isLimited = true;
    let rejected = 0;
    let served = 0;
    await page.route("**/api/**", async (route) => {
      if (route.request().url().includes("cursor=")) return route.continue();
      if (!isLimited) {
        served++;
        return route.continue();
      }
      rejected++;
      return route.fulfill({
        status: 429,
        headers: { "retry-after": "1", "content-type": "application/problem+json" },
        body: JSON.stringify({ title: "Too many requests", detail: "The key has used up its requests." }),
      });
    });
    await page.getByRole("button", { name: "2 or higher" }).click();
    await page.getByText("Too many requests").waitFor();
    isLimited = false;
    await page.getByText("Too many requests").waitFor({ state: "detached" });
    assert.ok(rejected > 0);
    assert.equal(served, 1);
  });
});
