// The operator's view, in a real browser against the real administration: how the server stands, and its keys.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { accessibilityFaults, assertClean, type Opened, type OpenOptions, open } from "./browser.ts";
import { pageService, type Service } from "./service.ts";

let service: Service;
let browser: Browser;
let admin: string;

before(async () => {
  service = await pageService({ demo: ["ratings"], days: 8 });
  admin = await service.makeKey("operator", ["admin", "read"]);
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await service?.close();
});

const openOperator = (path = "/operator", options: OpenOptions = {}): Promise<Opened> =>
  open(browser, service, path, { key: admin, ...options });

const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const keyRow = (page: Page, name: string) =>
  part(page, "All keys with their terms").getByRole("row").filter({ hasText: name });
const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name });

/** What the API says to a key. */
const statusFor = async (key: string): Promise<number> =>
  (await fetch(`${service.origin}/api/v2.1/calendar/ratings`, { headers: { authorization: `token ${key}` } })).status;

/** Makes a key in the page; gives it as it was shown. */
async function makeKey(page: Page, name: string, fill: (form: ReturnType<typeof dialogOf>) => Promise<void>) {
  await page.getByRole("button", { name: "New key" }).click();
  const form = dialogOf(page, "New key");
  await form.getByLabel("Name", { exact: true }).fill(name);
  await fill(form);
  await form.getByRole("button", { name: "Make the key" }).click();
  return shownKey(page, name);
}

async function shownKey(page: Page, name: string): Promise<string> {
  const shown = dialogOf(page, `The key ${name}`);
  const key = await shown.getByRole("region", { name: "The key" }).innerText();
  await shown.getByRole("button", { name: "I have it" }).click();
  await shown.waitFor({ state: "detached" });
  return key;
}

describe("how the server stands", () => {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`freshness, use, mirror and keys, in ${colorScheme} colours`, async () => {
      const opened = await openOperator("/operator", { colorScheme });
      const { page } = opened;
      const ratings = part(page, "How fresh each resource is").getByRole("row").filter({ hasText: "ratings" });
      await ratings.getByText("ago").waitFor();
      await ratings.getByText("2026-06-17").waitFor();
      await part(page, "Mirror").getByText("This database is no mirror.").waitFor();
      await keyRow(page, "operator").getByText("admin, read").waitFor();
      await keyRow(page, "reader").getByText("valid").waitFor();
      await part(page, "Use by key").getByRole("link", { name: "operator" }).waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      assertClean(opened, service);
      await opened.close();
    });
  }

  test("the requests behind it are shown, without a token in the address", async () => {
    const opened = await openOperator();
    const { page } = opened;
    await page.getByRole("link", { name: "Use by key as an API call" }).click();
    const panel = page.getByRole("complementary", { name: "As an API call" });
    const code = panel.getByRole("region", { name: "The request as URL" });
    await code.getByText("/admin/v1/usage?from=2026-05-19&to=2026-06-17").waitFor();
    assert.doesNotMatch(await code.innerText(), /token/);
    await panel.getByRole("button", { name: "curl" }).click();
    await panel.getByText("Authorization: token YOUR_KEY").waitFor();
    await page.getByRole("button", { name: "7 days" }).click();
    await panel.getByText("from=2026-06-11").waitFor();
    assertClean(opened, service);
    await opened.close();
  });

  test("a mirror tells how far it is behind, and what went wrong", async () => {
    const opened = await open(browser, service, "/calendar/ratings", { key: admin });
    const { page } = opened;
    await page.route("**/admin/v1/status", async (route) => {
      const answer = await route.fetch();
      const counts = { created: 5, updated: 1, unchanged: 0, removed: 0, refused: 2 };
      const ratings = { resource: "ratings", records: 6, lag: 65, windows: 3, windows_left: 4, filled: false };
      await route.fulfill({
        response: answer,
        json: {
          ...(await answer.json()),
          mirror: {
            ...{ upstream: "https://upstream.example.com", via: "lists", holder: "host 12", feed_refused: null },
            budget: { rate: "60/min", used: 12, requests: 345 },
            resources: [{ ...ratings, down_to: "2026-01-01", counts, unknown_attributes: {}, refusals: [], gaps: [] }],
            ...{ removals: [], feed: null, errors: { ratings: { at: 1, text: "The upstream answered 500." } } },
          },
        },
      });
    });
    await page.goto(`${service.origin}/operator`);
    const mirror = part(page, "Mirror");
    await mirror.getByText("mirrored by host 12").waitFor();
    await mirror.getByText("The upstream answered 500.").waitFor();
    assert.deepEqual(
      await part(page, "How far each resource is mirrored")
        .locator("tbody tr")
        .first()
        .locator("th, td")
        .allInnerTexts(),
      ["ratings", "6", "1 min", "from 2026-01-01, 4 windows left", "2", "0"],
    );
    assert.deepEqual(await accessibilityFaults(page), []);
    await opened.close();
  });

  test("who uses it, by day and resource, and where limits were met", async () => {
    const opened = await openOperator();
    const { page } = opened;
    const key = await makeKey(page, "hasty", async (form) => {
      await form.getByLabel("Rate").fill("1");
    });
    // The clock of the service stands still: the second request within a second is one too many.
    assert.deepEqual([await statusFor(key), await statusFor(key)], [200, 429]);
    await page.keyboard.press("r");
    const limits = part(page, "Where limits were met, newest first").locator("tbody tr").first();
    await limits.waitFor();
    assert.deepEqual(await limits.locator("th, td").allInnerTexts(), ["Wed, Jun 17", "hasty", "ratings", "1", "50.0%"]);
    await part(page, "Use by key").getByRole("link", { name: "hasty" }).click();
    await page.waitForURL(/[?&]key=hasty/);
    const used = part(page, "Use of hasty by day and resource").locator("tbody tr").first();
    assert.deepEqual((await used.locator("th, td").allInnerTexts()).slice(0, 3), ["Wed, Jun 17", "ratings", "2"]);
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened, service);
    await opened.close();
  });
});

describe("keys", () => {
  test("a new key is shown once, copied with one press, good at once, and in no other place", async () => {
    const opened = await openOperator("/operator?panel=api&call=Keys");
    const { page } = opened;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "New key" }).click();
    const form = dialogOf(page, "New key");
    await form.getByLabel("Name", { exact: true }).fill("acme");
    await form.getByLabel("Owner").fill("Acme Ltd");
    await form.locator("details.boxes").nth(2).locator("summary").click();
    await form.getByLabel("ratings").check();
    await form.getByLabel("Quota", { exact: true }).fill("1000");
    await form.getByLabel("Quota per").selectOption("month");
    await form.getByText("As an API call").click();
    await form.getByRole("button", { name: "curl" }).click();
    await form
      .getByText('{"name":"acme","owner":"Acme Ltd","resources":["ratings"],"quota":1000,"quota_per":"month"}')
      .waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await form.getByRole("button", { name: "Make the key" }).click();
    const shown = dialogOf(page, "The key acme");
    const key = await shown.getByRole("region", { name: "The key" }).innerText();
    assert.match(key, /^bw_\w{20,}$/);
    assert.deepEqual(await accessibilityFaults(page), []);
    await shown.getByRole("button", { name: "Copy the key" }).click();
    await shown.getByText("Copied").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
    await shown.getByRole("button", { name: "I have it" }).click();
    await keyRow(page, "acme").getByText("1,000 a month").waitFor();
    assert.equal(await statusFor(key), 200);
    await page.getByRole("complementary").getByText("Acme Ltd").waitFor();
    assert.ok(!(await page.content()).includes(key));
    assert.ok(!page.url().includes(key));
    assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes(key));
    assertClean(opened, service);
    await opened.close();
  });

  test("mistakes in terms are told at their fields, and can be mended there", async () => {
    const opened = await openOperator();
    const { page } = opened;
    await page.getByRole("button", { name: "New key" }).click();
    const form = dialogOf(page, "New key");
    await form.getByLabel("Name", { exact: true }).fill("careless");
    await form.getByLabel("History").fill("yesterday");
    await form.getByLabel("Rate").fill("fast");
    await form.getByRole("button", { name: "Make the key" }).click();
    await form.getByText("expected a day as YYYY-MM-DD, or a number of days such as 365d").first().waitFor();
    assert.equal(await form.getByLabel("Rate").getAttribute("aria-invalid"), "true");
    assert.deepEqual(await accessibilityFaults(page), []);
    await form.getByLabel("History").fill("30d");
    await form.getByLabel("Rate").fill("2.5");
    await form.getByRole("button", { name: "Make the key" }).click();
    await shownKey(page, "careless");
    await keyRow(page, "careless").getByText("all; last 30 days").waitFor();
    await keyRow(page, "careless").getByText("2.5/s").waitFor();
    // A name is taken once.
    await page.getByRole("button", { name: "New key" }).click();
    await form.getByLabel("Name", { exact: true }).fill("careless");
    await form.getByRole("button", { name: "Make the key" }).click();
    await form.getByText('A key named "careless" exists').waitFor();
    await form.getByRole("button", { name: "Cancel" }).click();
    await opened.close();
  });

  test("terms are changed, and only those that were", async () => {
    const opened = await openOperator();
    const { page } = opened;
    const key = await makeKey(page, "changing", (form) => form.getByLabel("Owner").fill("Before Inc"));
    await page.getByRole("button", { name: "Change changing" }).click();
    const form = dialogOf(page, "Change changing");
    assert.equal(await form.getByLabel("Owner").inputValue(), "Before Inc");
    await form.getByLabel("Delay minutes").fill("15");
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await form.getByRole("button", { name: "Change the key" }).click();
    assert.deepEqual((await sent).postDataJSON(), { delay_minutes: 15 });
    await keyRow(page, "changing").getByText("15 min late").waitFor();
    assert.equal(await statusFor(key), 200);
    assertClean(opened, service);
    await opened.close();
  });

  test("a key is replaced: the old one stays good for a while; and revoked: both end at once", async () => {
    const opened = await openOperator();
    const { page } = opened;
    const first = await makeKey(page, "desk", async () => {});
    await page.getByRole("button", { name: "Replace desk" }).click();
    const form = dialogOf(page, "Replace desk");
    await form.getByLabel("Hours").fill("2");
    assert.deepEqual(await accessibilityFaults(page), []);
    await form.getByRole("button", { name: "Make the new key" }).click();
    const second = await shownKey(page, "desk");
    assert.notEqual(second, first);
    await keyRow(page, "desk").getByText("retiring, good until 2026-06-18 02:00 UTC").waitFor();
    assert.deepEqual([await statusFor(first), await statusFor(second)], [200, 200]);
    await page.getByRole("button", { name: "Revoke desk" }).click();
    const revoke = dialogOf(page, "Revoke desk");
    assert.deepEqual(await accessibilityFaults(page), []);
    await revoke.getByRole("button", { name: "Revoke the key" }).click();
    await revoke.waitFor({ state: "detached" });
    await keyRow(page, "desk").first().waitFor({ state: "detached" });
    assert.deepEqual([await statusFor(first), await statusFor(second)], [401, 401]);
    await page.getByRole("button", { name: /^\d+ revoked$/ }).click();
    await keyRow(page, "desk").getByText("revoked").first().waitFor();
    assert.match(page.url(), /revoked=1/);
    assertClean(opened, service);
    await opened.close();
  });

  test("by keyboard alone, on a narrow screen", async () => {
    const opened = await openOperator("/calendar/ratings", { viewport: { width: 360, height: 740 } });
    const { page } = opened;
    await page.locator("tbody tr").first().waitFor();
    for (const key of ["g", "o"]) await page.keyboard.press(key);
    await keyRow(page, "operator").waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole("button", { name: "New key" }).press("Enter");
    const form = dialogOf(page, "New key");
    await form.getByLabel("Name", { exact: true }).press("n");
    await page.keyboard.type("arrow");
    await form.getByLabel("Rate").press("7");
    await page.keyboard.press("Enter");
    const shown = dialogOf(page, "The key narrow");
    await shown.getByRole("region", { name: "The key" }).waitFor();
    await page.keyboard.press("Escape");
    await shown.waitFor({ state: "detached" });
    await keyRow(page, "narrow").getByText("7/s").waitFor();
    assertClean(opened, service);
    await opened.close();
  });
});

describe("who may not, and where there is nothing", () => {
  test("a key without the scope is told which one is needed, and another can be given", async () => {
    const opened = await openOperator("/operator", { key: service.key });
    const { page } = opened;
    await page.getByText("This view is for keys with the scope admin").waitFor();
    await page.getByText("Scope missing").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole("button", { name: "Use another key" }).click();
    await dialogOf(page, "API key").getByLabel("Key").fill(admin);
    await page.keyboard.press("Enter");
    await keyRow(page, "operator").waitFor();
    await opened.close();
  });

  test("a server without administration says so", async () => {
    const opened = await open(browser, service, "/calendar/ratings", { key: admin });
    const { page } = opened;
    await page.route("**/admin/**", (route) =>
      route.fulfill({ status: 404, json: { title: "Not found", detail: "Nothing is served at this path." } }),
    );
    await page.goto(`${service.origin}/operator`);
    await page.getByText("This server has no administration API here").waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
    await opened.close();
  });
});
