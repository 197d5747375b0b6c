// Tests of the page in a real browser. Every page records which hosts it requests and what it logs.
import assert from "node:assert/strict";
import { after, type TestContext } from "node:test";
import type { Browser, BrowserContext, Page, ViewportSize } from "playwright-core";
import { type Watched, watched } from "../../support/browser/browser.ts";
import { browserTest } from "../../support/browser/browser-test.ts";
import { pageService, type Service, type ServiceOptions } from "./service.ts";

export type Opened = Watched & {
  readonly page: Page;
  readonly origin: string;
  close(): Promise<void>;
};

export type OpenOptions = {
  readonly viewport?: ViewportSize;
  readonly colorScheme?: "light" | "dark";
  readonly permissions?: string[];
  /** The key in local storage, null for none; the service's by default. */
  readonly key?: string | null;
  /** With an empty cache and a separate clock. */
  readonly fresh?: true;
  /** With a service worker, which hides requests from the test. */
  readonly worker?: true;
};

/** A service, shared by the tests of a file, and browser pages. */
export type Site = {
  readonly service: Service;
  /** Opens a path in a new page, which is closed after the test. */
  open(path: string, options?: OpenOptions): Promise<Opened>;
  /** A new page without a document. */
  blank(options?: OpenOptions): Promise<Opened>;
};

export type PageTest = (name: string, run: (site: Site, t: TestContext) => Promise<void>) => void;

/**
 * Tests of one service, which is started for the first of them and filled by `fill`.
 *
 *     const test = pageTests({ demo: [] }, addAcme);
 *     test("the heading is the symbol", async ({ open }) => { … });
 */
export function pageTests(
  options: ServiceOptions = {},
  fill = async (_service: Service): Promise<void> => {},
): PageTest {
  let started: Promise<Service> | undefined;
  const start = async (): Promise<Service> => {
    const service = await pageService(options);
    await fill(service);
    return service;
  };
  after(async () => (await started)?.close());
  return (name, run) =>
    browserTest(name, async (browser, t) => {
      started ??= start();
      const service = await started;
      const all: Opened[] = [];
      const blank: Site["blank"] = async (how) => {
        const opened = await blankPage(browser, service, how);
        all.push(opened);
        return opened;
      };
      const open: Site["open"] = async (path, how) => {
        const opened = await blank(how);
        await opened.page.goto(`${service.origin}${path}`);
        return opened;
      };
      try {
        await run({ service, open, blank }, t);
      } finally {
        for (const opened of all) await opened.close();
      }
    });
}

/** Contexts of each browser, by their permissions. */
const contexts = new WeakMap<Browser, Map<string, Promise<BrowserContext>>>();

/** Reusing a context is three times as fast, as long as its renderer process lives: a first page stays open for that. */
function sharedContext(browser: Browser, origin: string, permissions: string[]): Promise<BrowserContext> {
  const ofBrowser = contexts.get(browser) ?? new Map<string, Promise<BrowserContext>>();
  contexts.set(browser, ofBrowser);
  const name = permissions.join();
  const made =
    ofBrowser.get(name) ??
    browser.newContext({ ...usual, permissions }).then(async (context) => {
      const page = await context.newPage();
      watched(page);
      await page.goto(`${origin}/page.json`);
      return context;
    });
  ofBrowser.set(name, made);
  // Otherwise, a failure would be that of all tests that follow.
  made.catch(() => ofBrowser.delete(name));
  return made;
}

const usual = {
  viewport: { width: 1280, height: 800 },
  colorScheme: "light",
  serviceWorkers: "block",
  // Every frame of an animation is painted by the CPU: a highlighted record takes 240 of them.
  reducedMotion: "reduce",
} as const;

/** A page with empty local storage, except for the key. */
export async function blankPage(
  browser: Browser,
  { origin, key: own }: Service,
  options: OpenOptions = {},
): Promise<Opened> {
  const { key = own, fresh = false, worker = false, permissions = [], viewport, colorScheme } = options;
  const context = await (fresh
    ? browser.newContext({ ...usual, permissions, serviceWorkers: worker ? "allow" : "block" })
    : sharedContext(browser, origin, permissions));
  const page = await context.newPage();
  if (viewport !== undefined) await page.setViewportSize(viewport);
  if (colorScheme !== undefined) await page.emulateMedia({ colorScheme });
  if (key !== null)
    await page.addInitScript(
      `localStorage.getItem("bellwire.key") ?? localStorage.setItem("bellwire.key", ${JSON.stringify(key)})`,
    );
  const close = async (): Promise<void> => {
    if (page.isClosed()) return;
    const session = await context.newCDPSession(page);
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "local_storage" });
    await (fresh ? context : page).close();
  };
  return { page, origin, ...watched(page), close };
}

/** Nothing was logged in the console, and no other host was requested. */
export function assertClean({ hosts, complaints, origin }: Opened): void {
  assert.deepEqual(complaints, []);
  assert.deepEqual([...hosts], [new URL(origin).host]);
}

/** Waits for text that an action shows briefly, even if this process is slow. */
export async function shownBriefly(page: Page, text: string, act: () => Promise<void>): Promise<void> {
  const seen = page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const look = new MutationObserver(() => {
          if (document.body.textContent.includes(wanted)) resolve();
        });
        look.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
    text,
  );
  await Promise.all([seen, act()]);
}

/** Presses the keys of a sequence such as `g n` without a pause between them, which would end it. */
export async function pressSequence(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}

/** Switches to dark mode and waits until the colors have changed. */
export async function turnDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("html[data-theme=dark]").waitFor();
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => {}),
  );
}

export const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
