// Accessibility of every layout at three widths, in light and dark, with dialogs.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { isLong } from "../../support/budget.ts";
import { accessibilityFaults, contrastFaults } from "../accessibility.ts";
import { assertClean, pageTests, turnDark } from "../support/browser.ts";
import { few, filled } from "../support/calendar.ts";

const test = pageTests({ days: 14 });

/** Views with a selector for what appears last. */
const views: Readonly<Record<string, string>> = {
  "/day/2026-06-17": ".headlines li",
  "/calendar/economics?view=agenda&date_from=2026-06-15&date_to=2026-06-21": "tr[data-index]",
  "/calendar/earnings?view=week&date_from=2026-06-15": "td:not(.other) li",
  "/calendar/ratings?view=month&date_from=2026-06-01": "td:not(.other) li",
  "/ticker/DELL": ".ticker-headlines li",
};

/** Dialogs, by how they are opened. */
const dialogs: readonly ((page: Page) => Promise<void>)[] = [
  (page) => page.keyboard.press("?"),
  (page) => page.getByRole("button", { name: /^Key ✓/ }).click(),
  (page) => page.getByRole("button", { name: "Share" }).click(),
];

const desktop = { width: 1440, height: 844 };
const tablet = { width: 1024, height: 844 };
const phone = { width: 390, height: 844 };

test("every layout is accessible in light and dark", async ({ open }) => {
  const opened = await open("/page.json", { viewport: desktop });
  const { page, origin } = opened;
  for (const [at, [path, last]] of Object.entries(views).entries()) {
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(desktop);
    await page.goto(`${origin}${path}`);
    await page.locator(last).first().waitFor();
    assert.deepEqual(await accessibilityFaults(page), [], path);
    // One view for each width, and all in the long run; `phone.test.ts` checks more of them on a phone.
    for (const [turn, narrow] of [tablet, phone].entries()) {
      if (!isLong && at % 2 !== turn) continue;
      await page.setViewportSize(narrow);
      assert.deepEqual(await accessibilityFaults(page), [], `${path} at ${narrow.width} pixels`);
    }
    await turnDark(page);
    assert.deepEqual(await contrastFaults(page), [], `${path} in dark mode`);
  }
  assertClean(opened);
});

test("every dialog is accessible at three widths", async ({ open }) => {
  const opened = await open(`/calendar/${few("guidance")}`);
  const { page } = opened;
  // The keys work once the page has started.
  await filled(page);
  for (const show of dialogs) {
    await show(page);
    await page.getByRole("dialog").waitFor();
    for (const size of [desktop, tablet, phone]) {
      await page.setViewportSize(size);
      assert.deepEqual(await accessibilityFaults(page), [], `at ${size.width} pixels`);
    }
    await page.setViewportSize(desktop);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  assertClean(opened);
});
