// The six calendars: every filter of the endpoint, sorting, and what is shown is what the API gives.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { accessibilityFaults, assertClean, type Opened, open } from "./browser.ts";
import { few, filled, openCalendar } from "./calendar.ts";
import { pageService, type Service } from "./service.ts";

const names = ["ratings", "dividends", "guidance", "earnings", "economics", "conference-calls"] as const;

let service: Service;
let browser: Browser;

before(async () => {
  service = await pageService({ demo: names, days: 30, describe: withNewRule });
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await service?.close();
});

type Parameter = { name: string; in: string; schema: { type: string; enum?: string[] }; description: string };
type Document = { paths: Record<string, { get: { parameters: Parameter[] } }> };

/** A rule that the page has never heard of. */
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

const pathOf = async (name: string): Promise<[string, Parameter[]]> => {
  const { paths } = (await (await fetch(`${service.origin}/openapi.json`)).json()) as Document;
  const [path = "", item] = Object.entries(paths).find(([each]) => each.endsWith(`/calendar/${name}`)) ?? [];
  return [path, item?.get.parameters.filter((each) => each.in === "query") ?? []];
};

const unfold = (page: Page) => page.getByRole("button", { name: /more filters?/ }).click();

/** The next request that begins a list of records. */
const nextRequest = async (page: Page, act: () => Promise<unknown>): Promise<string> => {
  const request = page.waitForRequest(
    (each) => /\/api\/v[\d.]+\/calendar\/[a-z-]+\?/.test(each.url()) && !each.url().includes("cursor="),
  );
  await act();
  return decodeURIComponent((await request).url().slice(service.origin.length)).replaceAll("+", " ");
};

const shown = (name: string, query = "", options = {}): Promise<Opened> =>
  openCalendar(browser, service, `${name}${query}`, options);

describe("every calendar", () => {
  for (const name of names) {
    test(`${name}: shows what the API gives, with a labelled control for each of its filters`, async () => {
      const opened = await shown(name, few);
      const { page } = opened;
      const [path, parameters] = await pathOf(name);
      const answer = await fetch(
        `${service.origin}${path}?parameters[date_from]=2026-06-12&parameters[date_to]=2026-06-25`,
        {
          headers: { authorization: `token ${service.key}` },
        },
      );
      const records = Object.values((await answer.json()) as Record<string, Record<string, unknown>[]>)[0] ?? [];
      const first = String(records[0]?.ticker ?? records[0]?.event_name);
      assert.equal(await page.locator("tbody tr[data-index='0'] th").textContent(), first);
      await unfold(page);
      const paging = ["page", "cursor", "pagesize"];
      const filters = parameters.filter((each) => !paging.includes(each.name));
      const controls = page.getByRole("form", { name: "Filters" }).locator(".filters-fields > .field");
      assert.equal(await controls.count(), filters.length, filters.map((each) => each.name).join());
      assert.deepEqual(await accessibilityFaults(page), []);
      assertClean(opened, service);
      await opened.close();
    });
  }
});

describe("filters", () => {
  test("each kind of control sets its parameter, stands in the address, and outlives a reload", async () => {
    const opened = await shown("ratings");
    const { page } = opened;
    await unfold(page);
    assert.match(
      await nextRequest(page, () => page.getByRole("combobox", { name: "Action" }).selectOption("Upgrades")),
      /&parameters\[action\]=Upgrades$/,
    );
    const isSet = (value: string) =>
      page.waitForFunction(
        (wanted) => document.querySelector<HTMLSelectElement>("#filter-action")?.value === wanted,
        value,
      );
    await page.goBack();
    await isSet("");
    await page.goForward();
    await isSet("Upgrades");
    await nextRequest(page, () => page.getByLabel("Simplify").check());
    await nextRequest(page, () => page.getByLabel("Date from").fill("2026-06-01"));
    const ticker = (await page.locator("tbody tr[data-index='0'] th").textContent()) ?? "";
    await nextRequest(page, async () => {
      await page.getByRole("combobox", { name: "Tickers" }).fill(ticker);
      await page.keyboard.press("Enter");
    });
    await page.getByRole("button", { name: `Remove ${ticker}` }).waitFor();
    const last = await nextRequest(page, () => page.locator("#filter-updated").fill("2026-01-01T00:00"));
    assert.equal(
      last,
      `/api/v2.1/calendar/ratings?pagesize=100&parameters[date_from]=2026-06-01&parameters[updated]=1767225600&parameters[tickers]=${ticker}&parameters[action]=Upgrades&simplify=true`,
    );
    assert.equal(
      decodeURIComponent(new URL(page.url()).search),
      `?action=Upgrades&simplify=true&date_from=2026-06-01&tickers=${ticker}&updated=1767225600`,
    );
    await filled(page);
    const again = await nextRequest(page, () => page.reload());
    assert.equal(again, last);
    await page.getByRole("button", { name: "Clear" }).click();
    assert.equal(new URL(page.url()).search, "");
    assertClean(opened, service);
    await opened.close();
  });

  test("firms are chosen by name and asked for by identifier", async () => {
    const opened = await shown("ratings");
    const { page } = opened;
    await unfold(page);
    const firm = page.locator("#filter-firm-list option").first();
    await firm.waitFor({ state: "attached" });
    const name = (await firm.getAttribute("value")) ?? "";
    const asked = await nextRequest(page, () => page.locator("#filter-firm").fill(name));
    assert.match(asked, /&firm=[0-9a-f]{24}$/);
    await page.getByRole("button", { name: `Remove ${name}` }).waitFor();
    await page.getByRole("cell", { name }).first().waitFor();
    await opened.close();
  });

  test("fields that are chosen are the columns", async () => {
    const opened = await shown("ratings", "?fields=ticker,rating_current");
    const { page } = opened;
    assert.deepEqual(await page.locator("thead th:not(.opener)").allTextContents(), ["Ticker", "Rating current"]);
    await opened.close();
  });

  test("a rule that is new in the document has its control, without new code", async () => {
    const opened = await shown("conference-calls");
    const { page } = opened;
    await unfold(page);
    const asked = await nextRequest(page, () =>
      page.getByRole("combobox", { name: "Spoken language" }).selectOption("French"),
    );
    assert.match(asked, /parameters\[spoken_language\]=French/);
    await opened.close();
  });

  test("a mistake is told at its field and as the API means it", async () => {
    const opened = await open(browser, service, "/calendar/dividends?dividend_yield=much");
    const { page } = opened;
    const field = page.getByLabel("Dividend yield", { exact: true });
    await page.locator(".field.wrong").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    await page.getByText("Bad parameters").waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: "parameters[dividend_yield]: got much, expected a decimal number" })
      .waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await field.fill("0.01");
    await page.keyboard.press("Tab");
    await page.getByText("No records match").waitFor();
    assert.equal(await page.getByText("Bad parameters").count(), 0);
    await opened.close();
  });

  test("days are one press away", async () => {
    const opened = await shown("economics");
    const { page } = opened;
    const asked = await nextRequest(page, () =>
      page.getByRole("navigation", { name: "Days" }).getByRole("link", { name: "Week" }).click(),
    );
    assert.match(asked, /parameters\[date_from\]=2026-06-15&parameters\[date_to\]=2026-06-21/);
    await opened.close();
  });
});

describe("orders", () => {
  test("columns are sorted by where the endpoint sorts, and nowhere else", async () => {
    const opened = await shown("earnings");
    const { page } = opened;
    assert.equal(await page.locator("thead button.sort").count(), 1);
    const head = page.getByRole("columnheader", { name: /^Date/ });
    assert.equal(await head.getAttribute("aria-sort"), "descending");
    assert.match(await nextRequest(page, () => head.getByRole("button").click()), /parameters\[date_sort\]=date:asc/);
    await page.locator("th[aria-sort=ascending]").waitFor();
    await opened.close();
  });

  test("dividends are sorted by any of their days", async () => {
    const opened = await shown("dividends");
    const { page } = opened;
    assert.equal(await page.locator("thead button.sort").count(), 4);
    const asked = await nextRequest(page, () => page.getByRole("button", { name: /^Payable/ }).click());
    assert.match(asked, /parameters\[date_sort\]=payable/);
    await page.locator("th[aria-sort=descending]", { hasText: "Payable" }).waitFor();
    await opened.close();
  });

  test("a calendar without orders has none", async () => {
    const opened = await shown("guidance");
    assert.equal(await opened.page.locator("thead button.sort").count(), 0);
    await opened.close();
  });
});
