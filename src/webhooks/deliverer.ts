// Delivers all webhooks of a database, in one process at a time: follows their changes, and saves how far each has come.
import { setTimeout } from "node:timers/promises";
import { type DeliveryRow, maxLoggedDeliveries, type WebhookRow } from "../core/webhook.ts";
import type { Clock } from "../lease/clock.ts";
import { acquireLease } from "../lease/lease.ts";
import { everyInterval, Hub, type HubOptions } from "../live/hub.ts";
import type { Family } from "../metrics/family.ts";
import type { KeyRow, Store, StoreState } from "../store/store.ts";
import type { Lists } from "./definition.ts";
import { DeliveryStatistics } from "./metrics.ts";
import type { SendOptions } from "./send.ts";
import { Subscription, type SubscriptionDeps } from "./subscription.ts";

type DelivererOptions = {
  readonly store: Store;
  readonly lists: Lists;
  readonly send: SendOptions;
  /** Unix seconds. */
  readonly now: () => number;
  /** Of the lease. */
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** A test may be in a hurry. */
  readonly timing?: DeliveryTiming;
};

const leaseName = "webhooks lease";

const defaultTiming = {
  /** How often webhooks are looked at: for changes, which cost no query, and for retries that are due. */
  tickMs: 100,
  /** How often progress is saved. A process that is killed repeats the deliveries since then. */
  saveMs: 500,
  /** How often a process that delivers nothing looks whether there are webhooks. */
  idleMs: 1000,
  /** How often positions move past events that concern no webhook. */
  coverMs: 1000,
  /** How long attempts in flight may take when their subscription ends, or the process stops. */
  closeMs: 3000,
};

type DeliveryTiming = typeof defaultTiming;

export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #statistics = new DeliveryStatistics();
  #isDelivering = false;

  constructor(options: DelivererOptions) {
    this.#options = options;
  }

  /** None while another process delivers. */
  families(): Family[] {
    return this.#isDelivering ? this.#statistics.families() : [];
  }

  /** Delivers whenever this process holds the lease, until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, clock, onError, timing: { idleMs } = defaultTiming } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#untilWebhooksExist(signal);
        const lease = await acquireLease(store, leaseName, clock, signal, () => {});
        if (lease === undefined) return;
        this.#isDelivering = true;
        try {
          await new Session(this.#options, this.#statistics).run(signal, lease.lost);
        } finally {
          this.#isDelivering = false;
          await lease.release();
        }
      } catch (error) {
        onError(error);
        await clock.sleep(idleMs, signal);
      }
    }
  }

  async #untilWebhooksExist(signal: AbortSignal): Promise<void> {
    const { store, clock, timing: { idleMs } = defaultTiming } = this.#options;
    for (let seen: string | undefined; !signal.aborted; ) {
      const tag = versionOf(await store.state());
      if (tag !== seen && (await store.webhooks.list()).length > 0) return;
      seen = tag;
      await clock.sleep(idleMs, signal);
    }
  }
}

/** Changes whenever a webhook does. */
const versionOf = (state: StoreState): string => state.versionTag({ name: "webhooks" });

/** While this process holds the lease. */
class Session {
  readonly #options: DelivererOptions;
  readonly #statistics: DeliveryStatistics;
  readonly #hub: Hub;
  readonly #deps: SubscriptionDeps;
  readonly #subscriptions = new Map<string, Subscription>();
  #log: DeliveryRow[] = [];
  #version: string | undefined;
  readonly #saved = new Map<string, string>();

  constructor(options: DelivererOptions, statistics: DeliveryStatistics) {
    const { store, lists, send, now, onError, timing: { coverMs } = defaultTiming } = options;
    this.#options = options;
    this.#statistics = statistics;
    const every: HubOptions["every"] = (ms, callback) => everyInterval(Math.min(ms, coverMs), callback);
    this.#hub = new Hub({ catalog: lists.catalog, store, now, onError, every });
    this.#deps = {
      ...{ store: withCachedKeys(store), hub: this.#hub, lists, send, now, statistics, onError },
      log: (delivery) => this.#log.push(delivery),
    };
  }

  get #timing(): DeliveryTiming {
    return this.#options.timing ?? defaultTiming;
  }

  #closeLimit(): AbortSignal {
    return AbortSignal.timeout(this.#timing.closeMs);
  }

  async run(signal: AbortSignal, lost: AbortSignal): Promise<void> {
    const stopped = AbortSignal.any([signal, lost]);
    const { tickMs, saveMs } = this.#timing;
    let savedAt = performance.now();
    while (!stopped.aborted) {
      try {
        await this.#follow();
        if (performance.now() - savedAt >= saveMs) {
          await this.#save();
          savedAt = performance.now();
        }
      } catch (error) {
        this.#options.onError(error);
      }
      await setTimeout(tickMs, undefined, { signal: stopped }).catch(() => {});
    }
    const limit = AbortSignal.any([lost, this.#closeLimit()]);
    await Promise.all(Array.from(this.#subscriptions.values(), (each) => each.close(limit)));
    this.#hub.close();
    // Another process may have begun to deliver.
    if (!lost.aborted) await this.#save().catch(this.#options.onError);
  }

  /** Opens, changes, and closes subscriptions as webhooks change, and starts attempts that are due. */
  async #follow(): Promise<void> {
    const { store, now } = this.#options;
    const state = await store.state();
    const version = versionOf(state);
    if (version !== this.#version) {
      const rows = await store.webhooks.list();
      this.#statistics.webhooks = rows;
      await this.#apply(rows, state);
      this.#version = version;
    }
    for (const each of this.#subscriptions.values()) {
      each.pump();
      if (!each.needsRestart) continue;
      // The terms of its key or the settings of the database have changed, and so what it delivers.
      this.#version = undefined;
      await this.#close(each, each.row);
    }
    const open = [...this.#subscriptions.values()];
    this.#statistics.held = open.reduce((sum, { heldRecords }) => sum + heldRecords, 0);
    this.#statistics.lagSeconds = Math.max(0, ...open.map(({ waitingSince = now() }) => now() - waitingSince));
  }

  async #apply(rows: readonly WebhookRow[], state: StoreState): Promise<void> {
    for (const [id, subscription] of this.#subscriptions) {
      const row = rows.find((each) => each.id === id);
      const isSame = row?.state === "active" && row.progress.epoch === subscription.row.progress.epoch;
      if (row !== undefined && isSame) subscription.update(row);
      else await this.#close(subscription, row);
    }
    for (const row of rows)
      if (row.state === "active" && !this.#subscriptions.has(row.id)) await this.#open(row, state);
  }

  async #open(row: WebhookRow, state: StoreState): Promise<void> {
    const subscription = new Subscription(row, this.#deps);
    await subscription.open(state);
    this.#subscriptions.set(row.id, subscription);
  }

  /** The progress of a webhook that was paused is saved; that of one that is replayed or gone isn't needed. */
  async #close(subscription: Subscription, row: WebhookRow | undefined): Promise<void> {
    await subscription.close(this.#closeLimit());
    const { id, progress } = subscription.row;
    this.#subscriptions.delete(id);
    this.#saved.delete(id);
    if (row?.progress.epoch === progress.epoch)
      await this.#options.store.webhooks.save([{ id, version: row.version, progress }], []);
  }

  async #save(): Promise<void> {
    const { webhooks } = this.#options.store;
    for (const subscription of this.#subscriptions.values()) {
      const { outcome } = subscription;
      if (outcome === undefined) continue;
      await subscription.close(this.#closeLimit());
      const { id, version, progress } = subscription.row;
      // If it has changed meanwhile, the new version gets the same outcome the next time.
      await webhooks.update(id, version, { ...outcome, progress });
    }
    const progress = Array.from(this.#subscriptions.values(), ({ row }) => row).flatMap(({ id, version, progress }) => {
      const text = `${version} ${JSON.stringify(progress)}`;
      return this.#saved.get(id) === text ? [] : [{ id, version, progress, text }];
    });
    const log = latest(this.#log);
    // A copy, since attempts are added while these are saved.
    this.#log = [...log];
    if (progress.length + log.length === 0) return;
    await webhooks.save(
      progress.map(({ id, version, progress }) => ({ id, version, progress })),
      log,
    );
    this.#log = this.#log.slice(log.length);
    for (const { id, text } of progress) this.#saved.set(id, text);
  }
}

/** As many attempts of each webhook as the log retains. */
function latest(log: readonly DeliveryRow[]): DeliveryRow[] {
  const counts = new Map<string, number>();
  return log
    .toReversed()
    .filter(({ webhook }) => {
      const count = (counts.get(webhook) ?? 0) + 1;
      counts.set(webhook, count);
      return count <= maxLoggedDeliveries;
    })
    .toReversed();
}

/** Reads the keys once for all webhooks, whenever they change. */
function withCachedKeys(store: Store): Store {
  let cached: { readonly version: number; readonly keys: Promise<readonly KeyRow[]> } | undefined;
  return {
    ...store,
    listKeys: async () => {
      const { keysVersion: version } = await store.state();
      if (cached?.version !== version) cached = { version, keys: store.listKeys() };
      cached.keys.catch(() => {
        cached = undefined;
      });
      return cached.keys;
    },
  };
}
