// Navigation in the day view, in a browser: to other days, to records, and to API requests.
import assert from "node:assert/strict";
import { assertClean, pageTests } from "../support/browser.ts";
import { addFullDay, rowsOf, section } from "../support/full-day.ts";
import { today } from "../support/service.ts";

const test = pageTests({ demo: [] }, async (service) => {
  await addFullDay(service);
});

test("shows counts by day, and navigates by click, key, and date", async ({ open }) => {
  const opened = await open("/");
  const { page } = opened;
  const week = page.getByRole("navigation", { name: "Week" });
  const present = week.getByRole("link", {
    name: "Wed 17 (today): 3 economic releases, 3 earnings reports, 2 ratings, 1 guidance update, 1 dividend announced, 1 call, 1 news item",
  });
  await present.waitFor();
  assert.equal(await present.getAttribute("aria-current"), "date");
  assert.deepEqual(
    (await week.locator("li").allInnerTexts()).map((text) => text.match(/^\w+ \d+/)?.[0]),
    ["Mon 15", "Tue 16", "Wed 17", "Thu 18", "Fri 19", "Sat 20", "Sun 21"],
  );
  await week.getByRole("link", { name: "Tue 16 : 1 economic release, 1 news item" }).click();
  await page.getByRole("heading", { name: "Tuesday, June 16, 2026" }).waitFor();
  await page.waitForURL(({ pathname }) => pathname === "/day/2026-06-16");
  assert.match((await rowsOf(page, "Economic releases"))[0] ?? "", /Yesterday's Release/);
  await page.getByText("No earnings reports.").waitFor();
  await page.keyboard.press("[");
  await page.waitForURL("**/day/2026-06-15");
  await page.keyboard.press("]");
  await page.waitForURL("**/day/2026-06-16");
  await page.keyboard.press("]");
  await page.getByRole("heading", { name: "Today", level: 1 }).waitFor();
  await page.waitForURL(({ pathname }) => pathname === "/");
  await page.getByLabel("Date", { exact: true }).fill("2026-05-01");
  await page.waitForURL("**/day/2026-05-01");
  await page.goBack();
  await page.getByRole("heading", { name: "Today", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Next week" }).click();
  await page.getByRole("heading", { name: "Wednesday, June 24, 2026" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Wednesday, June 24, 2026" }).waitFor();
  assertClean(opened);
});

test("opens a record by key, stores it in the URL, and links to its company and calendar", async ({ open }) => {
  const opened = await open("/");
  const { page } = opened;
  await rowsOf(page, "Economic releases");
  for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key);
  const panel = page.getByRole("complementary", { name: "Retail Sales" });
  await panel.getByText("Release", { exact: true }).waitFor();
  await page.waitForURL(/record=economics:e1/);
  await page.reload();
  await panel.getByText("Release", { exact: true }).waitFor();
  await panel.getByRole("button", { name: "Close panel" }).click();
  await panel.waitFor({ state: "detached" });
  const ticker = page.getByRole("table", { name: "Ratings" }).getByRole("link", { name: "RISE" });
  assert.equal(await ticker.getAttribute("href"), "/ticker/RISE");
  const title = section(page, "Ex-dividend").getByRole("link", { name: "Ex-dividend" });
  assert.equal(await title.getAttribute("href"), `/calendar/dividends?view=agenda&ex_dividend_date=${today}`);
  assertClean(opened);
});

test("shows all its API requests with their responses", async ({ open, service }) => {
  const opened = await open("/?panel=api");
  const { page } = opened;
  const panel = page.getByRole("complementary", { name: "API request" });
  const choice = panel.getByRole("combobox", { name: "Request" });
  await choice.waitFor();
  assert.deepEqual(await choice.locator("option").allInnerTexts(), [
    "Economic releases",
    "Earnings",
    "Ratings",
    "Guidance",
    "Ex-dividend",
    "Calls",
    "News",
    "Counts by day",
  ]);
  await choice.selectOption({ label: "Counts by day" });
  const snippet = panel.getByRole("region", { name: "Request as URL" });
  assert.equal(
    await snippet.innerText(),
    `${service.origin}/api/v2.1/days?parameters%5Bdate_from%5D=2026-06-15&parameters%5Bdate_to%5D=2026-06-28&token=YOUR_KEY`,
  );
  await panel.getByText('"economics": 3').waitFor();
  assert.ok(!(await page.content()).includes(service.key));
});
