// Week of earnings: companies by name, under the session in which they report.
import assert from "node:assert/strict";
import { pageTests } from "../support/browser.ts";
import { today } from "../support/service.ts";

const test = pageTests({ demo: [] }, async (service) => {
  const report = (id: string, ticker: string, time: string) => ({
    id,
    ticker,
    name: `${ticker} Inc.`,
    date: today,
    time,
  });
  await service.has("earnings", [report("1", "AFTR", "amc"), report("2", "EARL", "bmo"), report("3", "ALSO", "bmo")]);
});

test("the week lists companies by session, with their names", async ({ open }) => {
  const { page } = await open(`/calendar/earnings?view=week&date_from=${today}`);
  const lines = page.locator("td.today li");
  await lines.first().waitFor();
  assert.deepEqual(
    (await lines.allInnerTexts()).map((text) => text.trim()),
    ["Before open", "ALSO ALSO Inc.", "EARL EARL Inc.", "After close", "AFTR AFTR Inc."],
  );
});

test("the month has their names, too", async ({ open }) => {
  const { page } = await open(`/calendar/earnings?view=month&date_from=${today}`);
  await page.locator("td.today li").first().waitFor();
  assert.equal(await page.locator("td.today li").count(), 3);
  await page.locator("td.today").getByText("EARL Inc.").waitFor();
});

test("j and k move between the records while one is open, also to one that has no name in the grid", async ({
  open,
}) => {
  const { page } = await open(`/calendar/earnings?view=month&date_from=${today}`);
  const panel = (ticker: string) => page.getByRole("complementary", { name: new RegExp(`^${ticker} `) });
  await page.getByRole("button", { name: "EARL EARL Inc." }).click();
  await panel("EARL").waitFor();
  await page.keyboard.press("j");
  await panel("AFTR").waitFor();
  // The last one.
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await panel("EARL").waitFor();
  await page.keyboard.press("k");
  await panel("ALSO").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("complementary").waitFor({ state: "detached" });
  assert.ok(!page.url().includes("record="), page.url());
});

test("a session starts with a capital letter in the table, too", async ({ open }) => {
  const { page } = await open(`/calendar/earnings?view=agenda&date_from=${today}&date_to=${today}`);
  await page.getByRole("cell", { name: "After close", exact: true }).waitFor();
  assert.equal(await page.getByRole("cell", { name: "Before open", exact: true }).count(), 2);
});

test("the row of a week isn't highlighted under the pointer", async ({ open }) => {
  const { page } = await open(`/calendar/earnings?view=month&date_from=${today}`);
  const cell = page.locator("td.today");
  await cell.locator("li").first().waitFor();
  const color = () => cell.evaluate((element) => getComputedStyle(element).backgroundColor);
  const before = await color();
  await cell.hover();
  assert.equal(await color(), before);
});
