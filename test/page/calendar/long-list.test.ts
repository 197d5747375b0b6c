// Thousands of rows, ten thousand in a long run: scrolled to the end without a gap or a repeat, with few of them drawn, and gone back to.
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { runs } from "../../support/budget.ts";
import { assertClean, pageTests } from "../support/browser.ts";

const count = runs(2500, 10_000);
const pages = count / 100;
const idOf = (at: number): string => `r${String(at).padStart(5, "0")}`;

const test = pageTests({ demo: [] }, async (service) => {
  await service.has(
    "ratings",
    Array.from({ length: count }, (_, at) => ({
      id: idOf(at),
      // Forty on a day, newest first by number.
      date: new Date(Date.parse("2026-06-17") - Math.floor(at / 40) * 86_400_000).toISOString().slice(0, 10),
      time: new Date(Date.parse("2026-06-17T16:00:00Z") - (at % 40) * 60_000).toISOString().slice(11, 19),
      ticker: `T${at}`,
      analyst: "Harbor & Finch",
      pt_current: String(100 + (at % 7)),
      pt_prior: "103",
      importance: at % 6,
    })),
  );
});

/** Few columns and many rows in sight: the same list, in less time. */
const tall = { viewport: { width: 600, height: 1400 } };

const rows = (page: Page) => page.locator("tbody tr[data-index]");

/** Tickers that are drawn, by the number of their row. */
const drawn = (page: Page): Promise<[number, string][]> =>
  rows(page).evaluateAll((each) =>
    each.map((row): [number, string] => [
      Number((row as HTMLElement).dataset.index),
      row.querySelector("th")?.textContent ?? "",
    ]),
  );

type Walk = { readonly seen: Record<number, string>; readonly most: number; readonly moved: number };

/** Scrolls a window's height at a time until the end, and remembers every row that was drawn in every place. */
const walk = (scroller: Locator): Promise<Walk> =>
  scroller.evaluate(async (each, total) => {
    const seen: Record<number, string> = {};
    let most = 0;
    let moved = 0;
    const look = (): number => {
      const now = [...each.querySelectorAll<HTMLElement>("tbody tr[data-index]")];
      most = Math.max(most, now.length);
      for (const row of now) {
        const at = Number(row.dataset.index);
        const ticker = row.querySelector("th")?.textContent ?? "";
        if (seen[at] !== undefined && seen[at] !== ticker) moved++;
        seen[at] = ticker;
      }
      return Number(now.at(-1)?.dataset.index);
    };
    for (;;) {
      const last = look();
      const isEnd =
        each.querySelector(".table-foot")?.textContent === "That is all." &&
        each.scrollTop + each.clientHeight >= each.scrollHeight - 1;
      if (isEnd) return { seen, most, moved };
      // Rows are drawn beyond what is in sight, so that no row is passed over.
      each.scrollBy(0, each.clientHeight + 20 * 30);
      // The next rows are drawn with the next frame, or when the next page has arrived.
      do await new Promise(requestAnimationFrame);
      while (last < total - 1 && look() === last);
    }
  }, count);

test("thousands of rows are scrolled through: each is seen once, in its place, and never many at once", async ({
  open,
}) => {
  const opened = await open("/calendar/ratings?fields=ticker,date,id", tall);
  const { page } = opened;
  const scroller = page.locator(".table-scroll");
  await rows(page).first().waitFor();
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/")) asked.push(request.url());
  });
  const { seen, most, moved } = await walk(scroller);
  assert.equal(Object.keys(seen).length, count);
  for (const [at, ticker] of Object.entries(seen)) assert.equal(ticker, `T${at}`);
  assert.equal(moved, 0, "a row stood in two places");
  assert.ok(most <= 200, `${most} rows were drawn at once`);
  assert.equal(new Set(asked).size, asked.length, "a page was asked for twice");
  await page.getByText("That is all.").waitFor();
  await page.waitForURL(({ searchParams }) => searchParams.get("page") === `${pages - 1}`);
  assertClean(opened);

  // Away and back: the list is where it was left, and nothing is asked for again.
  const before = await scroller.evaluate((each) => each.scrollTop);
  asked.length = 0;
  await rows(page)
    .last()
    .getByRole("link")
    .evaluate((each) => (each as HTMLElement).click());
  await page.waitForURL(/\/ticker\//);
  await page.goBack();
  await rows(page).first().waitFor();
  await page.waitForFunction((top) => document.querySelector(".table-scroll")?.scrollTop === top, before);
  assert.deepEqual(
    asked.filter((url) => url.includes("/calendar/ratings?pagesize=100")),
    [],
  );

  // A reload begins at the page in sight, and says so.
  await page.reload();
  await page.getByText(`The list begins at page ${pages - 1}`).waitFor();
  await rows(page).first().waitFor();
  assert.deepEqual((await drawn(page))[0], [0, `T${count - 100}`]);
  await page.getByRole("link", { name: "From the beginning" }).click();
  await page.locator("tbody tr[data-index='0'] th", { hasText: /^T0$/ }).waitFor();
});

test("records that come while one scrolls shift nothing: no row is missed or shown twice", async ({
  open,
  service,
}) => {
  const opened = await open("/calendar/ratings");
  const { page } = opened;
  await rows(page).first().waitFor();
  await service.has("ratings", [{ id: "new", date: "2026-06-18", ticker: "NEW", analyst: "Harbor & Finch" }]);
  await page.locator(".table-scroll").evaluate(async (each) => {
    while (each.querySelector("tr[data-index='360']") === null) {
      each.scrollBy(0, each.clientHeight);
      await new Promise(requestAnimationFrame);
    }
  });
  for (const [at, ticker] of await drawn(page)) assert.equal(ticker, `T${at}`);
});
