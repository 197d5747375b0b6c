// A hub that looks for changes only when its test says so, and subscribers whose keys the test checks.
import assert from "node:assert/strict";
import { Hub } from "../../src/live/hub.ts";
import type { CloseReason } from "../../src/live/subscriber.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { ratings } from "../../src/resources/ratings.ts";
import type { StoreState } from "../../src/store/store.ts";
import type { Api } from "../support/clients/api.ts";
import { parseUrl } from "../support/requests/requests.ts";

/** `check` returns why the stream ends, if it does. */
export function hubOf(api: Api) {
  const { store } = api;
  const hub = new Hub({
    catalog,
    store,
    now: () => api.clock.now,
    onError: (error) => assert.fail(String(error)),
    every: () => () => {},
  });
  const subscribe = async (
    parsedWith: StoreState,
    check: () => Promise<CloseReason | undefined> = async () => undefined,
  ) => {
    const seen = { checks: 0, events: [] as string[], closed: undefined as CloseReason | undefined };
    const until = Number.POSITIVE_INFINITY;
    await hub.subscribe(ratings, 0, await store.state(), {
      plan: parseUrl(ratings, ratings.path)?.plan ?? assert.fail(),
      form: { key: "", text: () => "" },
      visibility: undefined,
      until,
      from: parsedWith.position,
      parsedWith,
      sink: {
        event: (action, _seq, _text, id) => seen.events.push(`${action} ${id}`),
        flush: () => {},
        heartbeat: () => {},
        close: (reason) => {
          seen.closed = reason;
        },
        buffered: 0,
        drained: async () => {},
        drains: 0,
      },
      client: {
        recheck: async () => {
          seen.checks++;
          return (await check()) ?? until;
        },
        info: () => assert.fail(),
      },
    });
    return seen;
  };
  return { hub, subscribe };
}
