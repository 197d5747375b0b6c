// The test kit with node:test: one server per test, closed by `await using`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { rating, startBellwire } from "bellwire/testing";
import { upgradesByFirm } from "./upgrades.js";

test("counts upgrades by firm", async () => {
  const upgrade = { date: "2026-01-15", action_company: "Upgrades" };
  await using server = await startBellwire({
    records: {
      ratings: [
        rating({ ...upgrade, analyst: "Harbor & Finch" }),
        rating({ ...upgrade, analyst: "Harbor & Finch" }),
        rating({ ...upgrade, analyst: "North Quay" }),
        rating({ ...upgrade, date: "2026-01-14" }),
        rating({ ...upgrade, action_company: "Downgrades" }),
      ],
    },
  });
  const counts = await upgradesByFirm({ ...server, dateFrom: "2026-01-15" });
  assert.deepEqual(Object.fromEntries(counts), { "Harbor & Finch": 2, "North Quay": 1 });
});

test("retries while the server is unavailable", async () => {
  await using server = await startBellwire({ records: { ratings: [rating({ date: "2026-01-15" })] } });
  server.fault({ status: 503, times: 2 });
  assert.equal((await upgradesByFirm({ ...server, dateFrom: "2026-01-15" })).size, 1);
  assert.deepEqual(
    server.requests.map(({ status }) => status),
    [503, 503, 200],
  );
});
