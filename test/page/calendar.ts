// For the tests of the calendars: opens one, and waits until its rows are there.
import type { Browser, Page } from "playwright-core";
import { type Opened, type OpenOptions, open } from "./browser.ts";
import type { Service } from "./service.ts";

/** Days with some records of every calendar: what has to be checked in them grows with their number. */
export const few = "?date_from=2026-06-12&date_to=2026-06-25";

export const filled = (page: Page) => page.locator("tbody tr[data-index='0']").waitFor();

export async function openCalendar(
  browser: Browser,
  service: Service,
  path: string,
  options: OpenOptions = {},
): Promise<Opened> {
  const opened = await open(browser, service, `/calendar/${path}`, options);
  await filled(opened.page);
  return opened;
}
