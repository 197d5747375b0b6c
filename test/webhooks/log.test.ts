// The log of deliveries has every attempt, also those made while earlier ones are saved.
import assert from "node:assert/strict";
import type { Store } from "../../src/store/store.ts";
import { onEveryStore } from "../support/stores/every-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { administering, localSending, startDelivering } from "./support/delivering.ts";
import { startReceiver } from "./support/receiver.ts";

onEveryStore("the log of deliveries", (test) => {
  test("has attempts that are made while earlier ones are saved", async (api) => {
    const receiver = await startReceiver();
    const request = await administering(api);
    const { id } = (await request("POST", "", { url: receiver.url, resource: "ratings" })).json;
    let isFirst = true;
    const save: Store["webhooks"]["save"] = async (progress, deliveries) => {
      await api.store.webhooks.save(progress, deliveries);
      if (deliveries.length === 0 || !isFirst) return;
      isFirst = false;
      for (const notes of ["2", "3"]) await api.has("ratings", [{ id: "a", notes }]);
      // They are attempted in order: the second one has ended by the time the third one arrives.
      await waitUntil(() => receiver.received.length === 3);
    };
    const store = { ...api.store, webhooks: { ...api.store.webhooks, save } };
    const errors: unknown[] = [];
    const { stop } = startDelivering({ store, clock: api.clock }, localSending, errors);
    try {
      await api.has("ratings", [{ id: "a", notes: "1" }]);
      await waitUntil(() => receiver.received.length === 3);
    } finally {
      await stop();
      await receiver.close();
    }
    assert.equal((await request("GET", `/${id}/deliveries`)).json.deliveries.length, 3);
    assert.deepEqual(errors, []);
  });
});
