// A real browser, and pages of it that record which hosts they request and what they log.
import type { Browser, Page } from "playwright-core";
import { findBrowser, launchOptions, noBrowser } from "./probe.ts";

export async function openBrowser(): Promise<Browser> {
  const probe = await findBrowser();
  if ("reason" in probe) throw new Error(`${noBrowser}${probe.reason}`);
  const { chromium } = await import("playwright-core");
  return chromium.launch(launchOptions(probe.launch));
}

export type Watched = {
  /** With their ports. */
  readonly hosts: ReadonlySet<string>;
  /** Errors and warnings of the console, and of the policy. */
  readonly complaints: string[];
};

export function watched(page: Page): Watched {
  // Only a bound for a busy machine: every wait ends as soon as what it waits for is there.
  page.setDefaultTimeout(120_000);
  const hosts = new Set<string>();
  const complaints: string[] = [];
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:") hosts.add(host);
  });
  page.on("console", (message) => {
    // Logged by Playwright itself where a test blocks service workers.
    if (message.text().startsWith("Service Worker registration blocked")) return;
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { hosts, complaints };
}
