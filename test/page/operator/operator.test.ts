// The operator's view, in a real browser against the real administration: how the server stands, and who may see it.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { accessibilityFaults, contrastFaults } from "../accessibility.ts";
import {
  assertClean,
  type Opened,
  type OpenOptions,
  pageTests,
  part,
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

describe("how the server stands", () => {
  test("freshness, use, mirror and keys, in light and dark colors", async (site) => {
    const opened = await openOperator(site);
    const { page } = opened;
    const ratings = part(page, "How fresh each resource is").getByRole("row").filter({ hasText: "ratings" });
    await ratings.getByText("ago").waitFor();
    await ratings.getByText("2026-06-17").waitFor();
    await part(page, "Mirror").getByText("This database is no mirror.").waitFor();
    await keyRow(page, "operator").getByText("admin, read").waitFor();
    await keyRow(page, "reader").getByText("valid").waitFor();
    await part(page, "Use by key").getByRole("link", { name: "operator" }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await turnDark(page);
    assert.deepEqual(await contrastFaults(page), []);
    assertClean(opened);
  });

  test("the requests behind it are shown, without a token in the address", async (site) => {
    const opened = await openOperator(site);
    const { page } = opened;
    await page.getByRole("link", { name: "Use by key as an API call" }).click();
    const panel = page.getByRole("complementary", { name: "As an API call" });
    const code = panel.getByRole("region", { name: "The request as URL" });
    await code.getByText("/admin/v1/usage?from=2026-05-19&to=2026-06-17").waitFor();
    assert.doesNotMatch(await code.innerText(), /token/);
    await panel.getByRole("button", { name: "curl" }).click();
    await panel.getByText("Authorization: token YOUR_KEY").waitFor();
    await page.getByRole("button", { name: "7 days" }).click();
    await panel.getByText("from=2026-06-11").waitFor();
    assertClean(opened);
  });

  test("a mirror tells how far it is behind, and what went wrong", async ({ open, service }) => {
    const opened = await open("/calendar/ratings", { key: admin });
    const { page } = opened;
    await page.route("**/admin/v1/status", async (route) => {
      const answer = await route.fetch();
      const counts = { created: 5, updated: 1, unchanged: 0, removed: 0, refused: 2 };
      const ratings = { resource: "ratings", records: 6, lag: 65, windows: 3, windows_left: 4, filled: false };
      await route.fulfill({
        response: answer,
        json: {
          ...(await answer.json()),
          mirror: {
            ...{ upstream: "https://upstream.example.com", via: "lists", holder: "host 12", feed_refused: null },
            budget: { rate: "60/min", used: 12, requests: 345 },
            resources: [{ ...ratings, down_to: "2026-01-01", counts, unknown_attributes: {}, refusals: [], gaps: [] }],
            ...{ removals: [], feed: null, errors: { ratings: { at: 1, text: "The upstream answered 500." } } },
          },
        },
      });
    });
    await page.goto(`${service.origin}/operator`);
    const mirror = part(page, "Mirror");
    await mirror.getByText("mirrored by host 12").waitFor();
    await mirror.getByText("The upstream answered 500.").waitFor();
    assert.deepEqual(
      await part(page, "How far each resource is mirrored")
        .locator("tbody tr")
        .first()
        .locator("th, td")
        .allInnerTexts(),
      ["ratings", "6", "1 min", "from 2026-01-01, 4 windows left", "2", "0"],
    );
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  test("who uses it, by day and resource, and where limits were met", async (site) => {
    const opened = await openOperator(site);
    const { page } = opened;
    const key = await makeKey(page, "hasty", async (form) => {
      await form.getByLabel("Rate").fill("1");
    });
    // The clock of the service stands still: the second request within a second is one too many.
    assert.deepEqual([await statusOf(site.service, key), await statusOf(site.service, key)], [200, 429]);
    await page.keyboard.press("r");
    const limits = part(page, "Where limits were met, newest first").locator("tbody tr").first();
    await limits.waitFor();
    assert.deepEqual(await limits.locator("th, td").allInnerTexts(), ["Wed, Jun 17", "hasty", "ratings", "1", "50.0%"]);
    await part(page, "Use by key").getByRole("link", { name: "hasty" }).click();
    await page.waitForURL(/[?&]key=hasty/);
    const used = part(page, "Use of hasty by day and resource").locator("tbody tr").first();
    assert.deepEqual((await used.locator("th, td").allInnerTexts()).slice(0, 3), ["Wed, Jun 17", "ratings", "2"]);
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened);
  });
});

describe("who may not, and where there is nothing", () => {
  test("a key without the scope is told which one is needed, and another can be given", async (site) => {
    const { service } = site;
    const opened = await openOperator(site, "/operator", { key: service.key });
    const { page } = opened;
    await page.getByText("This view is for keys with the scope admin").waitFor();
    await page.getByText("Missing scope").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole("button", { name: "Use another key" }).click();
    await dialogOf(page, "API key").getByLabel("Key").fill(admin);
    await page.keyboard.press("Enter");
    await keyRow(page, "operator").waitFor();
  });

  test("a server without administration says so", async ({ open, service }) => {
    const opened = await open("/calendar/ratings", { key: admin });
    const { page } = opened;
    await page.route("**/admin/**", (route) =>
      route.fulfill({ status: 404, json: { title: "Not found", detail: "Nothing is served at this path." } }),
    );
    await page.goto(`${service.origin}/operator`);
    await page.getByText("This server has no administration API here").waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
  });
});
