// For the tests of the calendars: opens one, and waits until its rows are there.
import type { Page } from "playwright-core";
import type { Opened, OpenOptions, Site } from "./browser.ts";

/** Days with some records of every calendar: what has to be checked in them grows with their number. */
export const few = "?date_from=2026-06-12&date_to=2026-06-25";

export const filled = (page: Page) => page.locator("tbody tr[data-index='0']").waitFor();

/** Opens a calendar, such as `ratings?importance=2`. */
export async function openCalendar({ open }: Site, address: string, options: OpenOptions = {}): Promise<Opened> {
  const opened = await open(`/calendar/${address}`, options);
  await filled(opened.page);
  return opened;
}
