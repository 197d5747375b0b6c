// A real browser for the tests of the page. Every page remembers which hosts it asks and what it complains about.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Watched, watched } from "../support/browser.ts";
import type { Service } from "./service.ts";

export type Opened = Watched & {
  readonly page: Page;
  close(): Promise<void>;
};

export type OpenOptions = BrowserContextOptions & {
  /** The key that this browser has kept; null: none. The service's own unless said. */
  readonly key?: string | null;
};

/** Opens an address of the page in a browser of its own: nothing is kept from one to the next. */
export async function open(
  browser: Browser,
  service: Service,
  path: string,
  options: OpenOptions = {},
): Promise<Opened> {
  const { key = service.key, ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...rest });
  if (key !== null)
    await context.addInitScript(
      `localStorage.getItem("bellwire.key") ?? localStorage.setItem("bellwire.key", ${JSON.stringify(key)})`,
    );
  const page = await context.newPage();
  const seen = watched(page);
  page.setDefaultTimeout(60_000);
  await page.goto(`${service.origin}${path}`);
  return { page, ...seen, close: () => context.close() };
}

/** Nothing was said in the console, and nobody else was asked. */
export function assertClean({ hosts, complaints }: Opened, service: Service): void {
  assert.deepEqual(complaints, []);
  assert.deepEqual([...hosts], [new URL(service.origin).host]);
}

/** The part of a page with this name. */
export const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe-core finds wrong, in words; the script is put in from outside, past the page's own policy. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    type Found = { violations: { id: string; help: string; nodes: { html: string }[] }[] };
    const { axe } = globalThis as unknown as { axe: { run(): Promise<Found> } };
    const { violations } = await axe.run();
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
}
