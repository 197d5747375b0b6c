// Accessibility of every layout at three widths, in light and dark, with dialogs.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { accessibilityFaults, contrastFaults } from "../accessibility.ts";
import { assertClean, pageTests, turnDark } from "../support/browser.ts";

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

for (const width of [1440, 1024, 390]) {
  test(`at ${width} pixels, every layout and dialog is accessible in light and dark`, async ({ open }) => {
    const opened = await open("/page.json", { viewport: { width, height: 844 } });
    const { page, origin } = opened;
    for (const [path, last] of Object.entries(views)) {
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(`${origin}${path}`);
      await page.locator(last).first().waitFor();
      assert.deepEqual(await accessibilityFaults(page), [], path);
      await turnDark(page);
      assert.deepEqual(await contrastFaults(page), [], `${path} in dark mode`);
    }
    for (const show of dialogs) {
      await show(page);
      await page.getByRole("dialog").waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    assertClean(opened);
  });
}
