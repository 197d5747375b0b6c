// Support for calendar tests: opens a calendar and waits for its rows.
import type { Page } from "playwright-core";
import type { Opened, OpenOptions, Site } from "./browser.ts";

/** Few days, for speed, that include every kind of row. */
export const daysOf = (name: string): { readonly from: string; readonly to: string } =>
  ["ratings", "economics"].includes(name)
    ? { from: "2026-06-12", to: "2026-06-25" }
    : { from: "2026-06-16", to: "2026-06-18" };

/** Path of a calendar with these days. */
export const few = (name: string): string => `${name}?date_from=${daysOf(name).from}&date_to=${daysOf(name).to}`;

export const filled = (page: Page) => page.locator("tbody tr[data-index='0']").waitFor();

/** Opens a calendar, such as `ratings?importance=2`. */
export async function openCalendar({ open }: Site, address: string, options: OpenOptions = {}): Promise<Opened> {
  const opened = await open(`/calendar/${address}`, options);
  await filled(opened.page);
  return opened;
}
