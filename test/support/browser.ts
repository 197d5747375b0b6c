// A real browser, and pages of it that remember which hosts they ask and what they complain about.
import pack from "@sparticuz/chromium";
import { type Browser, chromium, type Page } from "playwright-core";

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await pack.executablePath(),
    args: [
      // The page must hold up under the rules that a user's browser applies; and one process for all pages ends with the first.
      ...pack.args.filter((flag) => !["--disable-web-security", "--single-process"].includes(flag)),
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
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
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { hosts, complaints };
}
