// Operator view in a browser with the real admin API: status, usage, mirror, and access.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { accessibilityFaults, contrastFaults } from "../accessibility.ts";
import {
  assertClean,
  type Opened,
  type OpenOptions,
  pageTests,
  region,
  type Site,
  turnDark,
} from "../support/browser.ts";
import { dialogOf, keyRow, makeKey, statusOf } from "../support/operator.ts";

let admin: string;

const test = pageTests({ demo: ["ratings"], days: 8 }, async (service) => {
  admin = await service.makeKey("operator", ["admin", "read"]);
});

const openOperator = ({ open }: Site, path = "/operator", options: OpenOptions = {}): Promise<Opened> =>
  open(path, { key: admin, ...options });

describe("the operator view", () => {
  test("shows freshness, usage, mirror, and keys, in light and dark mode", async (site) => {
    const opened = await openOperator(site);
    const { page } = opened;
    const ratings = region(page, "Freshness by resource").getByRole("row").filter({ hasText: "ratings" });
    await ratings.getByText("ago").waitFor();
    await ratings.getByText("Jun 17, 2026").waitFor();
    await region(page, "Mirror").getByText("This database isn’t a mirror.").waitFor();
    await region(page, "Webhooks").getByText("webhooks create RESOURCE --url URL").waitFor();
    await keyRow(page, "operator").getByText("admin, read").waitFor();
    await keyRow(page, "reader").getByText("valid").waitFor();
    await region(page, "Usage by key").getByRole("link", { name: "operator" }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await turnDark(page);
    assert.deepEqual(await contrastFaults(page), []);
    assertClean(opened);
  });

  test("shows its API requests without a token in the URL", async (site) => {
    const opened = await openOperator(site);
    const { page } = opened;
    await page.getByRole("link", { name: "Show API request: Usage by key" }).click();
    const panel = page.getByRole("complementary", { name: "API request" });
    const code = panel.getByRole("region", { name: "Request as URL" });
    await code.getByText("/admin/v1/usage?from=2026-05-19&to=2026-06-17").waitFor();
    assert.doesNotMatch(await code.innerText(), /token/);
    await panel.getByRole("button", { name: "curl" }).click();
    await panel.getByText("Authorization: token YOUR_KEY").waitFor();
    await page.getByRole("button", { name: "7 days" }).click();
    await panel.getByText("from=2026-06-11").waitFor();
    assertClean(opened);
  });

  test("shows the lag and the errors of a mirror", async ({ open, service }) => {
    const opened = await open("/calendar/ratings", { key: admin });
    const { page } = opened;
    await page.route("**/admin/v1/status", async (route) => {
      const response = await route.fetch();
      const counts = { created: 5, updated: 1, unchanged: 0, removed: 0, refused: 2 };
      const ratings = { resource: "ratings", records: 6, lag: 65, windows: 3, windows_left: 4, filled: false };
      await route.fulfill({
        response: response,
        json: {
          ...(await response.json()),
          mirror: {
            ...{ upstream: "https://upstream.example.com", via: "lists", holder: "host 12", feed_refused: null },
            budget: { rate: "60/min", used: 12, requests: 345 },
            resources: [{ ...ratings, down_to: "2026-01-01", counts, unknown_attributes: {}, refusals: [], gaps: [] }],
            ...{ removals: [], feed: null, errors: { ratings: { at: 1, text: "The upstream returned status 500." } } },
          },
        },
      });
    });
    await page.goto(`${service.origin}/operator`);
    const mirror = region(page, "Mirror");
    await mirror.getByText("running in host 12").waitFor();
    await mirror.getByText("The upstream returned status 500.").waitFor();
    assert.deepEqual(
      await region(page, "Mirror status by resource").locator("tbody tr").first().locator("th, td").allInnerTexts(),
      ["ratings", "6", "1 min", "from 2026-01-01, 4 windows left", "2", "0"],
    );
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  test("shows usage by day and resource, and rate-limited requests", async (site) => {
    const opened = await openOperator(site);
    const { page } = opened;
    const key = await makeKey(page, "hasty", async (form) => {
      await form.getByLabel("Rate").fill("1");
    });
    // The server's clock is fixed, so the second request exceeds one per second.
    assert.deepEqual([await statusOf(site.service, key), await statusOf(site.service, key)], [200, 429]);
    await page.keyboard.press("r");
    const limits = region(page, "Rate-limited requests, newest first").locator("tbody tr").first();
    await limits.waitFor();
    assert.deepEqual(await limits.locator("th, td").allInnerTexts(), ["Wed, Jun 17", "hasty", "ratings", "1", "50.0%"]);
    await region(page, "Usage by key").getByRole("link", { name: "hasty" }).click();
    await page.waitForURL(/[?&]key=hasty/);
    const used = region(page, "Usage of hasty by day and resource").locator("tbody tr").first();
    await used.waitFor();
    assert.deepEqual((await used.locator("th, td").allInnerTexts()).slice(0, 3), ["Wed, Jun 17", "ratings", "2"]);
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened);
  });
});

describe("the operator view without access", () => {
  test("names the required scope, and accepts another key", async (site) => {
    const { service } = site;
    const opened = await openOperator(site, "/operator", { key: service.key });
    const { page } = opened;
    await page.getByText("This view requires a key with the scope admin").waitFor();
    await page.getByText("Missing scope").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole("button", { name: "Use a different key" }).click();
    await dialogOf(page, "API key").getByLabel("API key").fill(admin);
    await page.keyboard.press("Enter");
    await keyRow(page, "operator").waitFor();
  });

  test("reports that the admin API isn't available", async ({ open, service }) => {
    const opened = await open("/calendar/ratings", { key: admin });
    const { page } = opened;
    await page.route("**/admin/**", (route) =>
      route.fulfill({ status: 404, json: { title: "Not found", detail: "Nothing is served at this path." } }),
    );
    await page.goto(`${service.origin}/operator`);
    await page.getByText("The admin API isn’t available here").waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
  });
});
