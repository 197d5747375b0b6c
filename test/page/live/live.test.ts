// Live updates in a browser: records appear, change, and disappear in place, over one stream that may be cut.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { ratings } from "../../../src/resources/ratings.ts";
import { accessibilityFaults } from "../accessibility.ts";
import { assertClean, pageTests } from "../support/browser.ts";
import { today } from "../support/service.ts";

const rating = (id: string, ticker: string, more: object = {}) => ({
  ...{ id, ticker, name: `${ticker} Inc.`, date: today, time: "10:00:00", action_company: "Upgrades" },
  ...more,
});

const test = pageTests({ demo: [] }, async (service) => {
  await service.has("ratings", [rating("first", "FIRST")]);
  await service.has("news", [{ id: 1, title: "First item", created: `${today}T09:00:00-04:00` }]);
});

const live = (page: Page) => page.getByRole("status").getByText("Live", { exact: true }).waitFor();
const row = (page: Page, text: string) => page.locator("main tbody tr", { hasText: text });
const animationOf = (page: Page, text: string): Promise<string> =>
  row(page, text)
    .locator("td")
    .first()
    .evaluate((cell) => getComputedStyle(cell).animationName);

test("records appear in every view without a reload, marked, over one stream", async ({ open, service }) => {
  const opened = await open("/calendar/ratings");
  const { page } = opened;
  const streams: string[] = [];
  await row(page, "FIRST").waitFor();
  await live(page);
  page.on("request", (request) => {
    if (request.url().includes("/stream")) streams.push(request.url());
  });
  await service.has("ratings", [rating("second", "SECOND")]);
  await row(page, "SECOND").waitFor();
  assert.match(String(await row(page, "SECOND").getAttribute("class")), /fresh created/);
  assert.doesNotMatch(String(await row(page, "FIRST").getAttribute("class")), /fresh/);
  assert.equal(await animationOf(page, "SECOND"), "none");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  assert.equal(await animationOf(page, "SECOND"), "fresh");
  assert.equal(await animationOf(page, "FIRST"), "none");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await service.has("ratings", [rating("first", "FIRST", { analyst: "Firm B" })]);
  await row(page, "Firm B").waitFor();
  assert.match(String(await row(page, "FIRST").getAttribute("class")), /fresh updated/);
  assert.deepEqual(await accessibilityFaults(page), []);
  await service.store.remove(ratings, ["second"]);
  await row(page, "SECOND").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "News" }).click();
  await page.locator(".line").getByText("First item").waitFor();
  await service.has("news", [{ id: 2, title: "Just in", created: `${today}T10:00:00-04:00` }]);
  await page.locator(".line.fresh").getByText("Just in").waitFor();
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Today" }).click();
  await row(page, "FIRST").waitFor();
  await service.has("ratings", [rating("third", "THIRD")]);
  await row(page, "THIRD").waitFor();
  assert.deepEqual(streams, [], "the views share the stream of the first one");
  await page.goto(`${service.origin}/ticker/FIRST`);
  await page.getByText("Firm B").first().waitFor();
  await live(page);
  await service.has("ratings", [rating("fourth", "FIRST", { analyst: "Firm C" })]);
  await page.getByText("Firm C").first().waitFor();
  assert.equal(streams.length, 1);
  await service.store.remove(ratings, ["third", "fourth"]);
  assertClean(opened);
});

test("after the stream is cut, the page says so, resumes, and shows what it missed", async ({ open, service }) => {
  const { page } = await open("/calendar/ratings");
  await row(page, "FIRST").waitFor();
  await live(page);
  await service.goAway();
  await page.getByRole("status").getByText("Not live").waitFor();
  await service.has("ratings", [rating("missed", "MISSED")]);
  // Attempts while the server is away have no response.
  const [resumed] = await Promise.all([page.waitForResponse("**/api/v1/stream"), service.comeBack()]);
  assert.match(String((await resumed.request().allHeaders())["last-event-id"]), /^[\w-]+\.\d+/);
  await row(page, "MISSED").waitFor();
  await live(page);
  await service.store.remove(ratings, ["missed"]);
  await row(page, "MISSED").waitFor({ state: "detached" });
});

test("without a stream, views are refreshed periodically, and live again as soon as there is one", async ({
  blank,
  service,
}) => {
  const { page } = await blank({ fresh: true });
  await page.clock.install();
  let isBlocked = true;
  await page.route("**/api/v1/stream", (route) =>
    isBlocked ? route.fulfill({ status: 429, headers: { "retry-after": "5" }, body: "{}" }) : route.continue(),
  );
  await page.goto(`${service.origin}/calendar/ratings`);
  await row(page, "FIRST").waitFor();
  await page.getByRole("status").getByText("Not live").waitFor();
  await service.has("ratings", [rating("polled", "POLLED")]);
  await page.clock.runFor(31_000);
  await row(page, "POLLED").waitFor();
  isBlocked = false;
  await page.clock.runFor(6000);
  await live(page);
  await service.store.remove(ratings, ["polled"]);
});

test("rows stay where they are when others are inserted above", async ({ open, service }) => {
  const many = Array.from({ length: 150 }, (_, at) =>
    rating(`many-${at}`, `M${at}`, { date: "2026-05-01", time: `10:${String(at % 60).padStart(2, "0")}:00` }),
  );
  await service.has("ratings", many);
  const { page } = await open("/calendar/ratings?date_from=2026-05-01");
  await live(page);
  const scroller = page.locator(".table-scroll");
  await row(page, "FIRST").waitFor();
  await scroller.evaluate((each) => {
    each.scrollTop = 30 * 50;
  });
  const topOf = () =>
    scroller.evaluate((each) => {
      const { top } = each.getBoundingClientRect();
      const first = [...each.querySelectorAll<HTMLElement>("tr[data-index]")].find(
        (each) => each.getBoundingClientRect().top >= top + 30,
      );
      return { ticker: first?.querySelector("th")?.textContent, index: Number(first?.dataset.index) };
    });
  await page.waitForFunction(() => document.querySelector("tr[data-index='55']") !== null);
  const before = await topOf();
  await service.has("ratings", [rating("above", "ABOVE")]);
  await page.waitForFunction(
    ({ ticker, index }) =>
      [...document.querySelectorAll<HTMLElement>("tr[data-index]")].some(
        (each) => Number(each.dataset.index) === index + 1 && each.querySelector("th")?.textContent === ticker,
      ),
    before,
  );
  assert.deepEqual(await topOf(), { ticker: before.ticker, index: before.index + 1 });
  await service.store.remove(ratings, ["above", ...many.map(({ id }) => id)]);
});

test("a hidden tab closes its stream, and continues after the last change when it is shown", async ({
  blank,
  service,
}) => {
  const { page } = await blank({ fresh: true });
  await page.clock.install();
  await page.goto(`${service.origin}/calendar/ratings`);
  await row(page, "FIRST").waitFor();
  await live(page);
  const show = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  const closed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/stream"));
  await show(true);
  await page.clock.runFor(11_000);
  await closed;
  await service.has("ratings", [rating("hidden", "HIDDEN")]);
  await show(false);
  await live(page);
  await page.clock.runFor(1000);
  await row(page, "HIDDEN").waitFor();
  await service.store.remove(ratings, ["hidden"]);
});

test("notifies of new records about my tickers, if the user allows it and looks elsewhere", async ({
  open,
  service,
}) => {
  const opened = await open("/docs/problems", { permissions: ["notifications"] });
  const { page } = opened;
  await page.addInitScript(() => {
    localStorage.setItem("bellwire.tickers", "MINE");
    const shown: string[] = [];
    const Recorder = class {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor(title: string, { body, data }: { body: string; data: string }) {
        shown.push([title, body, data].join(" | "));
      }
    };
    Object.assign(window, { Notification: Recorder, shown });
    document.hasFocus = () => false;
  });
  await page.goto(`${service.origin}/calendar/ratings?my=MINE`);
  await live(page);
  await page.getByRole("button", { name: "Edit" }).click();
  const notify = page.getByRole("dialog").getByLabel(/^Notify me of new records/);
  await notify.check();
  assert.deepEqual(await accessibilityFaults(page), []);
  await service.has("ratings", [rating("other", "OTHER"), rating("mine", "MINE", { analyst: "Firm D" })]);
  await service.has("news", [
    { id: 5, title: "About mine", created: `${today}T11:00:00-04:00`, stocks: [{ name: "MINE" }] },
  ]);
  const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  await page.waitForFunction(() => (window as unknown as { shown: string[] }).shown.length === 2);
  assert.deepEqual((await shown()).toSorted(), [
    "MINE: news item | About mine | /news/5",
    "MINE: rating | MINE by Firm D | /calendar/ratings?tickers=MINE&record=mine",
  ]);
  await notify.uncheck();
  await service.has("ratings", [rating("mine too", "MINE")]);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.locator("main tbody tr", { hasText: "MINE" }).nth(1).waitFor();
  assert.equal((await shown()).length, 2);
  await service.store.remove(ratings, ["other", "mine", "mine too"]);
  assertClean(opened);
});
