// What surrounds every view: navigation, keys, search, theme, signing in.
import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Page } from "playwright-core";
import { hashKey, pageKey } from "../../src/keys/key.ts";
import { accessibilityFaults } from "./accessibility.ts";
import { assertClean, pageTests } from "./support/browser.ts";
import { now } from "./support/service.ts";

const test = pageTests({ demo: ["ratings", "economics"], days: 8 });

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme);

describe("the shell", () => {
  test("every view is reached by its link, marked as the current one, and gone back from", async ({ open }) => {
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

  test("the bar has every calendar of the document", async ({ open }) => {
    const opened = await open("/calendar/ratings");
    const links = await opened.page.getByRole("navigation", { name: "Views" }).getByRole("link").allTextContents();
    assert.deepEqual(links, [
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

  test("by keyboard alone: skip to the content, go to a view, choose a row, open and close it, search, get help", async ({
    open,
  }) => {
    const opened = await open("/calendar/economics");
    const { page } = opened;
    await heading(page, "Economic events").waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to the content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await heading(page, "Analyst ratings").waitFor();
    await page.locator("tbody tr").nth(2).waitFor();
    for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
    await page.locator("tr.chosen[data-index='1']").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("complementary").getByText("As JSON").waitFor();
    await page.waitForURL(/[?&]record=/);
    await page.keyboard.press("a");
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("go to News").waitFor();
    await help.getByText("open the row").waitFor();
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

  test("the theme is the system's until another is chosen, and the choice outlives the visit", async ({ open }) => {
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

  test("an address that is no view says so", async ({ open }) => {
    const opened = await open("/calendar/weather");
    await heading(opened.page, "No such calendar").waitFor();
    assertClean(opened);
  });
});

describe("signing in", () => {
  test("without a key the page asks for one, and nothing is sent before it has it", async ({ open, service }) => {
    const opened = await open("/calendar/ratings", { key: null });
    const { page } = opened;
    const dialog = page.getByRole("dialog", { name: "API key" });
    await dialog.waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole("button", { name: "Use this key" }).click();
    await dialog.getByText("Paste a key first.").waitFor();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/")) asked.push(`${request.url()} ${request.headers().authorization}`);
    });
    await dialog.getByLabel("Key").fill(` ${service.key} `);
    await dialog.getByRole("button", { name: "Use this key" }).click();
    await page.locator("tbody tr").first().waitFor();
    assert.ok(asked.length > 0 && asked.every((each) => each.endsWith(` token ${service.key}`)));
    assert.ok(asked.every((each) => !(each.split(" ")[0] as string).includes(service.key)));
    assert.ok(!page.url().includes(service.key));
    assertClean(opened);
    await page.reload();
    await page.locator("tbody tr").first().waitFor();
  });

  test("a key that is not accepted is said to be so, and another one is taken", async ({ open, service }) => {
    const opened = await open("/calendar/ratings", { key: "bw_wrong" });
    const { page } = opened;
    const dialog = page.getByRole("dialog", { name: "API key" });
    await dialog.getByText("not accepted").waitFor();
    await page.getByText("Invalid token").waitFor();
    await dialog.getByLabel("Key").fill(service.key);
    await page.keyboard.press("Enter");
    await page.locator("tbody tr").first().waitFor();
    await page.getByText("Invalid token").waitFor({ state: "detached" });
  });

  test("a key that may not read is told what it lacks", async ({ open, service }) => {
    const key = await service.makeKey("writer", ["write"]);
    const opened = await open("/calendar/ratings", { key });
    await opened.page.getByText("Missing scope").waitFor();
    await opened.page.getByRole("button", { name: "Use another key" }).click();
    await opened.page.getByRole("dialog", { name: "API key" }).waitFor();
  });

  test("on the demo the page has a key of its own, until it is revoked", async ({ open, service }) => {
    const { databaseId: database } = await service.store.state();
    const hash = hashKey(pageKey(database));
    await service.store.addKey({ name: "page", hash, licenses: [], scopes: ["read"], expires: "", created: now });
    const opened = await open("/calendar/ratings", { key: null });
    const { page } = opened;
    await page.locator("tbody tr").first().waitFor();
    await page.getByRole("button", { name: "Demo key" }).waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem("bellwire.key")), null);
    await service.store.revokeKey("page", now);
    await page.reload();
    await page.getByRole("dialog", { name: "API key" }).waitFor();
    assertClean(opened);
  });

  test("a key can be forgotten", async ({ open }) => {
    const opened = await open("/calendar/ratings");
    const { page } = opened;
    await page.locator("tbody tr").first().waitFor();
    await page.getByRole("button", { name: "Key ✓" }).click();
    await page.getByRole("button", { name: "Forget the key" }).click();
    assert.equal(await page.evaluate(() => localStorage.getItem("bellwire.key")), null);
  });
});

describe("when the server does not answer", () => {
  test("what is shown stays, the page says that the server is away, and goes on when it is back", async ({
    open,
    service,
  }) => {
    const opened = await open("/calendar/ratings");
    const { page } = opened;
    await page.locator("tbody tr").first().waitFor();
    await service.goAway();
    await page.getByRole("combobox", { name: "Importance" }).selectOption("2");
    await page.getByText("The server can’t be reached. What is shown may be old").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    const askNow = page.getByRole("button", { name: "Ask now" });
    await askNow.waitFor();
    await service.comeBack();
    const gone = page.getByText("What is shown may be old").waitFor({ state: "detached" });
    // The page asks by itself every few seconds, and may have done so just now.
    await Promise.race([askNow.click().catch(() => {}), gone]);
    await gone;
    await page.locator("tbody tr").first().waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
  });

  test("a server that is still starting is waited for", async ({ open, service }) => {
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

  test("a limit is waited for, and the request sent again after it", async ({ open }) => {
    const opened = await open("/calendar/economics");
    const { page } = opened;
    await page.locator("tbody tr").first().waitFor();
    let isLimited = true;
    let refused = 0;
    let answered = 0;
    await page.route("**/api/**", async (route) => {
      if (route.request().url().includes("cursor=")) return route.continue();
      if (!isLimited) {
        answered++;
        return route.continue();
      }
      refused++;
      return route.fulfill({
        status: 429,
        headers: { "retry-after": "1", "content-type": "application/problem+json" },
        body: JSON.stringify({ title: "Too many requests", detail: "The key has used up its requests." }),
      });
    });
    await page.getByRole("combobox", { name: "Importance" }).selectOption("2");
    await page.getByText("Too many requests").waitFor();
    isLimited = false;
    await page.getByText("Too many requests").waitFor({ state: "detached" });
    assert.ok(refused > 0);
    assert.equal(answered, 1);
  });
});
