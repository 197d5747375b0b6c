// What a webhook delivers is, event for event, what its stream sends, although receivers fail and processes take over.
import assert from "node:assert/strict";
import fc from "fast-check";
import { catalog } from "../../src/resources/catalog.ts";
import { runs, seed } from "../support/budget.ts";
import type { Api } from "../support/clients/api.ts";
import { frequentHeartbeats } from "../support/clients/event-stream.ts";
import { random } from "../support/random.ts";
import { crowd, sample } from "../support/records/records.ts";
import { requests, rowsOf } from "../support/requests/requests.ts";
import { filtersOf } from "../support/requests/stream-filters.ts";
import { onEveryStore } from "../support/stores/every-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { administering, localSending, startDelivering } from "../webhooks/support/delivering.ts";
import { type Received, startReceiver } from "../webhooks/support/receiver.ts";

const changeCount = runs(20, 300);
const webhookCount = runs(3, 20);
/** One in so many attempts fails. */
const failureRate = 8;
const retrySeconds = 10;

type Hook = { readonly id: string; readonly url: string; readonly key: string };

const firstOfEach = (received: readonly Received[]): Received[] => [
  ...new Map(received.toReversed().map((each) => [each.id, each])).values(),
];

const recordOf = ({ data }: { readonly data: { readonly id: unknown } }): string => String(data.id);

async function verify(api: Api, { id, url, key }: Hook, accepted: readonly Received[]): Promise<number> {
  const [path, query] = url.split("?");
  const { position, databaseId } = await api.store.state();
  const stream = await api.stream(`${path}/stream?${query ?? ""}${query ? "&" : ""}since=start`, {
    authorization: `Bearer ${key}`,
  });
  await waitUntil(() => Number(stream.lastId.split(".")[1]) >= position, `the stream of ${url}`);
  stream.cut();
  const suffix = id.replace("wh_", "_");
  const first = firstOfEach(accepted.filter((each) => each.id.endsWith(suffix)));
  const dataOf = new Map(first.map((each) => [each.id, /"data":(.*)\}$/s.exec(each.text)?.[1]]));
  const idOf = (position: string): string => `msg_${position.replace(".", "_")}${suffix}`;
  assert.equal(first.length, stream.events.length, url);
  for (const event of stream.events) assert.equal(dataOf.get(idOf(event.id)), event.text, url);
  const inOrder = accepted.filter((each, at) => accepted.findIndex((other) => other.id === each.id) === at);
  for (const record of new Set(stream.events.map(recordOf)))
    assert.deepEqual(
      inOrder.filter((each) => each.id.endsWith(suffix) && recordOf(each.body) === record).map((each) => each.id),
      stream.events.filter((event) => recordOf(event) === record).map((event) => idOf(event.id)),
      `${url}: the order of ${record}`,
    );
  assert.ok(stream.events.every(({ id: at }) => at.startsWith(databaseId)));
  return first.length;
}

onEveryStore("webhooks under faults", (test) => {
  for (const resource of catalog) {
    test(
      `${resource.name}: every event of the stream is delivered, in order for each record, and no other`,
      async (api) => {
        const request = await administering(api);
        const records = sample(crowd(resource, 40));
        const ids = records.slice(0, 10).map(({ id }) => String(id));
        const urls = fc.sample(requests(filtersOf(resource), records, rowsOf(resource, records)), {
          seed,
          numRuns: webhookCount - 1,
        });
        const terms = { all: { licenses: ["cusip"] }, recent: { licenses: ["cusip"], history: "2024-11-04" } };
        const keys = {
          all: await api.key({ name: "all", ...terms.all }),
          recent: await api.key({ name: "recent", ...terms.recent }),
        };
        const receiver = await startReceiver();
        const pick = random(seed);
        // Not drawn like the changes, which must not depend on when attempts arrive.
        let attempts = 0;
        receiver.respond(() => (attempts++ % failureRate === 0 ? { status: 500 } : { status: 200 }));
        const hooks: Hook[] = [];
        for (const [at, url] of [resource.path, ...urls].entries()) {
          const key = at % 2 === 0 ? "all" : "recent";
          const [, filters = ""] = url.split("?");
          const created = await request("POST", "", { url: receiver.url, resource: resource.name, filters, key });
          assert.equal(created.status, 201, `${url}: ${created.text}`);
          hooks.push({ id: created.json.id, url, key: keys[key] });
        }
        let delivering = startDelivering(api, localSending);
        try {
          for (let change = 0; change < changeCount; change++) {
            const index = pick(ids.length);
            if (pick(4) === 0) await api.store.remove(resource, [ids[index] ?? ""]);
            else await api.has(resource.name, [{ ...records[pick(records.length)], id: records[index]?.id }]);
            if (change % 5 === 0) api.clock.now += retrySeconds;
            // Another process takes over; the attempts in flight are lost.
            if (change % 12 === 11) {
              await delivering.stop();
              delivering = startDelivering(api, localSending);
            }
          }
          const { position, databaseId } = await api.store.state();
          await waitUntil(async () => {
            api.clock.now += retrySeconds;
            const { webhooks } = (await request("GET")).json;
            return webhooks.every(
              (each: { held: number; position: string }) =>
                each.held === 0 && each.position === `${databaseId}.${position}`,
            );
          }, "all deliveries");
          await delivering.stop();
          let events = 0;
          for (const hook of hooks) events += await verify(api, hook, receiver.accepted);
          assert.ok(events > changeCount / 2, `${events} events`);
          assert.ok(receiver.received.length > receiver.accepted.length, "some attempts failed");
        } finally {
          await delivering.stop();
          await receiver.close();
        }
      },
      { every: frequentHeartbeats, keyStreams: 0 },
    );
  }
});
