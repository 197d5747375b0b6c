// Which event of a webhook is attempted next: events of a record in order, those of other records independently. Pure state;
// what must survive the process is in `progress`.
import type { HeldRecord, WebhookProgress } from "../core/webhook.ts";
import { giveUpSeconds, maxPauseSeconds, retryDelay } from "./backoff.ts";

type QueuedEvent = {
  /** Position of the event in the change log. */
  readonly seq: number;
  /** ID of its record. */
  readonly record: string;
  readonly message: string;
  /** When it was added, Unix seconds. */
  readonly since: number;
};

/** An event to attempt. The message of a held one is read from the change log again. */
export type Attempt = Pick<QueuedEvent, "seq" | "record"> & {
  readonly message: string | undefined;
  /** Counts from 1. */
  readonly number: number;
};

/** Records that may be held before the whole subscription waits for them: more means that the receiver is down. */
const maxHeldRecords = 8;

/** Events of held records whose positions are stored; further ones hold back the subscription. */
export const maxHeldEvents = 1000;

/** Characters of waiting messages below which the hub may add more. */
const lowWater = 65_536;

type Held = { -readonly [name in keyof HeldRecord]: HeldRecord[name] } & { events: number[]; isInFlight: boolean };

export class DeliveryQueue {
  readonly #random: () => number;
  readonly #epoch: number;
  #pausedUntil: number;
  #delivered: number;
  #last: WebhookProgress["last"];
  /** Everything up to it has been added. */
  #seen: number;
  #buffered = 0;
  /** In order; includes those in flight. */
  readonly #waiting = new Set<QueuedEvent>();
  /** Records with an event of `#waiting` in flight. */
  readonly #inFlight = new Set<string>();
  readonly #held: Map<string, Held>;
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(progress: WebhookProgress, random: () => number = Math.random) {
    this.#random = random;
    this.#epoch = progress.epoch;
    this.#seen = progress.position;
    this.#pausedUntil = progress.pausedUntil;
    this.#delivered = progress.delivered;
    this.#last = progress.last;
    this.#held = new Map(
      progress.held.map((each) => [each.record, { ...each, events: [...each.events], isInFlight: false }]),
    );
  }

  get progress(): WebhookProgress {
    const [first] = this.#waiting;
    return {
      epoch: this.#epoch,
      position: first === undefined ? this.#seen : first.seq - 1,
      held: Array.from(this.#held.values(), ({ isInFlight: _, ...held }) => ({ ...held, events: [...held.events] })),
      pausedUntil: this.#pausedUntil,
      delivered: this.#delivered,
      ...(this.#last === undefined ? {} : { last: this.#last }),
    };
  }

  get heldRecords(): number {
    return this.#held.size;
  }

  /** Since when an event has been waiting (Unix seconds); undefined if none is. */
  get waitingSince(): number | undefined {
    const [first] = this.#waiting;
    const since = [
      ...(first === undefined ? [] : [first.since]),
      ...Array.from(this.#held.values(), (each) => each.failedAt),
    ];
    return since.length === 0 ? undefined : Math.min(...since);
  }

  /** Characters of messages that wait or are in flight. */
  get buffered(): number {
    return this.#buffered;
  }

  /** Resolves when there is room for more. */
  drained(): Promise<void> {
    if (this.#buffered <= lowWater) return Promise.resolve();
    this.#drained ??= Promise.withResolvers();
    return this.#drained.promise;
  }

  /** For a consumer that waits for room when the queue is no longer used. */
  close(): void {
    this.#drained?.resolve();
  }

  add(event: QueuedEvent): void {
    this.#seen = Math.max(this.#seen, event.seq);
    const held = this.#held.get(event.record);
    // Stored before a restart, which began at an earlier position.
    if (held !== undefined && event.seq <= (held.events.at(-1) ?? 0)) return;
    if (held !== undefined && this.#heldEvents < maxHeldEvents && !this.#isWaiting(event.record))
      held.events.push(event.seq);
    else {
      this.#waiting.add(event);
      this.#buffered += event.message.length;
    }
  }

  /** No event up to this position is missing. */
  cover(position: number): void {
    this.#seen = Math.max(this.#seen, position);
  }

  /** The next event to attempt now, which is then in flight; undefined if none may be. */
  next(now: number): Attempt | undefined {
    if (now < this.#pausedUntil) return undefined;
    for (const held of this.#held.values()) {
      const [seq] = held.events;
      if (held.isInFlight || held.retryAt > now || seq === undefined) continue;
      held.isInFlight = true;
      return { seq, record: held.record, message: undefined, number: held.attempts + 1 };
    }
    if (this.#held.size >= maxHeldRecords) return undefined;
    for (const event of this.#waiting) {
      if (this.#inFlight.has(event.record) || this.#held.has(event.record)) continue;
      this.#inFlight.add(event.record);
      const { seq, record, message } = event;
      return { seq, record, message, number: 1 };
    }
    return undefined;
  }

  /** The event was delivered, or no longer has to be. */
  succeeded({ seq, record, number }: Attempt, now: number, isSent = true): void {
    if (isSent) this.#delivered++;
    const held = this.#held.get(record);
    if (held === undefined) {
      this.#inFlight.delete(record);
      this.#removeWaiting(seq);
      return;
    }
    held.events.shift();
    Object.assign(held, { attempts: 0, failedAt: now, retryAt: now, isInFlight: false });
    if (held.events.length === 0) this.#held.delete(record);
    // The receiver is back.
    if (number > 1) this.#retryNow(now);
  }

  /** Returns whether attempts have failed for so long that the subscription is to be suspended. */
  failed({ seq, record }: Attempt, now: number, retryAfterSeconds = 0): boolean {
    let held = this.#held.get(record);
    if (held === undefined) {
      held = {
        record,
        events: this.#takeWaiting(record, seq),
        attempts: 0,
        failedAt: now,
        retryAt: 0,
        isInFlight: false,
      };
      this.#held.set(record, held);
    }
    // The later event of a held record that is attempted for the first time.
    if (held.attempts === 0) held.failedAt = now;
    held.attempts++;
    held.isInFlight = false;
    if (retryAfterSeconds > 0)
      this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(Math.ceil(retryAfterSeconds), maxPauseSeconds));
    held.retryAt = Math.max(now + retryDelay(held.attempts, this.#random()), this.#pausedUntil);
    return now - held.failedAt >= giveUpSeconds;
  }

  /** The event was not attempted to its end. */
  abandoned({ record }: Attempt): void {
    this.#inFlight.delete(record);
    const held = this.#held.get(record);
    if (held !== undefined) held.isInFlight = false;
  }

  /** The receiver is another one: whatever the one before requested doesn't apply. */
  retarget(now: number): void {
    this.#pausedUntil = 0;
    this.#retryNow(now);
  }

  /** Remembers the last attempt, for operators. */
  attempted(at: number, status: number | null): void {
    this.#last = { at, status };
  }

  /** Makes every held event due. */
  #retryNow(now: number): void {
    for (const held of this.#held.values()) held.retryAt = Math.min(held.retryAt, now);
  }

  /** Whether an event of a record waits: while it is held, for lack of room. Later events must stay behind it. */
  #isWaiting(record: string): boolean {
    return this.#waiting.values().some((event) => event.record === record);
  }

  get #heldEvents(): number {
    return this.#held.values().reduce((sum, { events }) => sum + events.length, 0);
  }

  #removeWaiting(seq: number): void {
    for (const event of this.#waiting) {
      if (event.seq === seq) this.#delete(event);
      if (event.seq >= seq) return;
    }
  }

  /** Positions of the events of a record that failed, and of those behind it, as far as they can be stored. */
  #takeWaiting(record: string, failed: number): number[] {
    this.#inFlight.delete(record);
    const taken: number[] = [];
    let room = maxHeldEvents - this.#heldEvents;
    for (const event of this.#waiting) {
      if (event.record !== record || (event.seq !== failed && room <= 0)) continue;
      taken.push(event.seq);
      room--;
      this.#delete(event);
    }
    return taken;
  }

  #delete(event: QueuedEvent): void {
    this.#waiting.delete(event);
    this.#buffered -= event.message.length;
    if (this.#buffered > lowWater || this.#drained === undefined) return;
    this.#drained.resolve();
    this.#drained = undefined;
  }
}
