// Finds the browser of a run of tests and launches it once, for a limited time. All test processes of the run get the
// outcome through the environment: nothing waits for a browser that can't start.
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { LaunchOptions } from "playwright-core";
import { chooseBrowser, type Machine } from "./choice.ts";
import { npmBrowserArguments, npmBrowserEnvironment, unpackNpmBrowser } from "./npm-browser.ts";

export type Launch = {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly sandbox: boolean;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
};

/** How to launch the browser, or why there is none. */
export type Probe = { readonly launch: Launch } | { readonly reason: string };

/** Starts the reason of every test that is skipped for lack of a browser. */
export const noBrowser = "no browser: ";

const variable = "BELLWIRE_PROBED_BROWSER";

/** Only a bound for a busy machine: a browser that works takes a second or two. */
const timeLimit = 60_000;

const commonArguments = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-dev-shm-usage",
  // Emulating a graphics card for the compositor takes as much CPU time as the page itself.
  "--disable-gpu",
  "--disable-quic",
  "--disable-sync",
  "--no-first-run",
  // The pages of a test and of the one after it are drawn by one process, which has their scripts compiled already.
  "--process-per-site",
  "--renderer-process-limit=1",
  "--disable-site-isolation-trials",
];

/** The machine this runs on; `env` replaces its environment in tests. */
export const thisMachine = (env: Machine["env"] = process.env): Machine => ({
  platform: process.platform,
  arch: process.arch,
  env,
  isExecutable(file) {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  },
  list(directory) {
    try {
      return readdirSync(directory);
    } catch {
      return [];
    }
  },
});

async function resolveLaunch(machine: Machine): Promise<Probe> {
  const choice = chooseBrowser(machine);
  if (choice.kind === "none") return { reason: choice.reason };
  if (choice.kind === "npm") {
    const directory = await unpackNpmBrowser();
    const args = [...commonArguments, ...npmBrowserArguments];
    const executablePath = join(directory, "chromium");
    return { launch: { executablePath, args, sandbox: false, env: npmBrowserEnvironment(directory) } };
  }
  // Root can't use the sandbox, and Playwright's builds lack the helper that it needs on many machines.
  const sandbox = process.getuid?.() !== 0 && choice.kind === "installed";
  return { launch: { executablePath: choice.executablePath, args: commonArguments, sandbox } };
}

/** Resolves the browser and has it show a page, once. It is then killed, within half a minute if it hangs. */
export async function probeBrowser(machine = thisMachine(), milliseconds = timeLimit): Promise<Probe> {
  let name = "the browser from npm";
  try {
    const found = await resolveLaunch(machine);
    if ("reason" in found) return found;
    name = found.launch.executablePath;
    await showPage(found.launch, milliseconds);
    return found;
  } catch (error) {
    return { reason: `${name} can't be started: ${summaryOf(error as Error)}` };
  }
}

export const launchOptions = ({ executablePath, args, sandbox, env = {} }: Launch): LaunchOptions => ({
  executablePath,
  args: [...args],
  chromiumSandbox: sandbox,
  env: { ...process.env, ...env },
});

async function showPage(launch: Launch, timeout: number): Promise<void> {
  const { chromium } = await import("playwright-core");
  const server = await chromium.launchServer({ ...launchOptions(launch), timeout });
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`it showed no page within ${timeout / 1000} s`)), timeout);
  const shown = chromium.connect(server.wsEndpoint()).then(async (browser) => {
    const page = await browser.newPage();
    await page.setContent("<h1>Bellwire</h1>");
    await page.getByRole("heading", { name: "Bellwire" }).waitFor();
  });
  try {
    await Promise.race([shown, expired]);
  } finally {
    clearTimeout(timer);
    await server.kill();
    await shown.catch(() => {});
  }
}

/** Playwright's errors hold whole logs: what it says itself, and what the browser printed first. */
function summaryOf({ message }: Error): string {
  const lines = stripVTControlCharacters(message).split("\n");
  const printed = lines.map((line) => /\[err\] (.+)/.exec(line)?.[1]).find((line) => line !== undefined);
  return [lines[0]?.replace(/^[\w.]+: /, ""), printed].filter((line) => line !== undefined).join(": ");
}

let found: Promise<Probe> | undefined;

/** The browser of this run: as the runner found it, or probed here if a test file runs alone. */
export function findBrowser(): Promise<Probe> {
  const outcome = process.env[variable];
  found ??= outcome === undefined ? probeBrowser() : Promise.resolve(JSON.parse(outcome) as Probe);
  return found;
}

/** For the processes of a run: they use this outcome and probe nothing themselves. */
export const browserEnvironment = async (): Promise<Record<string, string>> => ({
  [variable]: JSON.stringify(await findBrowser()),
});

/** If the reason for a skipped test is that there is no browser. */
export const isBrowserSkip = (skip: unknown): boolean => typeof skip === "string" && skip.startsWith(noBrowser);

/** The line that ends a run in which tests were skipped for lack of a browser. */
export async function skippedSummary(count: number, outcome = findBrowser()): Promise<string> {
  const probe = await outcome;
  const reason = "reason" in probe ? probe.reason : "unknown reason";
  const tests = count === 1 ? "1 test was skipped" : `${count} tests were skipped`;
  return `${tests}, ${noBrowser}${reason}. To run them, install Chromium (Debian, Ubuntu: apt-get install chromium) or Chrome (macOS, Windows), or set BELLWIRE_TEST_BROWSER to the path of one.`;
}

/** With BELLWIRE_REQUIRE_BROWSER=true, a run that skipped browser tests has failed. */
export const isFailedBySkips = (count: number, env: Machine["env"] = process.env): boolean =>
  count > 0 && env.BELLWIRE_REQUIRE_BROWSER === "true";
