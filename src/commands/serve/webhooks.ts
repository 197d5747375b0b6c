// Delivers webhooks alongside the server: in one process of all that serve the database.
import type { Config } from "../../config.ts";
import type { Log } from "../../http/observe/log.ts";
import { throttledWarning } from "../../http/observe/throttled-warning.ts";
import { systemClock } from "../../lease/clock.ts";
import { version } from "../../package.ts";
import { catalog } from "../../resources/catalog.ts";
import { compatTable } from "../../resources/compat/compat.ts";
import { parseList } from "../../settings/setting.ts";
import { type Store, StoreError } from "../../store/store.ts";
import { Deliverer } from "../../webhooks/deliverer.ts";
import { sendOptions } from "../../webhooks/send.ts";

export function webhookDeliverer(config: Config, store: Store, log: Log, now: () => number): Deliverer {
  const throttled = throttledWarning(log, () => performance.now() / 1000);
  const waiting = throttled("webhooks are waiting for the database");
  const failed = throttled("internal error of webhooks");
  return new Deliverer({
    store,
    lists: { catalog, compatTable, compat: config.get("compat") === "true" },
    send: sendOptions(version, parseList(config.get("webhook-networks"))),
    now,
    clock: systemClock,
    onError: (error) => (error instanceof StoreError ? waiting(error) : failed(error)),
  });
}
