// Ticker view with little data in a browser: empty states, and failures of single sections.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { accessibilityFaults } from "../accessibility.ts";
import { addAcme } from "../support/acme.ts";
import { assertClean, pageTests, region } from "../support/browser.ts";
import { today } from "../support/service.ts";

const test = pageTests({ demo: [] }, async (service) => {
  await addAcme(service);
});

describe("the ticker view with little data", () => {
  test("reports an unknown symbol, and shows the API requests", async ({ open }) => {
    const opened = await open("/ticker/NOSUCH?panel=api");
    const { page } = opened;
    await page.getByText("No data for NOSUCH").waitFor();
    await page.getByText("parameters%5Btickers%5D=NOSUCH").first().waitFor();
    assert.equal(await page.locator(".target-chart").count(), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened);
  });

  test("shows empty states for a company with news only, and loads no chart", async ({ open }) => {
    const opened = await open("/ticker/OTHER");
    const { page } = opened;
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.getByRole("link", { name: "Of another company" }).waitFor();
    for (const none of ["No ratings.", "No earnings.", "No dividends.", "No guidance."])
      await page.getByText(none).waitFor();
    assert.deepEqual(
      requests.filter((url) => url.includes("chart")),
      [],
    );
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened);
  });

  test("shows ratings without targets as a table without a chart", async ({ open, service }) => {
    await service.has("ratings", [{ id: "p1", ticker: "PLAIN", date: today, analyst: "Firm", rating_current: "Hold" }]);
    const opened = await open("/ticker/PLAIN");
    const { page } = opened;
    await page.getByText("No current price targets.").waitFor();
    await page.getByRole("button", { name: "Firm", exact: true }).waitFor();
    assert.equal(await page.locator(".target-chart").count(), 0);
    assertClean(opened);
  });

  test("requires a single symbol", async ({ open }) => {
    const opened = await open("/ticker/ACME,OTHER");
    const { page } = opened;
    await page.getByText("Enter a single ticker symbol").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByLabel("Ticker symbol").fill(" acme ");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/ticker\/ACME$/);
    await page.getByText("mean target 95.00").waitFor();
    assertClean(opened);
  });

  test("shows the other sections if one fails", async ({ open, service }) => {
    const opened = await open("/news");
    const { page } = opened;
    await page.route("**/calendar/dividends*", (route) =>
      route.fulfill({
        status: 500,
        headers: { "content-type": "application/problem+json" },
        body: JSON.stringify({ title: "Internal error", detail: "It is logged." }),
      }),
    );
    await page.goto(`${service.origin}/ticker/ACME`);
    await region(page, "Dividends").getByText("Internal error").waitFor();
    await page.getByText("mean target 95.00").waitFor();
    await page.unroute("**/calendar/dividends*");
    await region(page, "Dividends").getByRole("button", { name: "Retry" }).click();
    await region(page, "Dividends").getByText("0.55 USD").waitFor();
  });
});
