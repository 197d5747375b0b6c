// Decision 040: lists of names reveal no record that a key doesn't see.
import assert from "node:assert/strict";
import { recordsOf } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

onEveryStore("key terms", (test) => {
  test("limit channels, analysts, and firms to those of the records that the key sees", async (api) => {
    const { now } = api.clock;
    const rating = (id: string, date: string, updated: number) => ({
      ...{ id, date, updated, analyst_id: `analyst-${id}`, analyst_name: id },
      ...{ firm_id: `firm-${id}`, analyst: id },
    });
    await api.has("ratings", [
      rating("old", "2024-01-05", now - 90_000),
      rating("seen", "2026-01-14", now - 90_000),
      rating("new", "2026-01-15", now - 60),
    ]);
    const item = (id: number, created: number, channel: string) => ({ id, created, channels: [{ name: channel }] });
    await api.has("news", [item(1, now - 60_000_000, "Old"), item(2, now - 90_000, "Seen"), item(3, now - 60, "New")]);
    const lists = {
      "/api/v2.1/calendar/ratings/analysts": "id",
      "/api/v2.1/calendar/ratings/firms": "id",
      "/api/v2.1/news/channels": "name",
    };
    for (const [terms, expected] of [
      [{}, ["new", "old", "seen"]],
      [{ delay: 15 }, ["old", "seen"]],
      [{ history: "30d" }, ["new", "seen"]],
      [{ delay: 15, history: "30d" }, ["seen"]],
    ] as const) {
      const headers = { authorization: `Bearer ${await api.key(terms)}` };
      for (const [url, name] of Object.entries(lists)) {
        const found = recordsOf((await api.request(url, { headers })).json).map((each) =>
          String(each[name]).toLowerCase().split("-").at(-1),
        );
        assert.deepEqual(found, expected, `${url} ${JSON.stringify(terms)}`);
      }
      const paged = await api.request("/api/v2.1/calendar/ratings/firms?pagesize=1", { headers });
      assert.equal(recordsOf(paged.json)[0]?.id, `firm-${expected[0]}`);
    }
  });
});
