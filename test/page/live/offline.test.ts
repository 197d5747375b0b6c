// Offline: what was viewed before is shown while the server can't be reached, only to the key that received it.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { Page } from "playwright-core";
import { pageFolder } from "../../../src/web-files.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { accessibilityFaults } from "../accessibility.ts";
import { pageTests } from "../support/browser.ts";
import { today } from "../support/service.ts";

/** A copy of the built page, which a test may update. */
const folder = mkdtempSync(join(tmpdir(), "bellwire-built-"));
cpSync(pageFolder, folder, { recursive: true });
after(() => rmSync(folder, { recursive: true, force: true }));

const test = pageTests({ demo: [], folder: () => folder }, async (service) => {
  await service.has("ratings", [{ id: "r1", ticker: "SEEN", date: today, action_company: "Upgrades" }]);
  await service.has("news", [{ id: 1, title: "Seen item", created: `${today}T09:00:00-04:00` }]);
});

const options = { fresh: true, worker: true } as const;

/** Until the service worker is active and has the files that were loaded before it. */
const untilInstalled = (page: Page) =>
  page.waitForFunction(async () => {
    const isActive = navigator.serviceWorker.controller?.state === "activated";
    if (!isActive || !(await caches.has("bellwire-page-1"))) return false;
    const urls = (await (await caches.open("bellwire-page-1")).keys()).map(({ url }) => new URL(url).pathname);
    return performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.startsWith("/assets/"))
      .every((path) => urls.includes(path));
  });

/** Until a response of the path can be shown without the server. */
const untilStored = (page: Page, path: string) =>
  page.waitForFunction(async (wanted) => {
    const names = (await caches.keys()).filter((name) => name.startsWith("bellwire-data-"));
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return all.flat().some(({ url }) => new URL(url).pathname === wanted);
  }, path);

/** Without the server: Chromium sometimes bypasses a worker that was installed a moment ago. */
const openOffline = (page: Page, url: string) =>
  waitUntil(async () => {
    try {
      await page.goto(url);
      return true;
    } catch (error) {
      if (!/ERR_CONNECTION_REFUSED/.test(String(error))) throw error;
      return false;
    }
  }, "the worker serves the page");

const cached = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const caches = await window.caches.keys();
    const all = await Promise.all(
      caches.map(async (name) =>
        Promise.all(
          (await (await window.caches.open(name)).keys()).map(async (request) =>
            [name, request.url, ...[...request.headers].flat()].join(" "),
          ),
        ),
      ),
    );
    return all.flat();
  });

test("shows what was viewed before while the server can't be reached, and recovers", async ({ open, service }) => {
  const { page } = await open("/calendar/ratings", options);
  await page.getByText("SEEN").waitFor();
  await page.getByRole("link", { name: "News" }).click();
  await page.getByText("Seen item").waitFor();
  await untilInstalled(page);
  for (const path of ["/api/v2.1/calendar/ratings", "/api/v2/news"]) await untilStored(page, path);
  await service.goAway();
  await openOffline(page, `${service.origin}/calendar/ratings`);
  await page.getByText("SEEN").waitFor();
  await page.getByText("Connection lost. Data may be stale.").waitFor();
  await page.getByRole("link", { name: "News" }).click();
  await page.getByText("Seen item").waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await service.has("news", [{ id: 2, title: "Later item", created: `${today}T10:00:00-04:00` }]);
  await service.comeBack();
  await page.getByText("Later item").waitFor();
  await page.getByText("Data may be stale.").waitFor({ state: "detached" });
});

test("stores no key, and removes what was viewed when the key is forgotten or replaced", async ({ open, service }) => {
  const { page } = await open("/calendar/ratings", options);
  await page.getByText("SEEN").waitFor();
  const stored = () => untilStored(page, "/api/v2.1/calendar/ratings");
  await stored();
  assert.equal(
    (await cached(page)).some((entry) => entry.includes(service.key)),
    false,
  );
  await page.getByRole("button", { name: "Key ✓" }).click();
  await page.getByRole("button", { name: "Forget key" }).click();
  await page.waitForFunction(async () => !(await caches.keys()).some((name) => name.startsWith("bellwire-data-")));
  // Another key of the same browser doesn't see it either.
  const other = await service.makeKey("other reader", ["read"]);
  await page.getByRole("dialog").getByLabel("API key").fill(service.key);
  await page.getByRole("button", { name: "Use key" }).click();
  await page.getByText("SEEN").waitFor();
  await stored();
  await untilInstalled(page);
  await service.goAway();
  await page.evaluate((key) => localStorage.setItem("bellwire.key", key), other);
  await openOffline(page, `${service.origin}/calendar/ratings`);
  await page.getByText("Server unreachable").waitFor();
  assert.equal(await page.getByText("SEEN").count(), 0);
  await service.comeBack();
  await page.getByText("SEEN").waitFor();
});

test("a new version of the page is shown with the next visit", async ({ open, service }) => {
  const { page } = await open("/calendar/ratings", options);
  await page.getByText("SEEN").waitFor();
  await untilInstalled(page);
  await service.goAway();
  const index = join(folder, "index.html");
  writeFileSync(index, readFileSync(index, "utf8").replace('<div id="page">', '<div id="page" data-version="2">'));
  await service.comeBack();
  // Chromium sometimes bypasses a worker that was installed a moment ago.
  await waitUntil(async () => (await page.reload())?.fromServiceWorker() === true, "the worker serves the page");
  await page.locator("#page[data-version='2']").waitFor();
  await page.getByText("SEEN").waitFor();
  // What is shown without the server.
  await page.waitForFunction(async () => {
    const document = await caches.match("/", { ignoreVary: true });
    return (await document?.text())?.includes('data-version="2"');
  });
});

test("can be installed: a manifest with an icon, and a worker with the policy of the page", async ({ service }) => {
  const get = (path: string) => fetch(`${service.origin}${path}`);
  const manifest = await get("/manifest.webmanifest");
  assert.equal(manifest.headers.get("content-type"), "application/manifest+json; charset=utf-8");
  const { icons, start_url, display } = (await manifest.json()) as {
    readonly icons: readonly { readonly src: string }[];
    readonly start_url: string;
    readonly display: string;
  };
  assert.deepEqual([start_url, display], ["/", "standalone"]);
  assert.equal((await get(icons[0]?.src ?? "")).headers.get("content-type"), "image/svg+xml");
  const worker = await get("/service-worker.js");
  assert.equal(worker.headers.get("content-type"), "text/javascript; charset=utf-8");
  assert.equal(worker.headers.get("cache-control"), "no-cache");
  assert.match(String(worker.headers.get("content-security-policy")), /connect-src 'self'/);
  assert.doesNotMatch(await worker.text(), /^(import|export) /m);
});
