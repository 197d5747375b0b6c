// The changes of one resource as they are committed, or a delay later: each is read once for all subscribers.
import { setImmediate, setTimeout } from "node:timers/promises";
import type { Resource } from "../core/catalog/resource.ts";
import type { RecordChange, Store, StoreState } from "../store/store.ts";
import { EntryEvents } from "./entry-events.ts";
import type { HubStatistics } from "./metrics.ts";
import type { Subscriber } from "./subscriber.ts";
import { SubscriberIndex } from "./subscriber-index.ts";

/** Entries per read: records may be large. */
const batchSize = 200;

/** Bytes that a client may leave unread before it has to catch up from the log at its own pace. */
const maxBuffered = 262_144;

/** How long entries are dispatched before other work of the process gets a turn. */
const sliceMs = 10;

/** Pause after a failed read. */
export const retryMs = 500;

/** By how much the clock of a record's source may be ahead: later timestamps don't delay the records behind them. */
export const maxSkewSeconds = 300;

type FeedDeps = {
  readonly store: Pick<Store, "recordChanges" | "oldestPosition">;
  /** Unix seconds. */
  readonly now: () => number;
  readonly statistics: HubStatistics;
  readonly onError: (error: unknown) => void;
  /** Closes the streams that the current keys and settings no longer allow. */
  readonly checkStreams: () => Promise<void>;
};

export class Feed {
  readonly resource: Resource;
  readonly delayMinutes: number;
  /** Everything up to it has been dispatched to live subscribers. */
  position: number;
  /** Including those that are catching up. */
  subscribers = 0;
  readonly #deps: FeedDeps;
  readonly #live: SubscriberIndex;
  #version: string | undefined;
  /** When the next delayed entry is due (Unix seconds). */
  #dueAt = Number.POSITIVE_INFINITY;
  #isPulling = false;

  constructor(resource: Resource, delayMinutes: number, position: number, deps: FeedDeps) {
    this.resource = resource;
    this.delayMinutes = delayMinutes;
    this.position = position;
    this.#deps = deps;
    this.#live = new SubscriberIndex(resource);
  }

  isLive(subscriber: Subscriber): boolean {
    return this.#live.all.has(subscriber);
  }

  remove(subscriber: Subscriber): void {
    if (this.isLive(subscriber)) this.#live.delete(subscriber);
  }

  /** Reads and dispatches what has been committed or has become due. */
  async pull(state: StoreState): Promise<void> {
    const version = state.versionTag(this.resource);
    if (this.#isPulling) return;
    if (version !== this.#version || this.#deps.now() >= this.#dueAt) {
      this.#isPulling = true;
      try {
        await this.#readAll();
      } finally {
        this.#isPulling = false;
      }
      this.#version = version;
    }
    // Entries of other resources count as read, so that positions don't fall behind the log.
    if (this.#dueAt === Number.POSITIVE_INFINITY) this.position = Math.max(this.position, state.position);
  }

  async #readAll(): Promise<void> {
    for (let isEnd = false; !isEnd; ) {
      const read = await this.#read(this.position);
      await this.#dispatch(read.entries);
      isEnd = read.isEnd;
      this.#dueAt = read.dueAt;
    }
  }

  /** Brings a subscriber from its position to that of the feed, at the pace at which its client reads. */
  async join(subscriber: Subscriber): Promise<void> {
    while (!subscriber.isClosed) {
      await subscriber.sink.drained();
      const covered = this.position;
      if (subscriber.isClosed) return;
      if (subscriber.position >= covered) {
        this.#live.add(subscriber);
        return;
      }
      try {
        await this.#catchUp(subscriber, covered);
      } catch (error) {
        this.#deps.onError(error);
        await setTimeout(retryMs, undefined, { ref: false });
      }
    }
  }

  async #catchUp(subscriber: Subscriber, covered: number): Promise<void> {
    const { store, now, statistics } = this.#deps;
    const from = subscriber.position;
    const { entries, isEnd } = await this.#read(from);
    // Checked after the read: entries may have been pruned before it.
    if ((await store.oldestPosition()) > from) {
      subscriber.close("pruned");
      return;
    }
    for (const entry of entries) {
      const action = subscriber.offer(new EntryEvents(entry), now());
      if (action !== undefined) statistics.sent(this.resource, action, entry);
      if (subscriber.sink.buffered <= maxBuffered) continue;
      subscriber.sink.flush();
      await subscriber.sink.drained();
    }
    if (isEnd) subscriber.position = Math.max(subscriber.position, covered);
    if (!subscriber.isClosed) subscriber.sink.flush();
  }

  /** The entries after a position that are due, whether these are all, and when the next one is due. */
  async #read(after: number): Promise<{ entries: readonly RecordChange[]; isEnd: boolean; dueAt: number }> {
    const { store, now } = this.#deps;
    const entries = await store.recordChanges(this.resource, after, batchSize);
    // A key may have been revoked since the last check, but before an entry of this read was committed.
    if (entries.length > 0) await this.#deps.checkStreams();
    const isShort = entries.length < batchSize;
    if (this.delayMinutes === 0) return { entries, isEnd: isShort, dueAt: Number.POSITIVE_INFINITY };
    const time = now();
    const next = entries.findIndex((entry) => this.#dueTime(entry) > time);
    if (next === -1) return { entries, isEnd: isShort, dueAt: Number.POSITIVE_INFINITY };
    return { entries: entries.slice(0, next), isEnd: true, dueAt: this.#dueTime(entries[next] as RecordChange) };
  }

  /** The first full minute at which a list shows the change to a key with the delay. */
  #dueTime({ at, before, after }: RecordChange): number {
    const { delay, pollColumn } = this.resource.entitlements;
    const times = [delay, pollColumn].map((column) => Number((column && (after ?? before)?.[column]) ?? 0));
    const changedAt = Math.max(at, Math.min(Math.max(...times), at + maxSkewSeconds));
    return Math.ceil(changedAt / 60) * 60 + this.delayMinutes * 60;
  }

  async #dispatch(entries: readonly RecordChange[]): Promise<void> {
    const touched = new Set<Subscriber>();
    let startedAt = performance.now();
    for (const entry of entries) {
      this.#offer(entry, touched);
      // Before anything else runs, so that a subscriber joins either before this entry or after it.
      this.position = entry.seq;
      if (performance.now() - startedAt < sliceMs) continue;
      this.#flush(touched);
      await setImmediate();
      startedAt = performance.now();
    }
    this.#flush(touched);
  }

  #offer(entry: RecordChange, touched: Set<Subscriber>): void {
    const { now, statistics } = this.#deps;
    const events = new EntryEvents(entry);
    const rows = [entry.before, entry.after].filter((row) => row !== undefined);
    const subscribers = entry.isBeforeKnown ? this.#live.candidates(rows) : this.#live.all;
    for (const subscriber of subscribers) {
      const action = subscriber.offer(events, now());
      if (action === undefined) continue;
      statistics.sent(this.resource, action, entry);
      touched.add(subscriber);
      if (subscriber.sink.buffered > maxBuffered) this.#setBack(subscriber);
    }
  }

  /** Lets a slow client catch up from the log, so that it takes a bounded amount of memory. */
  #setBack(subscriber: Subscriber): void {
    subscriber.sink.flush();
    this.#live.delete(subscriber);
    void this.join(subscriber);
  }

  #flush(touched: Set<Subscriber>): void {
    for (const { isClosed, sink } of touched) if (!isClosed) sink.flush();
    touched.clear();
  }
}
