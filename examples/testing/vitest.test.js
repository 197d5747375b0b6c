// The test kit with vitest: one server for the file.
import { rating, startBellwire } from "bellwire/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { upgradesByFirm } from "./upgrades.js";

const dateFrom = "2026-01-15";
let server;

beforeAll(async () => {
  server = await startBellwire({ records: { ratings: [rating({ date: dateFrom, analyst: "Harbor & Finch" })] } });
});
afterAll(() => server.close());

test("counts upgrades by firm", async () => {
  expect(await upgradesByFirm({ ...server, dateFrom })).toEqual(new Map([["Harbor & Finch", 1]]));
});

test("counts a rating that was published meanwhile", async () => {
  await server.put({ ratings: [rating({ date: dateFrom, analyst: "North Quay" })] });
  expect([...(await upgradesByFirm({ ...server, dateFrom })).keys()].sort()).toEqual(["Harbor & Finch", "North Quay"]);
});
