// Sharing and saving a view: its link, downloads, columns, and saved views.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { accessibilityFaults } from "./accessibility.ts";
import { assertClean, pageTests, shownBriefly } from "./support/browser.ts";
import { today } from "./support/service.ts";

const test = pageTests({ demo: [] }, async (service) => {
  // Two pages of the largest size.
  await service.has(
    "ratings",
    Array.from({ length: 1002 }, (_, at) => ({
      ...{ id: `r${at}`, ticker: at < 2 ? "NEAR" : "FAR", date: at < 2 ? today : "2026-05-01", importance: 3 },
    })),
  );
  await service.has("economics", [
    { id: "e1", date: today, time: "08:30:00", event_name: "CPI", country: "USA", importance: 3 },
  ]);
});

const dialogName = { name: "Share and save" };

test("copies the link, and downloads all records of the view in every format of its list", async ({
  open,
  service,
}) => {
  const opened = await open("/calendar/ratings?importance=2", { permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = opened;
  await page.getByText("NEAR").first().waitFor();
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", dialogName);
  await shownBriefly(page, "Copied", () => dialog.getByRole("button", { name: "Copy link" }).click());
  assert.equal(
    await page.evaluate(() => navigator.clipboard.readText()),
    `${service.origin}/calendar/ratings?importance=2`,
  );
  const saved = async (label: string): Promise<string> => {
    const downloaded = page.waitForEvent("download");
    await dialog.getByRole("button", { name: label, exact: true }).click();
    const file = await downloaded;
    assert.equal(file.suggestedFilename(), `ratings.${label.toLowerCase()}`);
    return readFileSync(await file.path(), "utf8");
  };
  const csv = (await saved("CSV")).trimEnd().split(/\r?\n/);
  assert.equal(csv.length, 1003);
  assert.equal(csv.filter((line) => line.includes("ticker")).length, 1, "the header is repeated");
  const ndjson = (await saved("NDJSON")).trimEnd().split("\n");
  assert.equal(new Set(ndjson.map((line) => JSON.parse(line).id)).size, 1002);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.deepEqual(await accessibilityFaults(page), []);
  assertClean(opened);
});

test("offers each list of a view with several, such as calendar events of a day", async ({ open }) => {
  const opened = await open("/");
  const { page } = opened;
  await page.getByText("CPI").first().waitFor();
  await page.keyboard.press("s");
  const downloaded = page.waitForEvent("download");
  await page.getByRole("button", { name: "Economic releases as iCalendar" }).click();
  const file = await downloaded;
  assert.equal(file.suggestedFilename(), "economics.ics");
  assert.match(readFileSync(await file.path(), "utf8"), /BEGIN:VEVENT[\s\S]*CPI/);
  assertClean(opened);
});

test("creates a private URL for programs that must not hold a key, if the key may", async ({ open, service }) => {
  const key = await service.makeKey("linker", ["read", "links"]);
  const opened = await open("/calendar/ratings?tickers=NEAR", { key });
  const { page } = opened;
  await page.getByText("NEAR").first().waitFor();
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", dialogName);
  await dialog.getByRole("button", { name: "Create private URL: iCalendar" }).click();
  const url = await dialog.getByRole("region", { name: "Private URL, shown only now" }).innerText();
  const response = await fetch(url);
  assert.match(String(response.headers.get("content-type")), /^text\/calendar/);
  const text = await response.text();
  assert.equal(text.match(/BEGIN:VEVENT/g)?.length, 2);
  assert.deepEqual(await accessibilityFaults(page), []);
  assertClean(opened);
  await opened.close();
  // An operator's key is not for reading: it creates URLs for others.
  const operator = await open("/calendar/ratings", { key: await service.makeKey("op", ["read", "admin"]) });
  await operator.page.getByText("NEAR").first().waitFor();
  await operator.page.getByRole("button", { name: "Share" }).click();
  await operator.page.getByRole("button", { name: "Create private URL: CSV" }).click();
  await operator.page.getByLabel("Name of the key to read with").fill("linker");
  await operator.page.getByRole("button", { name: "Create private URL: CSV" }).click();
  await operator.page.getByRole("region", { name: "Private URL, shown only now" }).waitFor();
  await operator.close();
  const refused = await open("/calendar/ratings");
  await refused.page.getByText("NEAR").first().waitFor();
  await refused.page.getByRole("button", { name: "Share" }).click();
  await refused.page.getByRole("button", { name: "Create private URL: CSV" }).click();
  await refused.page.getByText("This key can’t create private URLs.").waitFor();
});

test("saves views under a name in this browser", async ({ open, service }) => {
  const opened = await open("/calendar/ratings?tickers=NEAR");
  const { page } = opened;
  await page.getByText("NEAR").first().waitFor();
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", dialogName);
  await dialog.getByLabel("Name of this view").fill("Only near");
  await dialog.getByRole("button", { name: "Save this view" }).click();
  await dialog.getByRole("link", { name: "Only near" }).waitFor();
  await page.goto(`${service.origin}/news`);
  await page.getByRole("heading", { level: 1, name: "News" }).waitFor();
  await page.keyboard.press("s");
  await dialog.getByRole("link", { name: "Only near" }).click();
  await page.waitForURL(`${service.origin}/calendar/ratings?tickers=NEAR`);
  await dialog.waitFor({ state: "detached" });
  await page.getByText("NEAR").first().waitFor();
  await page.getByRole("button", { name: "Share" }).click();
  await dialog.getByRole("button", { name: "Remove Only near" }).click();
  await dialog.getByRole("link", { name: "Only near" }).waitFor({ state: "detached" });
  assertClean(opened);
});

test("columns are chosen in a dialog, and are in the URL", async ({ open }) => {
  const opened = await open("/calendar/ratings?tickers=NEAR");
  const { page } = opened;
  const header = (name: string) => page.getByRole("columnheader", { name, exact: true });
  await header("Firm").waitFor();
  await page.getByRole("button", { name: "Columns" }).click();
  const dialog = page.getByRole("dialog", { name: "Columns" });
  await dialog.getByLabel("Firm", { exact: true }).uncheck();
  await dialog.getByLabel("ISIN").check();
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByRole("button", { name: "Done" }).click();
  await header("ISIN").waitFor();
  assert.equal(await header("Firm").count(), 0);
  const columns = new URL(page.url()).searchParams.get("columns")?.split(",") ?? [];
  assert.ok(columns.includes("isin") && !columns.includes("analyst"), columns.join());
  await page.reload();
  await header("ISIN").waitFor();
  await page.getByRole("button", { name: "Columns" }).click();
  await dialog.getByRole("button", { name: "All", exact: true }).click();
  await page.waitForURL(/columns=all/);
  await dialog.getByRole("button", { name: "Default" }).click();
  await page.waitForURL(({ search }) => !search.includes("columns"));
  assertClean(opened);
});
