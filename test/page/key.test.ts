// The API key in a browser: entered, rejected, provided by a demo, and forgotten.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { hashKey, pageKey } from "../../src/keys/key.ts";
import { accessibilityFaults } from "./accessibility.ts";
import { assertClean, pageTests } from "./support/browser.ts";
import { now } from "./support/service.ts";

const test = pageTests({ demo: ["ratings", "economics"], days: 8 });

describe("the API key", () => {
  test("is requested in a dialog, and sent only in a header", async ({ open, service }) => {
    const opened = await open("/calendar/ratings", { key: null });
    const { page } = opened;
    const dialog = page.getByRole("dialog", { name: "API key" });
    await dialog.waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole("button", { name: "Use key" }).click();
    await dialog.getByText("Paste an API key first.").waitFor();
    const requests: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/")) requests.push(`${request.url()} ${request.headers().authorization}`);
    });
    await dialog.getByLabel("API key").fill(` ${service.key} `);
    await dialog.getByRole("button", { name: "Use key" }).click();
    await page.locator("tbody tr").first().waitFor();
    assert.ok(requests.length > 0 && requests.every((each) => each.endsWith(` token ${service.key}`)));
    assert.ok(requests.every((each) => !(each.split(" ")[0] as string).includes(service.key)));
    assert.ok(!page.url().includes(service.key));
    assertClean(opened);
    await page.reload();
    await page.locator("tbody tr").first().waitFor();
  });

  test("can be replaced after it was rejected", async ({ open, service }) => {
    const opened = await open("/calendar/ratings", { key: "bw_wrong" });
    const { page } = opened;
    const dialog = page.getByRole("dialog", { name: "API key" });
    await dialog.getByText("The server rejected the API key").waitFor();
    await dialog.getByLabel("API key").fill(service.key);
    await page.keyboard.press("Enter");
    await page.locator("tbody tr").first().waitFor();
    await page.getByText("API key rejected.").waitFor({ state: "detached" });
  });

  test("is sent once if it is invalid: one notice, one dialog, and no further requests", async ({ blank, service }) => {
    const opened = await blank({ key: "bw_wrong" });
    const { page, origin } = opened;
    let rejected = 0;
    page.on("response", (response) => {
      if ([401, 429].includes(response.status())) rejected++;
    });
    await page.goto(`${origin}/`);
    await page.getByRole("dialog", { name: "API key" }).waitFor();
    assert.equal(rejected, 1);
    // Until the server stops checking keys of this address, which is a 429.
    while ((await fetch(`${origin}/api/v2/news?token=bw_guess`)).status !== 429);
    await page.goto(`${origin}/`);
    await page.getByRole("dialog", { name: "API key" }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("alert").count(), 1);
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole("button", { name: "Key ✕" }).waitFor();
    await page.getByRole("link", { name: "Economics" }).click();
    await page.getByRole("heading", { level: 1, name: "Economic events" }).waitFor();
    assert.equal(rejected, 2);
    await page.getByRole("button", { name: "Enter API key" }).click();
    await page.locator("#key").fill(service.key);
    await page.keyboard.press("Enter");
    await page.locator("tbody tr").first().waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
  });

  test("is reported to lack a scope", async ({ open, service }) => {
    const key = await service.makeKey("writer", ["write"]);
    const opened = await open("/calendar/ratings", { key });
    await opened.page.getByText("Missing scope").waitFor();
    await opened.page.getByRole("button", { name: "Use a different key" }).click();
    await opened.page.getByRole("dialog", { name: "API key" }).waitFor();
  });

  test("is provided by a demo server until it is revoked", async ({ open, service }) => {
    const { databaseId: database } = await service.store.state();
    const hash = hashKey(pageKey(database));
    await service.store.addKey({ name: "page", hash, licenses: [], scopes: ["read"], expires: "", created: now });
    const opened = await open("/calendar/ratings", { key: null });
    const { page } = opened;
    await page.locator("tbody tr").first().waitFor();
    await page.getByRole("button", { name: "Demo key" }).waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem("bellwire.key")), null);
    await page.getByRole("button", { name: "Demo key" }).click();
    await page.locator("#key").fill("bw_wrong");
    await page.keyboard.press("Enter");
    await page.getByText("API key rejected.").waitFor();
    await page.getByRole("button", { name: "Use the demo key" }).click();
    await page.getByRole("button", { name: "Demo key" }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator("tbody tr").first().waitFor();
    await service.store.revokeKey("page", now);
    await page.reload();
    await page.getByRole("dialog", { name: "API key" }).waitFor();
    assert.deepEqual(
      opened.complaints.filter((each) => !/status of (401|429)/.test(each)),
      [],
    );
  });

  test("can be removed", async ({ open }) => {
    const opened = await open("/calendar/ratings");
    const { page } = opened;
    await page.locator("tbody tr").first().waitFor();
    await page.getByRole("button", { name: "Key ✓" }).click();
    await page.getByRole("button", { name: "Forget key" }).click();
    assert.equal(await page.evaluate(() => localStorage.getItem("bellwire.key")), null);
  });
});
