// Support for operator view tests: key rows, dialogs, and new keys.
import type { Page } from "playwright-core";
import { region } from "./browser.ts";
import type { Service } from "./service.ts";

export const keyRow = (page: Page, name: string) =>
  region(page, "API keys and their terms").getByRole("row").filter({ hasText: name });

export const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name });

/** Status of an API response to the key. */
export const statusOf = async (service: Service, key: string): Promise<number> =>
  (await fetch(`${service.origin}/api/v2.1/calendar/ratings`, { headers: { authorization: `token ${key}` } })).status;

/** Creates a key in the page and returns it. */
export async function makeKey(page: Page, name: string, fill: (form: ReturnType<typeof dialogOf>) => Promise<void>) {
  await page.getByRole("button", { name: "New key" }).click();
  const form = dialogOf(page, "New API key");
  await form.getByLabel("Name", { exact: true }).fill(name);
  await fill(form);
  await form.getByRole("button", { name: "Create key" }).click();
  return shownKey(page, name);
}

export async function shownKey(page: Page, name: string): Promise<string> {
  const shown = dialogOf(page, `API key ${name}`);
  const key = await shown.getByRole("region", { name: "API key" }).innerText();
  // Escape, even twice, doesn't discard the only copy.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await shown.getByRole("button", { name: "Done" }).click();
  await shown.waitFor({ state: "detached" });
  return key;
}
