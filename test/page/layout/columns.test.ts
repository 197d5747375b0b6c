// Columns of calendars: the least important ones are left out where not all fit, so that no table is cut off.
import assert from "node:assert/strict";
import { describe, test as plainTest } from "node:test";
import type { Page } from "playwright-core";
import { catalog } from "../../../src/resources/catalog.ts";
import { fitting } from "../../../web/parts/table/fitting-columns.ts";
import { pageTests } from "../support/browser.ts";
import { few, openCalendar } from "../support/calendar.ts";

const test = pageTests({ days: 7 });

const headsOf = async (page: Page): Promise<string[]> =>
  (await page.locator("thead th:not(.opener)").allInnerTexts()).map((text) => text.replace(/\s*[↕▲▼]/, "").trim());

/** How far a table could be scrolled sideways, and its headings that are cut off. */
const cutOff = (page: Page): Promise<readonly [number, string[]]> =>
  page.evaluate(() => {
    const scroller = document.querySelector(".table-scroll") as HTMLElement;
    const heads = [...scroller.querySelectorAll<HTMLElement>("thead th")].filter(
      (head) => head.scrollWidth > head.clientWidth,
    );
    return [scroller.scrollWidth - scroller.clientWidth, heads.map((head) => head.innerText)] as const;
  });

/** Waits until no column is beyond the edge: it measures itself after the window. */
const fits = (page: Page) =>
  page.waitForFunction(() => {
    const list = document.querySelector(".table-scroll");
    return list !== null && list.scrollWidth <= list.clientWidth;
  });

plainTest("leaves out the least important columns first, and no more than necessary", () => {
  const column = (name: string) => ({ name, label: name, width: 10, show: () => "" });
  const columns = ["a", "b", "c", "d"].map(column);
  const namesAt = (width: number) =>
    fitting(columns, ["c", "a"], { width, character: 10 }, ({ width: own = 0 }) => own).map(({ name }) => name);
  assert.deepEqual(
    [520, 519, 400, 399, 100].map((width) => namesAt(width).join("")),
    ["abcd", "abd", "abd", "bd", "bd"],
  );
});

describe("from 861 pixels up, and from 1280 with a panel next to it,", () => {
  for (const { name } of catalog.filter(({ path }) => path.includes("/calendar/"))) {
    test(`nothing of ${name} is cut off`, async (site) => {
      const opened = await openCalendar(site, few(name), { viewport: { width: 1024, height: 768 } });
      const { page } = opened;
      assert.deepEqual(await cutOff(page), [0, []]);
      await page.locator(".opener button").first().click();
      await page.locator(".panel dl.record").waitFor();
      assert.equal((await cutOff(page))[0], 0);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.locator("thead").first().waitFor();
      await fits(page);
      await page.keyboard.press("Escape");
      await page.locator(".panel").waitFor({ state: "detached" });
      await page.setViewportSize({ width: 861, height: 800 });
      await fits(page);
      assert.equal(await page.locator(".cards").count(), 0);
    });
  }
});

test("chosen columns are all shown", async (site) => {
  const narrow = { viewport: { width: 1024, height: 768 } };
  const { page } = await openCalendar(site, few("ratings"), narrow);
  assert.ok(!(await headsOf(page)).includes("Analyst"));
  await page.setViewportSize({ width: 1900, height: 800 });
  await page.getByRole("columnheader", { name: "Analyst" }).waitFor();
  const chosen = await openCalendar(site, `${few("ratings")}&columns=all`, narrow);
  assert.ok((await headsOf(chosen.page)).includes("Analyst"));
});

test("a release is named by its row header, after its time and country", async (site) => {
  const { page } = await openCalendar(site, `${few("economics")}&view=agenda`);
  assert.deepEqual((await headsOf(page)).slice(0, 4), ["Time", "Country", "Imp.", "Release"]);
  const row = page.locator("tr[data-index='0']");
  assert.equal(await row.getByRole("rowheader").innerText(), await row.locator(":scope > *").nth(3).innerText());
});

test("a time on the next day is shown in full", async (site) => {
  const { page } = await openCalendar(site, `${few("economics")}&view=agenda&tz=Asia/Tokyo`);
  const later = page.locator("tbody tr[data-index] > :first-child", { hasText: "+1" }).first();
  await later.waitFor();
  assert.ok(await later.evaluate((cell) => cell.scrollWidth <= cell.clientWidth));
});

test("nothing of a company is cut off, and neither are the names of the firms at 1440 pixels", async ({ open }) => {
  const { page } = await open("/ticker/DELL");
  await page.getByRole("region", { name: "Guidance and results of DELL, newest first" }).waitFor();
  await page.locator("button.firm").first().waitFor();
  for (const width of [1440, 1280, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction(() =>
      [...document.querySelectorAll(".company .table-scroll")].every((each) => each.scrollWidth <= each.clientWidth),
    );
    if (width !== 1440) continue;
    const firms = await page
      .locator("button.firm")
      .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent));
    assert.deepEqual(firms, []);
  }
});

test("at 1024 pixels, the selected row stays visible when a panel turns the rows into cards", async (site) => {
  const opened = await openCalendar(site, "economics?view=agenda&date_from=2026-06-15&date_to=2026-06-21", {
    viewport: { width: 1024, height: 768 },
  });
  const { page } = opened;
  await page.locator("tr[data-index='12'] .opener button").click();
  await page.locator(".cards tr.open").waitFor();
  const isSeen = await page.locator(".cards tr.open").evaluate((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    const list = row.closest(".table-scroll")?.getBoundingClientRect();
    return list !== undefined && top >= list.top && bottom <= Math.min(list.bottom, innerHeight) + 1;
  });
  assert.ok(isSeen);
});
