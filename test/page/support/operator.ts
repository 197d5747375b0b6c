// For the tests of the operator's view: its keys and dialogs, a key made in it, and what the API says to one.
import type { Page } from "playwright-core";
import { part } from "./browser.ts";
import type { Service } from "./service.ts";

export const keyRow = (page: Page, name: string) =>
  part(page, "All keys with their terms").getByRole("row").filter({ hasText: name });

export const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name });

/** What the API says to a key. */
export const statusOf = async (service: Service, key: string): Promise<number> =>
  (await fetch(`${service.origin}/api/v2.1/calendar/ratings`, { headers: { authorization: `token ${key}` } })).status;

/** Makes a key in the page; gives it as it was shown. */
export async function makeKey(page: Page, name: string, fill: (form: ReturnType<typeof dialogOf>) => Promise<void>) {
  await page.getByRole("button", { name: "New key" }).click();
  const form = dialogOf(page, "New key");
  await form.getByLabel("Name", { exact: true }).fill(name);
  await fill(form);
  await form.getByRole("button", { name: "Make the key" }).click();
  return shownKey(page, name);
}

export async function shownKey(page: Page, name: string): Promise<string> {
  const shown = dialogOf(page, `The key ${name}`);
  const key = await shown.getByRole("region", { name: "The key" }).innerText();
  await shown.getByRole("button", { name: "I have it" }).click();
  await shown.waitFor({ state: "detached" });
  return key;
}
