// Streams and webhooks in the operator view, with the real admin API.
import assert from "node:assert/strict";
import { waitUntil } from "../../support/wait-until.ts";
import { accessibilityFaults } from "../accessibility.ts";
import { assertClean, pageTests, region } from "../support/browser.ts";

let admin: string;

const test = pageTests({ demo: [] }, async (service) => {
  admin = await service.makeKey("operator", ["admin", "read"]);
});

test("shows who is connected to streams, and how far each client has come", async ({ open, service }) => {
  const aborter = new AbortController();
  // Held until the end: a response that is collected as garbage closes its connection.
  const stream = await fetch(`${service.origin}/api/v2.1/calendar/ratings/stream?parameters[tickers]=F`, {
    headers: { authorization: `token ${service.key}` },
    signal: aborter.signal,
  });
  const isLive = async (): Promise<boolean> => {
    const list = await fetch(`${service.origin}/admin/v1/streams`, { headers: { authorization: `token ${admin}` } });
    const { streams } = (await list.json()) as { streams: { phase: string }[] };
    return streams[0]?.phase === "live";
  };
  await waitUntil(isLive, "the stream has caught up");
  const opened = await open("/operator", { key: admin });
  const { page } = opened;
  const row = region(page, "Open streams, furthest behind first").getByRole("row").filter({ hasText: "reader" });
  await row.getByText("ratings", { exact: true }).waitFor();
  assert.match((await row.innerText()).replace(/\s+/g, " "), /parameters\[tickers\]=F .*127\.0\.0\.1 .*live/);
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal(stream.status, 200);
  aborter.abort();
  assertClean(opened);
});

test("shows webhooks, and the delivery log of the selected one", async ({ open, service }) => {
  const created = await fetch(`${service.origin}/admin/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `token ${admin}`, "content-type": "application/json" },
    body: JSON.stringify({ url: "https://192.0.2.1/hooks", resource: "ratings", filters: "parameters[tickers]=F" }),
  });
  assert.equal(created.status, 201, await created.text());
  const opened = await open("/operator", { key: admin });
  const { page } = opened;
  const delivery = { at: "2026-06-17T20:00:00Z", id: "msg_1", event: "ratings.created", attempt: 2, milliseconds: 84 };
  await page.route("**/deliveries", (route) =>
    route.fulfill({ json: { deliveries: [{ ...delivery, status: 503, response: "try later" }] } }),
  );
  const webhook = region(page, "Webhooks and their state")
    .getByRole("row")
    .filter({ hasText: "https://192.0.2.1/hooks" });
  await webhook.getByText("active").waitFor();
  await webhook.getByRole("button", { name: "Details: deliveries to https://192.0.2.1/hooks" }).click();
  await page.waitForURL(/webhook=wh_/);
  const log = region(page, "Deliveries to https://192.0.2.1/hooks, newest first").locator("tbody tr");
  await log.getByText("try later").waitFor();
  assert.match((await log.innerText()).replace(/\s+/g, " "), /ratings\.created 503 2 84 ms/);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.deepEqual(await accessibilityFaults(page), []);
  assertClean(opened);
});
