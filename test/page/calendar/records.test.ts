// Calendar records in a browser: formatting, record panel, API requests, months, and narrow screens.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { accessibilityFaults, contrastFaults } from "../accessibility.ts";
import { assertClean, pageTests, shownBriefly, turnDark } from "../support/browser.ts";
import { few, filled, openCalendar } from "../support/calendar.ts";

const test = pageTests({ demo: ["ratings", "guidance", "earnings", "economics"], days: 30 });

describe("calendar records", () => {
  test("have aligned numbers with colors and arrows", async (site) => {
    const opened = await openCalendar(site, "economics?country=USA&date_from=2026-06-10&date_to=2026-06-17");
    const { page } = opened;
    const above = page.locator("td.arrow.up:not(.neutral, .inverse)").first();
    await above.waitFor();
    assert.equal(await above.evaluate((each) => getComputedStyle(each).textAlign), "right");
    assert.match(await above.evaluate((each) => getComputedStyle(each, "::after").content), /▲/);
    const plain = await page
      .locator("tbody td")
      .first()
      .evaluate((each) => getComputedStyle(each).color);
    assert.notEqual(await above.evaluate((each) => getComputedStyle(each).color), plain);
  });

  test("open in a panel, which follows j and k, and closes by button, by Escape, and by going back", async (site) => {
    const opened = await openCalendar(site, few("ratings"));
    const { page } = opened;
    await page.locator("tbody tr[data-index='3'] td").nth(2).click();
    const panel = page.getByRole("complementary");
    await panel.getByText("Prior rating").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.reload();
    await panel.getByText("Prior rating").waitFor();
    const atList = ({ search }: URL): boolean => `ratings${search}` === few("ratings");
    await page.keyboard.press("Escape");
    await page.waitForURL(atList);
    await panel.waitFor({ state: "detached" });
    // Once more, since a reload forgets nothing, and this time from the list.
    await page.locator("tbody tr[data-index='3'] td").nth(2).click();
    await panel.waitFor();
    const title = () => panel.getByRole("heading", { level: 2 }).innerText();
    const nameOf = async (index: number): Promise<string> =>
      (await page.locator(`tr[data-index='${index}'] .opener button`).getAttribute("aria-label")) ?? "";
    assert.equal(`Details: ${await title()}`, await nameOf(3));
    await page.keyboard.press("j");
    await page.locator("tr.open[data-index='4']").waitFor();
    assert.equal(`Details: ${await title()}`, await nameOf(4));
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    await page.locator("tr.open[data-index='2']").waitFor();
    await page.goBack();
    await page.waitForURL(atList);
    await panel.waitFor({ state: "detached" });
    assert.ok(await page.locator("tr.selected[data-index='2']").isVisible());
    await page.goForward();
    await panel.getByRole("button", { name: "Close panel" }).click();
    await page.waitForURL(atList);
  });

  test("match the API request, which is shown in every language and can be copied", async (site) => {
    const { service } = site;
    const opened = await site.blank({ permissions: ["clipboard-read", "clipboard-write"], fresh: true });
    const { page } = opened;
    await page.clock.install();
    await page.goto(
      `${service.origin}/calendar/earnings?date_from=2026-06-12&date_to=2026-06-25&importance=2&panel=api`,
    );
    await filled(page);
    const panel = page.getByRole("complementary", { name: "API request" });
    const url = (await panel.getByLabel("Request as URL").textContent()) ?? "";
    assert.equal(
      url,
      `${service.origin}/api/v2.1/calendar/earnings?pagesize=100&parameters%5Bdate_from%5D=2026-06-12&parameters%5Bdate_to%5D=2026-06-25&parameters%5Bimportance%5D=2&token=YOUR_KEY`,
    );
    const response = await (await fetch(url.replace("YOUR_KEY", service.key))).json();
    await panel.getByRole("button", { name: /Show all/ }).click();
    const json = (await panel.getByLabel("JSON response").textContent()) ?? "";
    assert.deepEqual(JSON.parse(json), response);
    for (const [language, words] of [
      ["curl", "curl -H 'Authorization: token YOUR_KEY'"],
      ["JavaScript", "await fetch("],
      ["Python", "urlopen(request)"],
    ] as const) {
      await panel.getByRole("button", { name: language }).click();
      const code = (await panel.getByLabel(`Request as ${language}`).textContent()) ?? "";
      assert.ok(code.startsWith(words) || code.includes(words), code);
      await shownBriefly(page, "Copied", () => panel.getByRole("button", { name: "Copy", exact: true }).click());
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code);
      await page.clock.runFor(2000);
      await panel.getByText("Copied").waitFor({ state: "detached" });
    }
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened);
  });
});

test("print with all rows and columns, in light colors", async (site) => {
  const opened = await openCalendar(site, "ratings?date_from=2026-06-01&date_to=2026-06-25&columns=all", {
    colorScheme: "dark",
    viewport: { width: 1047, height: 720 },
  });
  const { page } = opened;
  const count = () => page.locator("tbody tr[data-index]").count();
  await page.getByText(/[1-9]\d\d records/).waitFor();
  assert.ok((await count()) < 100);
  await page.emulateMedia({ media: "print" });
  await page.locator("html[data-theme=light]").waitFor();
  await page.locator("tbody tr[data-index='99']").waitFor();
  // All 27 columns fit on the paper.
  const right = await page.locator("table").evaluate((each) => each.getBoundingClientRect().right);
  assert.ok(right <= 1047, `the table ends at ${right}`);
  assert.ok(!(await page.locator("header.bar").isVisible()));
  await page.emulateMedia({ media: "screen" });
  await page.locator("html[data-theme=dark]").waitFor();
});

test("print with the records that haven’t been loaded yet", async (site) => {
  const opened = await site.blank();
  const { page } = opened;
  await page.addInitScript(() => {
    window.print = () =>
      document.body.setAttribute("data-printed", document.querySelector(".frame-about")?.textContent ?? "");
  });
  await page.goto(`${opened.origin}/calendar/ratings?date_from=2026-06-01&date_to=2026-06-25`);
  await page.getByText(/records so far/).waitFor();
  await page.getByRole("button", { name: "Print" }).click();
  await page.locator("body[data-printed]").waitFor();
  assert.doesNotMatch((await page.locator("body").getAttribute("data-printed")) ?? "", /so far/);
});

test("list the fields in reading order, with labels in words", async (site) => {
  const fieldsOf = async (name: string, day: string) => {
    const { page } = await openCalendar(site, `${name}?date_to=${day}`);
    await page.locator("tr[data-index='0'] .opener button").click();
    const record = page.locator("dl.record");
    await record.waitFor();
    return Object.fromEntries(
      await record
        .locator("div")
        .evaluateAll((rows): [string, string][] =>
          rows.map((row) => [row.querySelector("dt")?.textContent ?? "", row.querySelector("dd")?.textContent ?? ""]),
        ),
    );
  };
  const earnings = await fieldsOf("earnings", "2026-06-17");
  assert.deepEqual(Object.keys(earnings).slice(0, 9), [
    ...["Ticker", "Company", "Date", "Date confirmed", "Time", "Period", "EPS", "EPS est.", "EPS surprise %"],
  ]);
  assert.match(earnings["EPS surprise %"] ?? "", /^[+−]\d+\.\d%$/);
  assert.match(earnings.Revenue ?? "", /^[\d.]+[MB]$/);
  assert.match(earnings["Date confirmed"] ?? "", /^(yes|no)$/);
  const guidance = await fieldsOf("guidance", "2026-06-17");
  const names = Object.keys(guidance);
  assert.equal(names.indexOf("EPS guidance, high"), names.indexOf("EPS guidance, low") + 1);
  assert.equal(guidance.Preliminary, "no");
  assert.deepEqual(names.slice(-2), ["ID", "Updated"]);
});

describe("dark mode and narrow screens", () => {
  // Other tests check all rules for ratings (`calendars.test.ts`, `phone.test.ts`), there in light.
  for (const address of [few("ratings"), `${few("guidance")}&panel=api`, "economics?view=month"]) {
    const faults = address === few("ratings") ? contrastFaults : accessibilityFaults;
    test(`${address}: fits a desktop in light and a phone in dark mode, and is accessible`, async (site) => {
      const opened = await site.open(`/calendar/${address}`);
      const { page } = opened;
      const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await page.locator("tbody tr").first().waitFor();
      assert.deepEqual(await faults(page), []);
      assert.ok((await tooWide()) <= 0);
      await page.setViewportSize({ width: 390, height: 780 });
      await turnDark(page);
      assert.deepEqual(await faults(page), []);
      assert.ok((await tooWide()) <= 0);
      assertClean(opened);
    });
  }

  test("on a phone, the first column is sticky and filters are collapsed", async (site) => {
    const opened = await openCalendar(site, "earnings", { viewport: { width: 390, height: 780 } });
    const { page } = opened;
    const first = page.locator("tbody tr[data-index='0'] th");
    const before = await first.boundingBox();
    await page.locator(".table-scroll").evaluate((each) => each.scrollTo(300, 0));
    assert.deepEqual(await first.boundingBox(), before);
    assert.ok(!(await page.getByLabel("Date from").isVisible()));
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("Date from").waitFor();
  });
});
