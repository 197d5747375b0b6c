// The hub of a process: learns of commits, reads the change log once for all subscribers, and ends streams whose key may no
// longer have them.
import { setTimeout } from "node:timers/promises";
import type { Resource } from "../core/catalog/resource.ts";
import type { StreamStart } from "../core/query/stream.ts";
import type { Store, StoreState } from "../store/store.ts";
import { Feed, maxSkewSeconds, retryMs } from "./feed.ts";
import { HubStatistics } from "./metrics.ts";
import { type OpenStreams, type OpenStreamsQuery, openStreams } from "./open-streams.ts";
import { positionBefore } from "./replay.ts";
import { type CloseReason, type OnClose, Subscriber, type Subscription } from "./subscriber.ts";

export type HubOptions = {
  readonly catalog: readonly Resource[];
  readonly store: Store;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Calls back at intervals until the result is called; a test may pass its own. */
  readonly every: (ms: number, callback: () => void) => () => void;
};

/** How often to check for commits, of which the store knows without a query. */
const tickMs = 25;

const heartbeatMs = 15_000;

/** The log retains every entry for a day at least. */
const leastRetainedSeconds = 86_400;

export const everyInterval: HubOptions["every"] = (ms, callback) => {
  const timer = setInterval(callback, ms).unref();
  return () => clearInterval(timer);
};

/** Why a position isn't available, and a client has to start over. */
export const goneReasons = {
  pruned: "Changes after this position have expired from the change log.",
  "other database": "This position belongs to another database, or to one that has since been restored from a backup.",
} as const;

/** The position to start from; or why it isn't available. */
type Start = { readonly position: number } | { readonly gone: keyof typeof goneReasons };

export class Hub {
  readonly statistics: HubStatistics;
  readonly #options: HubOptions;
  readonly #feeds = new Map<string, Promise<Feed>>();
  readonly #subscribers = new Map<Subscriber, Feed>();
  #stopTimers: (() => void)[] = [];
  #isTicking = false;
  #isClosed = false;
  /** The state that was last looked at. */
  #current: Subscription["parsedWith"] | undefined;
  /** Whether the key of every subscriber has been checked with the current keys. */
  #areKeysChecked = false;
  /** The check in flight, or the last one: a feed and a tick may need it at once. */
  #keyCheck = Promise.resolve();
  #nextExpiry = Number.POSITIVE_INFINITY;

  constructor(options: HubOptions) {
    this.#options = options;
    this.statistics = new HubStatistics(options.catalog, options.now);
  }

  /** Where a stream starts; without `since`, from now on. */
  async start(
    resource: Resource,
    since: StreamStart | undefined,
    delayMinutes: number,
    state: StoreState,
  ): Promise<Start> {
    const { store, now } = this.#options;
    if (since === undefined) {
      if (delayMinutes === 0) return { position: state.position };
      const opening = this.#feed(resource, delayMinutes, state);
      const feed = await opening;
      await feed.pull(state);
      // Without subscribers, nothing pulls it: a later stream would begin by reading everything since.
      const name = nameOf(resource, delayMinutes);
      if (feed.subscribers === 0 && this.#feeds.get(name) === opening) this.#feeds.delete(name);
      return { position: feed.position };
    }
    const oldest = await store.oldestPosition();
    if (since === "start") return { position: oldest };
    if (since.database !== state.databaseId) return { gone: "other database" };
    if ("time" in since) {
      const position = await positionAt(store, since.time);
      const mayBePruned = oldest > 0 && since.time < now() - leastRetainedSeconds;
      return position === oldest && mayBePruned ? { gone: "pruned" } : { position };
    }
    const { seq } = since;
    // A database that was restored from a backup has lost positions.
    if (seq > state.position && seq > (await store.lastPosition())) return { gone: "other database" };
    return seq < oldest ? { gone: "pruned" } : { position: seq };
  }

  /** The position before the last events, at most `count`, that a subscription saw up to its position. */
  replayStart(resource: Resource, subscription: Subscription, count: number): Promise<number> {
    const { store, now } = this.#options;
    return positionBefore(resource, new Subscriber(subscription), count, store, now());
  }

  async subscribe(
    resource: Resource,
    delayMinutes: number,
    state: StoreState,
    subscription: Subscription,
  ): Promise<Subscriber> {
    // Either the request was parsed before settings changed, or the last look was before that.
    if (this.#stopTimers.length > 0 && this.#isOutdated(subscription, state)) await this.tick();
    const feed = await this.#feed(resource, delayMinutes, state);
    const subscriber = new Subscriber(subscription, this.#closed);
    this.#subscribers.set(subscriber, feed);
    feed.subscribers++;
    this.statistics.opened(resource);
    this.#nextExpiry = Math.min(this.#nextExpiry, subscription.until);
    if (this.#stopTimers.length === 0) this.#startTimers(state);
    // Keys may have changed since the request was parsed, and so may settings.
    this.#areKeysChecked = false;
    if (this.#isClosed) subscriber.close("draining");
    else if (this.#isOutdated(subscription, state)) subscriber.close("settings");
    else void feed.join(subscriber);
    return subscriber;
  }

  #isOutdated({ parsedWith }: Subscription, state: StoreState): boolean {
    return !isSameDatabase(parsedWith, this.#current ?? state);
  }

  /** For operators. */
  openStreams(query: OpenStreamsQuery): OpenStreams {
    return openStreams(this.#subscribers, this.statistics.closedByReason, query);
  }

  /** Ends every stream, now and from now on: clients reconnect, to another server if there is one. */
  close(): void {
    this.#isClosed = true;
    this.#closeAll("draining");
  }

  #closeAll(reason: CloseReason): void {
    for (const subscriber of this.#subscribers.keys()) subscriber.close(reason);
  }

  #startTimers(state: StoreState): void {
    const { every } = this.#options;
    this.#current = state;
    this.#stopTimers = [every(tickMs, () => void this.tick()), every(heartbeatMs, () => this.#heartbeat())];
  }

  /** One function for all subscribers. */
  readonly #closed: OnClose = (subscriber, reason) => {
    const feed = this.#subscribers.get(subscriber);
    if (feed === undefined) return;
    this.statistics.closed(feed.resource, reason);
    feed.remove(subscriber);
    feed.subscribers--;
    if (feed.subscribers === 0) this.#feeds.delete(nameOf(feed.resource, feed.delayMinutes));
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size > 0) return;
    for (const stop of this.#stopTimers) stop();
    this.#stopTimers = [];
  };

  #feed(resource: Resource, delayMinutes: number, state: StoreState): Promise<Feed> {
    const name = nameOf(resource, delayMinutes);
    let feed = this.#feeds.get(name);
    if (feed === undefined) {
      feed = this.#openFeed(resource, delayMinutes, state);
      this.#feeds.set(name, feed);
      feed.catch(() => this.#feeds.delete(name));
    }
    return feed;
  }

  async #openFeed(resource: Resource, delayMinutes: number, state: StoreState): Promise<Feed> {
    const { store, now, onError } = this.#options;
    const checkStreams = async () => this.#check(await store.state());
    const deps = { store, now, onError, statistics: this.statistics, checkStreams };
    if (delayMinutes === 0) return new Feed(resource, 0, state.position, deps);
    const due = Math.floor(now() / 60) * 60 - delayMinutes * 60 - maxSkewSeconds;
    const feed = new Feed(resource, delayMinutes, await positionAt(store, due), deps);
    // Passes what is due already.
    await feed.pull(state);
    return feed;
  }

  /** Looks for commits, changed keys, and keys that have expired. */
  async tick(): Promise<void> {
    if (this.#isTicking) return;
    this.#isTicking = true;
    try {
      const state = await this.#options.store.state();
      await this.#check(state);
      // Not awaited: a feed that takes longer must not delay the others.
      for (const feed of new Set(this.#subscribers.values())) feed.pull(state).catch(this.#options.onError);
    } catch (error) {
      this.#options.onError(error);
      await setTimeout(retryMs, undefined, { ref: false });
    } finally {
      this.#isTicking = false;
    }
  }

  async #check(state: StoreState): Promise<void> {
    if (this.#current !== undefined && !isSameDatabase(this.#current, state)) {
      // Filters and records depend on the settings, and positions on the database.
      this.#closeAll("settings");
      this.#feeds.clear();
    }
    if (this.#current?.keysVersion !== state.keysVersion) this.#areKeysChecked = false;
    this.#current = state;
    if (!this.#areKeysChecked) this.#keyCheck = this.#checkKeys(state);
    await this.#keyCheck;
    const now = this.#options.now();
    if (now < this.#nextExpiry) return;
    for (const each of this.#subscribers.keys()) if (now >= each.until) each.close("expired");
    this.#nextExpiry = Number.POSITIVE_INFINITY;
    for (const { until } of this.#subscribers.keys()) this.#nextExpiry = Math.min(this.#nextExpiry, until);
  }

  async #checkKeys(state: StoreState): Promise<void> {
    // Streams that are opened meanwhile reset it.
    this.#areKeysChecked = true;
    const outdated = [...this.#subscribers.keys()].filter((each) => each.keysVersion !== state.keysVersion);
    try {
      await Promise.all(outdated.map((each) => this.#recheck(each, state)));
    } catch (error) {
      this.#areKeysChecked = false;
      throw error;
    }
  }

  async #recheck(subscriber: Subscriber, state: StoreState): Promise<void> {
    const result = await subscriber.client.recheck(state);
    if (typeof result === "number") {
      subscriber.until = result;
      subscriber.keysVersion = state.keysVersion;
      this.#nextExpiry = Math.min(this.#nextExpiry, result);
    } else subscriber.close(result);
  }

  #heartbeat(): void {
    for (const [subscriber, feed] of this.#subscribers)
      subscriber.heartbeat(feed.isLive(subscriber) ? feed.position : subscriber.position);
  }
}

const nameOf = ({ name }: Resource, delayMinutes: number): string => `${name} ${delayMinutes}`;

const isSameDatabase = (a: Subscription["parsedWith"], b: Subscription["parsedWith"]): boolean =>
  a.databaseId === b.databaseId && a.settings.zone === b.settings.zone && a.settings.cusip === b.settings.cusip;

/** The position of the last entry that was logged up to a time, found by bisection: times of a log increase. */
async function positionAt(
  store: Pick<Store, "changes" | "oldestPosition" | "lastPosition">,
  time: number,
): Promise<number> {
  let low = await store.oldestPosition();
  let high = await store.lastPosition();
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [entry] = await store.changes(middle, 1);
    if (entry !== undefined && entry.at <= time) low = entry.seq;
    else high = middle;
  }
  return low;
}
