// For the tests of the calendars: opens one, and waits until its rows are there.
import type { Page } from "playwright-core";
import type { Opened, OpenOptions, Site } from "./browser.ts";

/**
 * Days that show every kind of row and cell of a calendar: the work of checking them grows with their number. Ratings and
 * economic events have so many that only those near the window are drawn.
 */
export const daysOf = (name: string): { readonly from: string; readonly to: string } =>
  ["ratings", "economics"].includes(name)
    ? { from: "2026-06-12", to: "2026-06-25" }
    : { from: "2026-06-16", to: "2026-06-18" };

/** The address of a calendar on these days. */
export const few = (name: string): string => `${name}?date_from=${daysOf(name).from}&date_to=${daysOf(name).to}`;

export const filled = (page: Page) => page.locator("tbody tr[data-index='0']").waitFor();

/** Opens a calendar, such as `ratings?importance=2`. */
export async function openCalendar({ open }: Site, address: string, options: OpenOptions = {}): Promise<Opened> {
  const opened = await open(`/calendar/${address}`, options);
  await filled(opened.page);
  return opened;
}
