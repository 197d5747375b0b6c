// Calendar view in a browser: records, filters, and sorting.
import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Page } from "playwright-core";
import { accessibilityFaults } from "../accessibility.ts";
import { assertClean, pageTests } from "../support/browser.ts";
import { daysOf, few, filled, openCalendar } from "../support/calendar.ts";

const names = ["ratings", "dividends", "guidance", "earnings", "economics", "conference-calls"] as const;

const test = pageTests({ demo: names, days: 30, describe: withNewRule });

type Parameter = { name: string; in: string; schema: { type: string; enum?: string[] }; description: string };
type Document = { paths: Record<string, { get: { parameters: Parameter[] } }> };

/** Adds a rule that isn't in the page's source. */
function withNewRule(document: object): object {
  const changed = structuredClone(document) as Document;
  changed.paths["/api/v2.1/calendar/conference-calls"]?.get.parameters.push({
    name: "parameters[spoken_language]",
    in: "query",
    schema: { type: "string", enum: ["English", "French"] },
    description: "Language of the call.",
  });
  return changed;
}

const pathOf = async (origin: string, name: string): Promise<[string, Parameter[]]> => {
  const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as Document;
  const [path = "", item] = Object.entries(paths).find(([each]) => each.endsWith(`/calendar/${name}`)) ?? [];
  return [path, item?.get.parameters.filter((each) => each.in === "query") ?? []];
};

const unfold = (page: Page) => page.getByRole("button", { name: /more filters?/ }).click();

/** Waits for a request for the first page of a list: that one, since an earlier one may still be on its way. */
const requestAfter = async (page: Page, act: () => Promise<unknown>, expected: RegExp): Promise<string> => {
  const textOf = (url: string): string => {
    const { pathname, search } = new URL(url);
    return decodeURIComponent(`${pathname}${search}`).replaceAll("+", " ");
  };
  const isFirstPage = (url: string): boolean =>
    /\/api\/v[\d.]+\/calendar\/[a-z-]+\?/.test(url) && !url.includes("cursor=");
  const [request] = await Promise.all([
    page.waitForRequest((each) => isFirstPage(each.url()) && expected.test(textOf(each.url()))),
    act(),
  ]);
  return textOf(request.url());
};

describe("every calendar", () => {
  for (const name of names) {
    test(`${name}: shows the records of the API, with a labeled control for each filter`, async (site) => {
      const { service } = site;
      const opened = await openCalendar(site, few(name));
      const { page } = opened;
      const [path, parameters] = await pathOf(service.origin, name);
      const { from, to } = daysOf(name);
      const response = await fetch(`${service.origin}${path}?parameters[date_from]=${from}&parameters[date_to]=${to}`, {
        headers: { authorization: `token ${service.key}` },
      });
      const records = Object.values((await response.json()) as Record<string, Record<string, unknown>[]>)[0] ?? [];
      const first = String(records[0]?.ticker ?? records[0]?.event_name);
      assert.equal(await page.locator("tbody tr[data-index='0'] th").textContent(), first);
      await unfold(page);
      const paging = ["page", "cursor", "pagesize", "output", "limit", "alarm"];
      const filters = parameters.filter((each) => !paging.includes(each.name));
      const controls = page.getByRole("form", { name: "Filters" }).locator(".filters-fields > .field");
      assert.equal(await controls.count(), filters.length, filters.map((each) => each.name).join());
      assert.deepEqual(await accessibilityFaults(page), []);
      assertClean(opened);
    });
  }
});

describe("filters", () => {
  test("set their parameter, are stored in the URL, and survive a reload", async (site) => {
    const opened = await openCalendar(site, "ratings");
    const { page } = opened;
    await unfold(page);
    const action = page.getByRole("combobox", { name: "Action" });
    await requestAfter(page, () => action.selectOption("Upgrades"), /&parameters\[action\]=Upgrades$/);
    const isSet = (value: string) =>
      page.waitForFunction(
        (wanted) => document.querySelector<HTMLSelectElement>("#filter-action")?.value === wanted,
        value,
      );
    await page.goBack();
    await isSet("");
    await page.goForward();
    await isSet("Upgrades");
    await requestAfter(page, () => page.getByLabel("Simplify").check(), /&simplify=true$/);
    const dated = /&parameters\[date_from\]=2026-06-01&.*&simplify=true$/;
    await requestAfter(page, () => page.getByLabel("Date from").fill("2026-06-01"), dated);
    await filled(page);
    const ticker = (await page.locator("tbody tr[data-index='0'] th").textContent()) ?? "";
    const enter = async () => {
      await page.getByRole("combobox", { name: "Tickers" }).fill(ticker);
      await page.keyboard.press("Enter");
    };
    await requestAfter(page, enter, new RegExp(`&parameters\\[tickers\\]=${ticker}&`));
    await page.getByRole("button", { name: `Remove ${ticker}` }).waitFor();
    const fill = () => page.locator("#filter-updated").fill("2026-01-01T00:00");
    const last = await requestAfter(page, fill, /&parameters\[updated\]=/);
    assert.equal(
      last,
      `/api/v2.1/calendar/ratings?pagesize=100&parameters[date_from]=2026-06-01&parameters[updated]=1767243600&parameters[tickers]=${ticker}&parameters[action]=Upgrades&simplify=true`,
    );
    const address = `?action=Upgrades&simplify=true&date_from=2026-06-01&tickers=${ticker}&updated=1767243600`;
    await page.waitForURL(({ search }) => decodeURIComponent(search) === address);
    await filled(page);
    const again = await requestAfter(page, () => page.reload(), /./);
    assert.equal(again, last);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.waitForURL(({ search }) => search === "");
    assertClean(opened);
  });

  test("select firms by name and send their IDs", async (site) => {
    const opened = await openCalendar(site, "ratings");
    const { page } = opened;
    await unfold(page);
    await page.locator("#filter-firm").focus();
    const firm = page.getByRole("listbox", { name: "Firm" }).getByRole("option").first();
    const name = ((await firm.textContent()) ?? "").trim();
    await requestAfter(page, () => page.locator("#filter-firm").fill(name), /&firm=[0-9a-f]{24}$/);
    await page.getByRole("button", { name: `Remove ${name}` }).waitFor();
    await page.getByRole("cell", { name }).first().waitFor();
  });

  test("select countries by name, code, or part of a name, and companies by name, without an error on the way", async (site) => {
    const opened = await openCalendar(site, "economics");
    const { page } = opened;
    const country = page.getByRole("combobox", { name: "Country" });
    await country.fill("United");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.equal(await page.getByRole("alert").count(), 0);
    await country.fill("United");
    const options = page.getByRole("listbox", { name: "Country" }).getByRole("option");
    assert.deepEqual((await options.allTextContents()).slice(0, 2), ["United States 🇺🇸", "United Kingdom 🇬🇧"]);
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await requestAfter(page, () => page.keyboard.press("Enter"), /country=GBR$/);
    // The options would cover the records that it selects.
    await options.first().waitFor({ state: "detached" });
    const enter = async () => {
      await country.fill("us");
      await page.keyboard.press("Enter");
    };
    await requestAfter(page, enter, /country=USA$/);
    await page.getByRole("button", { name: "Remove 🇺🇸 United States" }).waitFor();
    await country.fill("Atlantis");
    await page.getByText("No match for “Atlantis”").waitFor();
    await page.keyboard.press("Tab");
    const important = page.getByRole("button", { name: "3 or higher" });
    await requestAfter(page, () => important.click(), /importance\]=3/);
    await page.goto(`${opened.origin}/calendar/ratings`);
    await page.getByRole("combobox", { name: "Tickers" }).fill("apple");
    await page.getByRole("option", { name: "AAPL Apple" }).click();
    await page.getByRole("button", { name: "Remove AAPL" }).waitFor();
    const search = page.getByRole("combobox", { name: "Search companies and news" });
    await search.fill("apple");
    await page.getByRole("option", { name: /^AAPL Apple/ }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await search.fill("aapl");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/ticker\/AAPL$/);
    assertClean(opened);
  });

  test("show selected fields as columns", async (site) => {
    const opened = await openCalendar(site, "ratings?fields=ticker,rating_current");
    const { page } = opened;
    assert.deepEqual(await page.locator("thead th:not(.opener)").allTextContents(), ["Ticker", "Rating"]);
  });

  test("include new rules of the OpenAPI document", async (site) => {
    const opened = await openCalendar(site, "conference-calls");
    const { page } = opened;
    await unfold(page);
    const language = page.getByRole("combobox", { name: "Spoken language" });
    await requestAfter(page, () => language.selectOption("French"), /parameters\[spoken_language\]=French/);
  });

  test("report errors of the API next to their field", async ({ open }) => {
    const opened = await open("/calendar/dividends?dividend_yield=much");
    const { page } = opened;
    const field = page.getByLabel("Dividend yield", { exact: true });
    await page.locator(".field.invalid").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    await page.getByText("Invalid parameters").waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: "parameters[dividend_yield]: received much, expected a decimal number" })
      .waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await field.fill("0.01");
    await page.keyboard.press("Tab");
    await page.getByText("No matching records").waitFor();
    await page.getByText("Invalid parameters").waitFor({ state: "detached" });
    await page.goto(`${opened.origin}/calendar/dividends?view=agenda&dividend_yield=much`);
    await page.getByText("Invalid parameters").waitFor();
    assert.equal(await page.locator(".frame-about").innerText(), "");
  });

  test("have shortcuts for date ranges", async (site) => {
    const opened = await openCalendar(site, "economics");
    const { page } = opened;
    const week = page.getByRole("navigation", { name: "Date range" }).getByRole("link", { name: "This week" });
    const dates = /parameters\[date_from\]=2026-06-15&parameters\[date_to\]=2026-06-21/;
    await requestAfter(page, () => week.click(), dates);
  });
});

describe("sorting", () => {
  test("is available for the columns that the endpoint sorts by", async (site) => {
    const opened = await openCalendar(site, "earnings");
    const { page } = opened;
    assert.equal(await page.locator("thead button.sort").count(), 1);
    const head = page.getByRole("columnheader", { name: /^Date/ });
    assert.equal(await head.getAttribute("aria-sort"), "descending");
    await requestAfter(page, () => head.getByRole("button").click(), /parameters\[date_sort\]=date:asc/);
    await page.locator("th[aria-sort=ascending]").waitFor();
  });

  test("covers all dates of dividends", async (site) => {
    const opened = await openCalendar(site, "dividends");
    const { page } = opened;
    assert.equal(await page.locator("thead button.sort").count(), 4);
    const payable = page.getByRole("button", { name: /^Payable/ });
    await requestAfter(page, () => payable.click(), /parameters\[date_sort\]=payable/);
    await page.locator("th[aria-sort=descending]", { hasText: "Payable" }).waitFor();
  });

  test("isn't available for a calendar without sort orders", async (site) => {
    const opened = await openCalendar(site, "guidance");
    assert.equal(await opened.page.locator("thead button.sort").count(), 0);
  });
});
