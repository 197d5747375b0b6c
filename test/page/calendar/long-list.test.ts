// Infinite scrolling in a browser through twelve pages of rows, a hundred in a long run.
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { runs } from "../../support/budget.ts";
import { assertClean, type Opened, type OpenOptions, pageTests, type Site } from "../support/browser.ts";

const count = runs(1200, 10_000);
const pages = count / 100;
const idOf = (at: number): string => `r${String(at).padStart(5, "0")}`;

const test = pageTests({ demo: [] }, async (service) => {
  await service.has(
    "ratings",
    Array.from({ length: count }, (_, at) => ({
      id: idOf(at),
      // Forty per day, newest first by number.
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

/** Few columns and many visible rows, which is faster. */
const tall = { viewport: { width: 600, height: 1400 } };

/**
 * Opens a page that doesn't paint its rows. Without a graphics card, on a busy machine, Chromium may lose what it paints
 * during a scroll, and then never shows another frame.
 */
async function openUnpainted({ blank }: Site, path: string, options?: OpenOptions): Promise<Opened> {
  const opened = await blank(options);
  await opened.page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".table-scroll { opacity: 0 }");
    document.adoptedStyleSheets.push(sheet);
  });
  await opened.page.goto(`${opened.origin}${path}`);
  return opened;
}

const rows = (page: Page) => page.locator("tbody tr[data-index]");

/** Rendered tickers with their row numbers. */
const drawn = (page: Page): Promise<[number, string][]> =>
  rows(page).evaluateAll((each) =>
    each.map((row): [number, string] => [
      Number((row as HTMLElement).dataset.index),
      row.querySelector("th")?.textContent ?? "",
    ]),
  );

type Scrolled = { readonly seen: Record<number, string>; readonly most: number; readonly moved: number };

/** Scrolls to the end and records every rendered row by index. */
const scrollToEnd = (scroller: Locator): Promise<Scrolled> =>
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
        each.querySelector(".table-foot")?.textContent === "End of list" &&
        each.scrollTop + each.clientHeight >= each.scrollHeight - 1;
      if (isEnd) return { seen, most, moved };
      // Rows are rendered beyond the viewport, so none is skipped.
      each.scrollBy(0, each.clientHeight + 20 * 30);
      // The next rows are rendered with the next frame, or when the next page arrives.
      do await new Promise(requestAnimationFrame);
      while (last < total - 1 && look() === last);
    }
  }, count);

test("shows each row of a long list once, and renders few at a time", async (site) => {
  const opened = await openUnpainted(site, "/calendar/ratings?fields=ticker,date,id", tall);
  const { page } = opened;
  const scroller = page.locator(".table-scroll");
  await rows(page).first().waitFor();
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/")) requests.push(request.url());
  });
  const { seen, most, moved } = await scrollToEnd(scroller);
  assert.equal(Object.keys(seen).length, count);
  for (const [at, ticker] of Object.entries(seen)) assert.equal(ticker, `T${at}`);
  assert.equal(moved, 0, "an index showed two rows");
  assert.ok(most <= 200, `${most} rows were rendered at once`);
  assert.equal(new Set(requests).size, requests.length, "a page was requested twice");
  await page.getByText("End of list").waitFor();
  await page.waitForURL(({ searchParams }) => searchParams.get("page") === `${pages - 1}`);
  assertClean(opened);

  // Going back restores the scroll position without new requests.
  const before = await scroller.evaluate((each) => each.scrollTop);
  requests.length = 0;
  await rows(page)
    .last()
    .getByRole("link")
    .evaluate((each) => (each as HTMLElement).click());
  await page.waitForURL(/\/ticker\//);
  await page.goBack();
  await rows(page).first().waitFor();
  await page.waitForFunction((top) => document.querySelector(".table-scroll")?.scrollTop === top, before);
  assert.deepEqual(
    requests.filter((url) => url.includes("/calendar/ratings?pagesize=100")),
    [],
  );

  // A reload starts at the visible page.
  await page.reload();
  await page.getByText(`This list starts at page ${pages}`).waitFor();
  await rows(page).first().waitFor();
  assert.deepEqual((await drawn(page))[0], [0, `T${count - 100}`]);
  await page.getByRole("link", { name: "First page" }).click();
  await page.locator("tbody tr[data-index='0'] th", { hasText: /^T0$/ }).waitFor();
});

test("shows no gaps or duplicates if records are added while scrolling", async (site) => {
  const opened = await openUnpainted(site, "/calendar/ratings");
  const { page } = opened;
  await rows(page).first().waitFor();
  await site.service.has("ratings", [{ id: "new", date: "2026-06-18", ticker: "NEW", analyst: "Harbor & Finch" }]);
  await page.locator(".table-scroll").evaluate(async (each) => {
    while (each.querySelector("tr[data-index='360']") === null) {
      each.scrollBy(0, each.clientHeight);
      await new Promise(requestAnimationFrame);
    }
  });
  // Live updates may have inserted the new row at the top.
  const shifts = (await drawn(page)).map(([at, ticker]) => at - Number(ticker.slice(1)));
  assert.ok(new Set(shifts).size === 1 && [0, 1].includes(shifts[0] ?? -1), shifts.join());
});
