// News view in a browser: search, filters, infinite scrolling, and items.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { news } from "../../../src/resources/news.ts";
import { accessibilityFaults } from "../accessibility.ts";
import { assertClean, pageTests } from "../support/browser.ts";

const item = (id: number, created: string, title: string, more: object = {}) => ({ id, created, title, ...more });

const test = pageTests({ demo: [] }, async (service) => {
  await service.has("news", [
    item(1, "2026-06-17T09:00:00-04:00", "Café chain plans merger", {
      channels: [{ name: "M&A" }, { name: "News" }],
      stocks: [{ name: "CAFE" }, { name: "BEAN" }],
      author: "Dana Whitlock",
      body: "<p>The <b>merger</b> of two roasters is planned.</p>",
      image: [
        { size: "thumb", url: "https://images.example.com/1-thumb.png" },
        { size: "large", url: "https://images.example.com/1-large.png" },
      ],
      url: "https://news.example.com/1",
    }),
    item(2, "2026-06-17T08:00:00-04:00", "A quiet morning", {
      tags: [{ name: "Merger watch" }],
      channels: [{ name: "News" }],
    }),
    item(3, "2026-06-16T18:00:00-04:00", "Rates unchanged", {
      channels: [{ name: "Economics" }],
      body: `<p>${"Words before it. ".repeat(30)}</p><p>Nobody expects a merger &amp; no <i>takeover</i>.</p>`,
    }),
    item(4, "2026-06-16T17:00:00-04:00", "Emerging markets", { body: "<p>Submerged costs</p>" }),
  ]);
});
const plain = (text: string): string => text.replace(/\s+/g, " ").trim();
const linesOf = async (page: Page): Promise<string[]> => {
  await page.locator(".line").first().waitFor();
  return (await page.locator(".line").allInnerTexts()).map(plain);
};

test("lists date, time, headline, tickers, and channels, newest first", async ({ open }) => {
  const opened = await open("/news");
  const { page } = opened;
  assert.deepEqual(
    (await linesOf(page)).map((line) => line.replace(/^(\w+, \w+ \d+ )?(\d\d:\d\d)/, "$2")),
    [
      "09:00 Café chain plans merger CAFE BEAN M&A, News",
      "08:00 A quiet morning News",
      "18:00 Rates unchanged Economics",
      "17:00 Emerging markets",
    ],
  );
  const days = page.locator(".line-day:not(.repeated)");
  assert.deepEqual(await days.allInnerTexts(), ["Wed, Jun 17", "Tue, Jun 16"]);
  await page.getByText("End of list").waitFor();
  assert.equal(await page.getByRole("link", { name: "BEAN" }).getAttribute("href"), "/ticker/BEAN");
  assert.deepEqual(await accessibilityFaults(page), []);
  assertClean(opened);
});

test("shows where a search matches: title, tags, and body", async ({ open, service }) => {
  const opened = await open("/news");
  const { page } = opened;
  await page.getByLabel("Topics").fill("merger");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/news?topics=merger");
  await page.locator(".line-match").first().waitFor();
  const matches = page.locator(".line-match");
  assert.deepEqual((await matches.allInnerTexts()).map(plain), [
    "in title in body The merger of two roasters is planned.",
    "in tag Merger watch",
    "in body … before it. Words before it. Nobody expects a merger & no takeover.",
  ]);
  assert.deepEqual(await page.locator(".line-title mark").allInnerTexts(), ["merger"]);
  assert.deepEqual(await matches.locator("mark").allInnerTexts(), ["merger", "Merger", "merger"]);
  // Without accents, as a phrase, and both of two topics.
  await page.goto(`${service.origin}/news?topics=cafe+chain,roasters&topic_group_by=and`);
  await page.locator(".line-match").waitFor();
  assert.deepEqual(await page.locator(".line-title mark").allInnerTexts(), ["Café chain"]);
  assert.deepEqual(await page.locator(".match-passage mark").allInnerTexts(), ["roasters"]);
  await page.goto(`${service.origin}/news?topics=dividend`);
  await page.getByText("No news matches these filters.").waitFor();
  assertClean(opened);
});

test("has every filter of the endpoint, applies changes immediately, and reports errors next to fields", async ({
  open,
  service,
}) => {
  const opened = await open("/news");
  const { page } = opened;
  await linesOf(page);
  await page.getByRole("button", { name: /more filter/ }).click();
  const requests = news.rules.flatMap(({ parameters }) => Object.values(parameters).map(({ names: [name] }) => name));
  // Paging and formats are no filters.
  const own = ["page", "cursor", "pageSize", "displayOutput", "format", "output", "limit"];
  const ids = await page
    .locator("form.filters :is(input, select, summary)")
    .evaluateAll((found) => found.map(({ id }) => id));
  assert.deepEqual(
    new Set(ids),
    new Set(requests.filter((name) => !own.includes(name ?? "")).map((name) => `filter-${name}`)),
  );
  const channels = page.getByRole("combobox", { name: "Channels" });
  await channels.click();
  // The name of an option is applied at once; before the options arrive, it is only text.
  await page.getByRole("option", { name: "Economics" }).waitFor();
  await channels.fill("Economics");
  await page.waitForURL("**/news?channels=Economics");
  await page.locator(".line").nth(1).waitFor({ state: "detached" });
  assert.match((await linesOf(page)).join(), /Rates unchanged/);
  await page.goBack();
  await page.locator(".line").nth(3).waitFor();
  await page.goto(`${service.origin}/news?dateFrom=2026-06-31`);
  await page.getByText("expected a day as YYYY-MM-DD").first().waitFor();
  assert.equal(await page.locator("#filter-dateFrom").getAttribute("aria-invalid"), "true");
});

test("shows an item in the side panel, by keyboard, and as a page, without loading images from other hosts", async ({
  open,
  service,
}) => {
  const opened = await open("/news?topics=merger");
  const { page } = opened;
  await linesOf(page);
  for (const key of ["j", "Enter"]) await page.keyboard.press(key);
  const article = page.getByRole("article");
  await article.getByRole("heading", { name: "Café chain plans merger" }).waitFor();
  await page.waitForURL(/item=1$/);
  assert.equal(plain(await article.locator(".article-body").innerText()), "The merger of two roasters is planned.");
  assert.equal(await article.locator(".article-body b mark").innerText(), "merger");
  const links = await article.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  assert.deepEqual(links, [
    "/news?authors=Dana%20Whitlock",
    "/ticker/CAFE",
    "/ticker/BEAN",
    "/news?channels=M%26A",
    "/news?channels=News",
    "https://images.example.com/1-large.png",
    "https://news.example.com/1",
  ]);
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press("j");
  await article.getByRole("heading", { name: "A quiet morning" }).waitFor();
  await article.getByText("Headline only.").waitFor();
  // One step back closes the panel, however many items were read.
  await page.goBack();
  await article.waitFor({ state: "detached" });
  await page.waitForURL(({ search }) => search === "?topics=merger");
  await page.goto(`${service.origin}/news/1`);
  await page.getByRole("heading", { name: "Café chain plans merger", level: 1 }).waitFor();
  assert.equal(await page.title(), "Café chain plans merger · Bellwire");
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.goto(`${service.origin}/news/99`);
  await page.getByText("News item 99 not found.").waitFor();
  assertClean(opened);
});

/** Time of the newest item. */
const second = Date.parse("2026-06-17T12:00:00-04:00") / 1000;
const many = Array.from({ length: 1000 }, (_, at) =>
  item(at + 1, new Date((second - at * 60) * 1000).toISOString(), `Item ${at + 1}`),
);
const testMany = pageTests({ demo: [] }, (service) => service.has("news", many));

testMany(
  "scrolls through 1,000 items without gaps or duplicates while items are added and removed",
  async ({ open, service }) => {
    const opened = await open("/news");
    const { page } = opened;
    const seen = new Map<number, string>();
    for (let turn = 0; ; turn++) {
      await page.locator(".line").first().waitFor();
      const lines = await page
        .locator(".line")
        .evaluateAll((found) =>
          found.map((line): [number, string] => [
            Number((line as HTMLElement).dataset.index),
            line.querySelector(".line-title")?.textContent ?? "",
          ]),
        );
      for (const [index, title] of lines) {
        assert.equal(seen.get(index) ?? title, title, "a line has changed");
        seen.set(index, title);
      }
      if (turn === 3) {
        await service.has("news", [item(5001, new Date((second + 60) * 1000).toISOString(), "New at the top")]);
        await service.store.remove(news, ["700", "3"]);
      }
      const isAtEnd = await page.locator(".wire").evaluate((wire) => {
        wire.scrollBy(0, wire.clientHeight);
        return wire.scrollTop + wire.clientHeight >= wire.scrollHeight - 1;
      });
      if (isAtEnd && (await page.getByText("End of list").count()) > 0 && seen.has(998)) break;
      assert.ok(turn < 3000, `only ${seen.size} lines were shown`);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    }
    const titles = Array.from({ length: seen.size }, (_, index) => seen.get(index));
    // Items removed after their page was loaded are still shown.
    assert.deepEqual(
      titles,
      many.filter(({ id }) => id !== 700).map(({ title }) => title),
    );
    assert.ok((await page.locator(".line").count()) < 100, "only visible lines are rendered");
    assertClean(opened);
  },
);

test("fits a phone, with collapsed filters and items in full width", async ({ open }) => {
  const opened = await open("/news?topics=merger", {
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
  });
  const { page } = opened;
  await linesOf(page);
  assert.equal(await page.evaluate(() => document.scrollingElement?.scrollWidth), 390);
  const heights = await page
    .locator(".line")
    .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().height));
  assert.deepEqual([...new Set(heights)], [88], "lines have the expected height");
  assert.equal(await page.getByLabel("Topics").isVisible(), false);
  await page.getByRole("link", { name: "Café chain plans merger" }).click();
  await page.getByRole("article").waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole("button", { name: "Close panel" }).click();
  await page.getByRole("article").waitFor({ state: "detached" });
  assertClean(opened);
});
