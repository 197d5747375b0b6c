// The page on a phone, 390 pixels wide: cards with the values that matter, touch targets, and the current tab.
import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Page } from "playwright-core";
import { catalog } from "../../../src/resources/catalog.ts";
import { accessibilityFaults, contrastFaults } from "../accessibility.ts";
import { assertClean, pageTests, turnDark } from "../support/browser.ts";
import { daysOf, few, filled } from "../support/calendar.ts";
import { layoutShift } from "../support/layout-shift.ts";

const test = pageTests({ days: 30 });

const phone = { viewport: { width: 390, height: 844 } };

/** What is cut off: values, and whatever is wider than the screen. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const clipped = [...document.querySelectorAll<HTMLElement>(".card-values, .card-value, .card-when")].filter(
      (each) => each.scrollWidth > each.clientWidth,
    );
    const wide = document.documentElement.scrollWidth > window.innerWidth ? ["the page"] : [];
    return [...clipped.map((each) => each.innerText), ...wide];
  });

/** Buttons, links, and fields that are smaller than 24 pixels; links within a sentence may be. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("a, button, input, select, summary")].flatMap((each) => {
      const { width, height, right, left } = each.getBoundingClientRect();
      const isSeen = each.checkVisibility({ opacityProperty: true }) && width > 1 && right > 0 && left < innerWidth;
      const isInText = each.matches("p a, li a:not(nav a), dd a, .frame-about a");
      return isSeen && !isInText && (height < 24 || width < 24)
        ? [`${each.outerHTML.slice(0, 120)}: ${width.toFixed(1)} × ${height.toFixed(1)}`]
        : [];
    }),
  );

const labels: Readonly<Record<string, readonly string[]>> = {
  economics: ["Actual", "Consensus", "Prior"],
  ratings: ["Rating", "Target"],
  earnings: ["EPS", "EPS est.", "Revenue", "Rev. est."],
};

describe("on a phone, a calendar", () => {
  for (const { name } of catalog.filter(({ display }) => display?.card !== undefined)) {
    test(`${name}: shows cards with all their values, and nothing is cut off`, async ({ open }) => {
      const opened = await open(`/calendar/${few(name)}`, phone);
      const { page } = opened;
      await filled(page);
      const first = page.locator("tr[data-index='0']");
      const shown = await first.locator(".card-label").allInnerTexts();
      assert.ok(shown.length > 1);
      for (const label of labels[name] ?? []) assert.ok(shown.includes(label), `${label} isn’t in ${shown}`);
      assert.deepEqual(await cutOff(page), []);
      assert.deepEqual(await smallTargets(page), []);
      assert.deepEqual(await accessibilityFaults(page), []);
      const tab = page.getByRole("navigation", { name: "Views" }).locator("[aria-current]");
      const { x = -1, width = 0 } = (await tab.boundingBox()) ?? {};
      assert.ok(x >= 0 && x + width <= 390, `the current tab is at ${x}`);
      assertClean(opened);
    });
  }

  test("shows the country, the time, and the values of a release", async ({ open, service }) => {
    await service.has("economics", [
      {
        ...{ id: "phone", date: daysOf("economics").to, time: "23:58:00", country: "Netherlands", importance: 2 },
        ...{ event_name: "Gasoline and Distillate Inventories, Weekly, Seasonally Adjusted", event_period: "Jun 19" },
        ...{ actual_t: "-2.088M", consensus_t: "-1.107M", prior_t: "-2.512M" },
      },
    ]);
    const opened = await open(`/calendar/${few("economics")}`, phone);
    const { page } = opened;
    const card = page.locator("tr", { hasText: "Gasoline and Distillate" });
    const text = (await card.innerText()).replace(/\s+/g, " ");
    for (const part of ["Netherlands", "23:58", "Actual −2.088M", "Consensus −1.107M", "Prior −2.512M"])
      assert.ok(text.includes(part), text);
    assert.deepEqual(await cutOff(page), []);
    const name = card.locator(".card-title span").first();
    const isEllipsis = await name.evaluate(
      (element) => getComputedStyle(element).textOverflow === "ellipsis" && element.scrollWidth > element.clientWidth,
    );
    assert.ok(isEllipsis, "a long name must end in an ellipsis");
    await card.click();
    await page.getByRole("complementary", { name: /^Gasoline/ }).waitFor();
    assert.deepEqual(await smallTargets(page), []);
  });
});

test("on a phone, every view fits, with touch targets of at least 24 pixels, in light and dark", async ({ open }) => {
  const opened = await open("/page.json", phone);
  const { page, origin } = opened;
  // A hidden page has no stream, so that the network becomes idle.
  await page.addInitScript(() => Object.defineProperty(document, "hidden", { value: true }));
  for (const path of ["/", "/news", "/ticker/DELL", "/calendar/earnings?view=month"]) {
    await page.goto(`${origin}${path}`);
    await page.locator("main tbody tr, main .line").first().waitFor();
    await page.waitForLoadState("networkidle");
    const shift = await layoutShift(page);
    assert.ok(shift < 0.1, `${path} moves while it loads: ${shift}`);
    assert.deepEqual(await cutOff(page), [], path);
    assert.deepEqual(await smallTargets(page), [], path);
    assert.deepEqual(await accessibilityFaults(page), [], path);
    if (path !== "/") continue;
    await turnDark(page);
    assert.deepEqual(await contrastFaults(page), []);
    await page.emulateMedia({ colorScheme: "light" });
  }
  assertClean(opened);
});

test("on a phone, the day stays at the top of the agenda while it scrolls", async ({ open }) => {
  const { page } = await open("/calendar/economics?view=agenda&date_from=2026-06-15&date_to=2026-06-21", phone);
  await filled(page);
  const list = page.locator(".table-scroll");
  await list.evaluate((element) => {
    element.scrollTop = 400;
  });
  const day = page.locator(".band.sticks").first();
  assert.match(await day.innerText(), /^Monday, June 15/);
  const top = await list.evaluate((element) => element.getBoundingClientRect().top + element.clientTop);
  await page.waitForFunction(
    (at) => Math.abs((document.querySelector(".band.sticks")?.getBoundingClientRect().top ?? 0) - at) < 1,
    top,
  );
});

/** Where an element isn't hidden by others, or outside the screen: whether its corners are its own. */
const isInFront = (page: Page, selector: string): Promise<boolean> =>
  page.locator(selector).evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return [
      [left + 8, top + 8],
      [right - 8, bottom - 8],
    ].every(([x = 0, y = 0]) => element.contains(document.elementFromPoint(x, y)));
  });

test("on a phone, options and search results are completely visible", async ({ open }) => {
  const { page } = await open(`/calendar/${few("economics")}`, phone);
  await filled(page);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("combobox", { name: "Country" }).click();
  await page.getByRole("listbox", { name: "Country" }).getByRole("option", { name: "Australia" }).waitFor();
  assert.ok(await isInFront(page, "#filter-country-list"), "the countries are cut off");
  await page.getByRole("combobox", { name: "Search companies and news" }).fill("Hewlett");
  const results = page.locator("#search-list");
  await results.getByText("Search news").waitFor();
  const { x = -1, width = 999 } = (await results.boundingBox()) ?? {};
  assert.ok(x >= 0 && x + width <= 390, `the results are at ${x}, ${width} wide`);
  assert.deepEqual(await cutOff(page), []);
});

test("on a phone, the page of a company shows the values of its records", async ({ open }) => {
  const { page } = await open("/ticker/DELL", phone);
  const labels = async (name: RegExp) => {
    const row = page.getByRole("region", { name }).locator("tr[data-index='0']");
    await row.waitFor();
    return (await row.locator(".card-label").allInnerTexts()).join();
  };
  assert.equal(await labels(/^Ratings and targets by firm/), "Rating,Target,Last change");
  assert.equal(await labels(/^Ratings and price targets/), "Rating,Target");
  assert.equal(await labels(/^Earnings of DELL/), "EPS,EPS est.,Surprise,Revenue");
  assert.equal(await labels(/^Dividends of DELL/), "Amount,Ex-date,Payable");
  assert.equal(await labels(/^Guidance and results/), "Guidance,Estimate,Result");
  assert.deepEqual(await cutOff(page), []);
});
