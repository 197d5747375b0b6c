// API keys in the operator view, in a browser with the real admin API: create, edit, rotate, revoke.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { accessibilityFaults } from "../accessibility.ts";
import {
  assertClean,
  type Opened,
  type OpenOptions,
  pageTests,
  pressSequence,
  type Site,
  shownBriefly,
} from "../support/browser.ts";
import { dialogOf, keyRow, makeKey, shownKey, statusOf } from "../support/operator.ts";

let admin: string;

const test = pageTests({ demo: ["ratings"], days: 8 }, async (service) => {
  admin = await service.makeKey("operator", ["admin", "read"]);
});

const openOperator = ({ open }: Site, path = "/operator", options: OpenOptions = {}): Promise<Opened> =>
  open(path, { key: admin, ...options });

describe("API keys", () => {
  test("a new key is shown once, can be copied, is valid immediately, and isn't stored by the page", async (site) => {
    const opened = await openOperator(site, "/operator?panel=api&call=Keys", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = opened;
    await page.getByRole("button", { name: "New key" }).click();
    const form = dialogOf(page, "New API key");
    await form.getByLabel("Name", { exact: true }).fill("acme");
    await form.getByLabel("Owner").fill("Acme Ltd");
    await form.locator("details.boxes").nth(2).locator("summary").click();
    await form.getByLabel("ratings").check();
    await form.getByLabel("Quota", { exact: true }).fill("1000");
    await form.getByLabel("Quota per").selectOption("month");
    await form.getByText("API request").click();
    await form.getByRole("button", { name: "curl" }).click();
    await form
      .getByText('{"name":"acme","owner":"Acme Ltd","resources":["ratings"],"quota":1000,"quota_per":"month"}')
      .waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await form.getByRole("button", { name: "Create key" }).click();
    const shown = dialogOf(page, "API key acme");
    const key = await shown.getByRole("region", { name: "API key" }).innerText();
    assert.match(key, /^bw_\w{20,}$/);
    assert.deepEqual(await accessibilityFaults(page), []);
    await shownBriefly(page, "Copied", () => shown.getByRole("button", { name: "Copy key" }).click());
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
    await shown.getByRole("button", { name: "Done" }).click();
    await keyRow(page, "acme").getByText("1,000 per month").waitFor();
    assert.equal(await statusOf(site.service, key), 200);
    await page.getByRole("complementary").getByText("Acme Ltd").waitFor();
    assert.ok(!(await page.content()).includes(key));
    assert.ok(!page.url().includes(key));
    assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes(key));
    assertClean(opened);
  });

  test("invalid terms are reported next to their fields, and can be corrected", async (site) => {
    const opened = await openOperator(site);
    const { page } = opened;
    await page.getByRole("button", { name: "New key" }).click();
    const form = dialogOf(page, "New API key");
    await form.getByLabel("Name", { exact: true }).fill("careless");
    await form.getByLabel("History").fill("yesterday");
    await form.getByLabel("Rate").fill("fast");
    await form.getByRole("button", { name: "Create key" }).click();
    await form.getByText("expected a day as YYYY-MM-DD, or a number of days such as 365d").first().waitFor();
    assert.equal(await form.getByLabel("Rate").getAttribute("aria-invalid"), "true");
    assert.deepEqual(await accessibilityFaults(page), []);
    await form.getByLabel("History").fill("30d");
    await form.getByLabel("Rate").fill("150/m");
    await form.getByRole("button", { name: "Create key" }).click();
    await shownKey(page, "careless");
    await keyRow(page, "careless").getByText("all; last 30 days").waitFor();
    await keyRow(page, "careless").getByText("2.5/s").waitFor();
    // Names are unique.
    await page.getByRole("button", { name: "New key" }).click();
    await form.getByLabel("Name", { exact: true }).fill("careless");
    await form.getByRole("button", { name: "Create key" }).click();
    await form.getByText('A key named "careless" exists').waitFor();
    await form.getByRole("button", { name: "Cancel" }).click();
  });

  test("editing a key sends only changed terms", async (site) => {
    const opened = await openOperator(site);
    const { page } = opened;
    const key = await makeKey(page, "changing", (form) => form.getByLabel("Owner").fill("Before Inc"));
    await page.getByRole("button", { name: "Edit changing" }).click();
    const form = dialogOf(page, "Edit changing");
    assert.equal(await form.getByLabel("Owner").inputValue(), "Before Inc");
    await form.getByLabel("Delay in minutes").fill("15");
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await form.getByRole("button", { name: "Save changes" }).click();
    assert.deepEqual((await sent).postDataJSON(), { delay_minutes: 15 });
    await keyRow(page, "changing").getByText("15 min delay").waitFor();
    assert.equal(await statusOf(site.service, key), 200);
    assertClean(opened);
  });

  test("a rotated key remains valid for a grace period; revoking ends both keys immediately", async (site) => {
    const opened = await openOperator(site);
    const { page } = opened;
    const first = await makeKey(page, "desk", async () => {});
    await page.getByRole("button", { name: "Rotate desk" }).click();
    const form = dialogOf(page, "Rotate desk");
    await form.getByLabel("Grace period in hours").fill("2");
    assert.deepEqual(await accessibilityFaults(page), []);
    await form.getByRole("button", { name: "Rotate key" }).click();
    const second = await shownKey(page, "desk");
    assert.notEqual(second, first);
    await keyRow(page, "desk").getByText("retiring, valid until Jun 17, 2026, 22:00 EDT").waitFor();
    assert.deepEqual([await statusOf(site.service, first), await statusOf(site.service, second)], [200, 200]);
    await page.getByRole("button", { name: "Revoke desk" }).click();
    const revoke = dialogOf(page, "Revoke desk");
    assert.deepEqual(await accessibilityFaults(page), []);
    await revoke.getByRole("button", { name: "Revoke key" }).click();
    await revoke.waitFor({ state: "detached" });
    await keyRow(page, "desk").first().waitFor({ state: "detached" });
    assert.deepEqual([await statusOf(site.service, first), await statusOf(site.service, second)], [401, 401]);
    await page.getByRole("button", { name: /^\d+ revoked$/ }).click();
    await keyRow(page, "desk").getByText("revoked").first().waitFor();
    await page.waitForURL(/revoked=1/);
    assertClean(opened);
  });

  test("can be created by keyboard on a narrow screen", async (site) => {
    const opened = await openOperator(site, "/calendar/ratings", { viewport: { width: 360, height: 740 } });
    const { page } = opened;
    await page.locator("tbody tr").first().waitFor();
    await pressSequence(page, "g", "o");
    await keyRow(page, "operator").waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole("button", { name: "New key" }).press("Enter");
    const form = dialogOf(page, "New API key");
    await form.getByLabel("Name", { exact: true }).press("n");
    await page.keyboard.type("arrow");
    await form.getByLabel("Rate").press("7");
    await page.keyboard.press("Enter");
    const shown = dialogOf(page, "API key narrow");
    await shown.getByRole("region", { name: "API key" }).waitFor();
    await shown.getByRole("button", { name: "Done" }).press("Enter");
    await shown.waitFor({ state: "detached" });
    await keyRow(page, "narrow").getByText("7/s").waitFor();
    assertClean(opened);
  });
});
