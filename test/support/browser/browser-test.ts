// Tests in a real browser, one for all tests of a process. Without a browser they are skipped, with the reason.
import { after, type TestContext, test } from "node:test";
import type { Browser } from "playwright-core";
import { openBrowser } from "./browser.ts";
import { findBrowser, noBrowser } from "./probe.ts";

const probe = await findBrowser();
const skip = "reason" in probe ? `${noBrowser}${probe.reason}` : false;

let launched: Promise<Browser> | undefined;

after(async () => (await launched)?.close());

/**
 *     browserTest("the page shows every operation", async (browser) => { … });
 */
export function browserTest(name: string, run: (browser: Browser, t: TestContext) => Promise<void>): void {
  test(name, { skip }, async (t) => {
    launched ??= openBrowser();
    await run(await launched, t);
  });
}
