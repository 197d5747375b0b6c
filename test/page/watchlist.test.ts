// My tickers in a browser: they filter every view, are in the URL, and can be copied as text.
import assert from "node:assert/strict";
import { accessibilityFaults } from "./accessibility.ts";
import { assertClean, pageTests } from "./support/browser.ts";
import { addFullDay, section } from "./support/full-day.ts";
import { today } from "./support/service.ts";

const test = pageTests({ demo: [] }, async (service) => {
  await addFullDay(service);
  await service.has("ratings", [{ id: "r3", ticker: "THIRD", date: today, action_company: "Upgrades" }]);
});

test("my tickers filter every view and are in the URL, which shows the same to others", async ({ open, service }) => {
  const opened = await open("/ticker/RISE");
  const { page } = opened;
  await page.getByRole("button", { name: "Add to my tickers" }).click();
  await page.getByRole("button", { name: "In my tickers", pressed: true }).waitFor();
  const all = page.getByRole("button", { name: "My tickers", exact: true });
  await all.click();
  await page.getByRole("link", { name: "Ratings" }).click();
  await page.waitForURL(`${service.origin}/calendar/ratings?my=RISE`);
  const rows = page.locator("main tbody tr[data-index]");
  await page.getByText("1 record ·").waitFor();
  assert.match(await rows.innerText(), /RISE/);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Today" }).click();
  await section(page, "Ratings").getByText("RISE").waitFor();
  assert.equal(await section(page, "Ratings").getByText("KEEP").count(), 0);
  assert.equal(await section(page, "Earnings").locator("tbody tr").count(), 0);
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "News" }).click();
  await page.locator(".line").getByText("First of the day").waitFor();
  assert.equal(await page.locator(".line").count(), 1);
  await page.getByRole("link", { name: "Economics" }).click();
  await page.getByText("These records have no tickers").waitFor();
  // Pasted as text, in any form.
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "My tickers" });
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByLabel("Tickers").fill("rise\nTHIRD; rise");
  await dialog.getByRole("button", { name: "Save and show" }).click();
  await page.waitForURL(/[?&]my=RISE,THIRD$/);
  await page.keyboard.press("w");
  await page.waitForURL(({ search }) => !search.includes("my="));
  await page.goto(`${service.origin}/calendar/ratings?my=KEEP,RISE`);
  await page.getByText("Only the tickers in this link: KEEP, RISE.").waitFor();
  await page.getByText("2 records ·").waitFor();
  await page.getByRole("button", { name: "Save as my tickers" }).click();
  await page.getByText("Only my tickers: KEEP, RISE.").waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByText("3 records ·").waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem("bellwire.tickers")), "KEEP,RISE");
  assertClean(opened);
});
