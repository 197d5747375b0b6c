// Tests in a real browser, one for all tests of a process. Without a browser they are skipped, with the reason.
import { after, type TestContext, test } from "node:test";
import type { Browser } from "playwright-core";
import { openBrowser } from "./browser.ts";
import { findBrowser, noBrowser } from "./probe.ts";

/** Only a bound: a page that no longer draws frames, as happens to Chromium on a busy machine, would wait forever. */
const timeout = 600_000;

let launched: Promise<Browser> | undefined;
/** Of all files of the process: the browser is closed after the last of them. */
let testsLeft = 0;

/**
 *     browserTest("the page shows every operation", async (browser) => { … });
 */
export function browserTest(name: string, run: (browser: Browser, t: TestContext) => Promise<void>): void {
  testsLeft++;
  // A hook of the suite that holds the test, since the first file to load this module may not be the last to need it.
  after(async () => {
    testsLeft--;
    if (testsLeft > 0) return;
    const browser = await launched;
    launched = undefined;
    await browser?.close();
  });
  test(name, { timeout }, async (t) => {
    // Not while the module loads: where files share a process, the tests of those that waited would belong to the first.
    const probe = await findBrowser();
    if ("reason" in probe) {
      t.skip(`${noBrowser}${probe.reason}`);
      return;
    }
    launched ??= openBrowser();
    await run(await launched, t);
  });
}
