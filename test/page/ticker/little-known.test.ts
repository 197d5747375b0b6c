// A company of which little is known, in a real browser: what is missing is said, and what fails leaves the rest.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { accessibilityFaults } from "../accessibility.ts";
import { addAcme } from "../support/acme.ts";
import { assertClean, pageTests, part } from "../support/browser.ts";
import { today } from "../support/service.ts";

const test = pageTests({ demo: [] }, async (service) => {
  await addAcme(service);
});

describe("a company of which little is known", () => {
  test("nothing at all: that is said, and what was asked can still be seen", async ({ open }) => {
    const opened = await open("/ticker/NOSUCH?panel=api");
    const { page } = opened;
    await page.getByText("Nothing is known of NOSUCH here").waitFor();
    await page.getByText("parameters[tickers]=NOSUCH").first().waitFor();
    assert.equal(await page.locator(".target-chart").count(), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened);
  });

  test("news alone: the other parts say that they are empty, and no chart is loaded", async ({ open }) => {
    const opened = await open("/ticker/OTHER");
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
    assertClean(opened);
  });

  test("ratings without a target: a table without a picture", async ({ open, service }) => {
    await service.has("ratings", [{ id: "p1", ticker: "PLAIN", date: today, analyst: "Firm", rating_current: "Hold" }]);
    const opened = await open("/ticker/PLAIN");
    const { page } = opened;
    await page.getByText("No price target stands.").waitFor();
    await page.getByRole("button", { name: "Firm", exact: true }).waitFor();
    assert.equal(await page.locator(".target-chart").count(), 0);
    assertClean(opened);
  });

  test("no symbol, or several: one is asked for", async ({ open }) => {
    const opened = await open("/ticker/ACME,OTHER");
    const { page } = opened;
    await page.getByText("is not one ticker symbol").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByLabel("Ticker symbol").fill(" acme ");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/ticker\/ACME$/);
    await page.getByText("mean target 95.00").waitFor();
    assertClean(opened);
  });

  test("one list that fails leaves the others", async ({ open, service }) => {
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
    await part(page, "Dividends").getByText("Internal error").waitFor();
    await page.getByText("mean target 95.00").waitFor();
    await page.unroute("**/calendar/dividends*");
    await part(page, "Dividends").getByRole("button", { name: "Try again" }).click();
    await part(page, "Dividends").getByText("0.55 USD").waitFor();
  });
});
