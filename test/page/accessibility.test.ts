// The accessibility checks themselves: their shortcuts must not hide faults.
import assert from "node:assert/strict";
import { browserTest } from "../support/browser/browser-test.ts";
import { accessibilityFaults, contrastFaults } from "./accessibility.ts";

const document = (body: string): string =>
  `<!doctype html><html lang="en"><title>Test</title><style>
    p { color: #777 } .dark { background: #555 } p.faint { color: #ddd } .zebra p:nth-child(even) { background: #999 }
  </style><main><h1>Test</h1>${body}</main></html>`;

browserTest(
  "checks contrast for every combination of colors and fonts, and other rules for every element",
  async (browser) => {
    const page = await browser.newPage({ colorScheme: "light" });
    const faultsOf = async (body: string): Promise<number> => {
      await page.setContent(document(body));
      const faults = await contrastFaults(page);
      assert.deepEqual(await accessibilityFaults(page), faults);
      return faults.length;
    };
    const fine = "<p style='color: #333'>One</p><p style='color: #333'>Two</p>";
    assert.equal(await faultsOf(fine), 0);
    assert.equal(await faultsOf(`${fine}<p class="faint">Three</p>`), 1);
    assert.equal(await faultsOf(`${fine}<div class="dark">${fine}</div>`), 1);
    assert.equal(await faultsOf(`<div class="zebra">${fine.replaceAll("#333", "#444")}</div>`), 1);
    assert.equal(await faultsOf(`${fine}<div style="opacity: 0.2">${fine}</div>`), 1);
    await page.setContent(document("<button>One</button><button></button>"));
    assert.match((await accessibilityFaults(page)).join(), /^button-name: [^,]*$/);
    assert.equal(await page.locator("[data-distinct-text]").count(), 0);
    await page.setContent(document("<button></button><dialog><a href='/'></a><p class='faint'>Four</p></dialog>"));
    await page.evaluate(() => globalThis.document.querySelector("dialog")?.showModal());
    assert.deepEqual(
      (await accessibilityFaults(page)).map((fault) => fault.replace(/:.*/s, "")),
      ["color-contrast", "link-name"],
    );
    await page.close();
  },
);
