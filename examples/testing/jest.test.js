// The test kit with jest: the demo, the same in every run.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startBellwire } from "bellwire/testing";
import { upgradesByFirm } from "./upgrades.js";

let server;

beforeAll(async () => {
  server = await startBellwire({ clock: "2026-01-15T12:00:00Z", seed: 7 });
});
afterAll(() => server.close());

test("finds upgrades in the demo", async () => {
  const counts = await upgradesByFirm({ ...server, dateFrom: "2026-01-08" });
  expect(counts.size).toBeGreaterThan(0);
});

test("sends the key in a header", async () => {
  await upgradesByFirm({ ...server, dateFrom: "2026-01-08" });
  const request = server.requests.at(-1);
  expect(request.headers.authorization).toBe(`Bearer ${server.token}`);
  expect(request.query.get("parameters[action]")).toBe("Upgrades");
});
