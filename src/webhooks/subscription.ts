// Delivers the events of one webhook: the hub adds them to a queue, from which a bounded number are attempted at once.
import type { DeliveryRow, WebhookChanges, WebhookRow } from "../core/webhook.ts";
import type { Hub } from "../live/hub.ts";
import type { CloseReason, Sink, Subscriber } from "../live/subscriber.ts";
import type { Store, StoreState } from "../store/store.ts";
import { giveUpSeconds } from "./backoff.ts";
import { type Compiled, compile, type Lists } from "./definition.ts";
import { messageId, signedHeaders, typeOf } from "./message.ts";
import type { DeliveryStatistics } from "./metrics.ts";
import { type Attempt, DeliveryQueue } from "./queue.ts";
import { isSuccess, Sender, type SendOptions, type Sent } from "./send.ts";

export type SubscriptionDeps = {
  readonly store: Store;
  readonly hub: Hub;
  readonly lists: Lists;
  readonly send: SendOptions;
  /** Unix seconds. */
  readonly now: () => number;
  readonly statistics: DeliveryStatistics;
  /** Called for every attempt. */
  readonly log: (delivery: DeliveryRow) => void;
  readonly onError: (error: unknown) => void;
};

/** Attempts of one webhook at once. */
const maxInFlight = 8;

/** Attempts of all webhooks at once. */
const maxInFlightOfAll = 256;

export class Subscription {
  readonly #deps: SubscriptionDeps;
  readonly #queue: DeliveryQueue;
  readonly #sender: Sender;
  readonly #stopping = new AbortController();
  readonly #attempts = new Set<Promise<void>>();
  #row: WebhookRow;
  #source: { readonly compiled: Compiled; readonly database: string } | undefined;
  #subscriber: Subscriber | undefined;
  #outcome: WebhookChanges | undefined;
  #needsRestart = false;
  #isClosing = false;

  constructor(row: WebhookRow, deps: SubscriptionDeps) {
    this.#row = row;
    this.#deps = deps;
    this.#queue = new DeliveryQueue(row.progress);
    this.#sender = new Sender(deps.send);
  }

  get row(): WebhookRow {
    return { ...this.#row, progress: this.#queue.progress };
  }

  get heldRecords(): number {
    return this.#queue.heldRecords;
  }

  get waitingSince(): number | undefined {
    return this.#queue.waitingSince;
  }

  /** How deliveries ended, to be stored; undefined while they go on. */
  get outcome(): WebhookChanges | undefined {
    return this.#outcome;
  }

  /** Whether it has to be opened again, since what it delivers depends on something that has changed. */
  get needsRestart(): boolean {
    return this.#needsRestart;
  }

  /** Begins to deliver. Throws a StoreError while the database is unavailable. */
  async open(state: StoreState): Promise<void> {
    const { store, hub, lists, now } = this.#deps;
    const compiled = await compile(this.#row, lists, store, state, now());
    if ("errors" in compiled) {
      const reasons = compiled.errors.map(
        ({ parameter, expected, given }) => `${parameter}: expected ${expected}, got "${given}"`,
      );
      this.#end("suspended", reasons.join("; "));
      return;
    }
    this.#source = { compiled: compiled.ok, database: state.databaseId };
    const { resource, plan, form, delayMinutes, visibility, until, terms } = compiled.ok;
    this.#subscriber = await hub.subscribe(resource, delayMinutes, state, {
      plan,
      form,
      visibility,
      until,
      from: this.#queue.progress.position,
      parsedWith: state,
      sink: this.#sink(),
      client: {
        recheck: async (current) => {
          const again = await compile(this.#row, lists, store, current, now());
          return "ok" in again && again.ok.terms === terms ? again.ok.until : "terms";
        },
        info: () => notShown,
      },
    });
  }

  #sink(): Sink {
    const queue = this.#queue;
    const { now } = this.#deps;
    const pump = () => this.pump();
    let looks = 0;
    return {
      event: (_action, seq, message, record) => queue.add({ seq, record, message, since: now() }),
      flush: pump,
      heartbeat: (seq) => queue.cover(seq),
      close: (reason) => this.#closed(reason),
      get buffered() {
        return queue.buffered;
      },
      drained: () => queue.drained(),
      // Never the same twice: the receiver has three days, not three heartbeats.
      get drains() {
        return ++looks;
      },
    };
  }

  #closed(reason: CloseReason): void {
    if (reason === "expired") this.#end("suspended", `The key "${this.#row.key}" has expired.`);
    else if (reason === "pruned") this.#end("suspended", prunedReason);
    else if (reason !== "draining") this.#needsRestart = true;
  }

  /** Applies changes that don't affect which events are delivered. */
  update(row: WebhookRow): void {
    if (row.url !== this.#row.url) this.#queue.retarget(this.#deps.now());
    this.#row = row;
  }

  /** Starts attempts that are due. */
  pump(): void {
    const { now, statistics, onError } = this.#deps;
    while (
      !this.#stopping.signal.aborted &&
      !this.#isClosing &&
      this.#outcome === undefined &&
      this.#attempts.size < maxInFlight &&
      statistics.inFlight < maxInFlightOfAll
    ) {
      const attempt = this.#queue.next(now());
      if (attempt === undefined) return;
      statistics.inFlight++;
      const done = () => {
        statistics.inFlight--;
        this.#attempts.delete(attempting);
      };
      const attempting = this.#attempt(attempt).then(
        () => {
          done();
          this.pump();
        },
        // Such as a lost database: the next look at what is due tries again.
        (error: unknown) => {
          done();
          this.#queue.abandoned(attempt);
          onError(error);
        },
      );
      this.#attempts.add(attempting);
    }
  }

  /** Starts no further attempts, and waits for those in flight, but not past the signal. */
  async close(limit: AbortSignal): Promise<void> {
    this.#isClosing = true;
    this.#queue.close();
    this.#subscriber?.close();
    const stop = () => this.#stopping.abort();
    limit.addEventListener("abort", stop);
    if (limit.aborted) stop();
    await Promise.all(this.#attempts);
    limit.removeEventListener("abort", stop);
    this.#sender.close();
  }

  async #attempt(attempt: Attempt): Promise<void> {
    const { now, statistics, log } = this.#deps;
    const { compiled, database } = this.#source ?? fail();
    const message = attempt.message ?? (await this.#read(compiled, attempt.seq));
    if (message === undefined || message === "pruned") {
      if (message === "pruned") this.#end("suspended", prunedReason);
      else this.#queue.succeeded(attempt, now(), false);
      return;
    }
    const { id: webhook, url, secrets } = this.#row;
    const id = messageId(webhook, database, attempt.seq);
    const at = Math.round(now() * 1000);
    const headers = signedHeaders(id, message, secrets, now());
    const sent = await this.#sender.send(new URL(url), { headers, body: message }, this.#stopping.signal);
    if (this.#stopping.signal.aborted) {
      this.#queue.abandoned(attempt);
      return;
    }
    const { status, ms, response } = sent;
    this.#queue.attempted(at, status);
    statistics.attempted(isSuccess(sent), ms);
    log({ webhook, at, message: id, event: typeOf(message), attempt: attempt.number, status, ms, response });
    this.#settle(attempt, sent);
  }

  #settle(attempt: Attempt, sent: Sent): void {
    const time = this.#deps.now();
    if (isSuccess(sent)) this.#queue.succeeded(attempt, time);
    else {
      const isOver = this.#queue.failed(attempt, time, sent.retryAfterSeconds);
      const { response, status } = sent;
      if (status === 410) this.#end("ended", "The receiver responded with 410 (Gone).");
      else if (isOver) {
        const last = status === null ? response : `status ${status}`;
        this.#end(
          "suspended",
          `Deliveries of an event have failed for ${giveUpSeconds / 86_400} days; the last one: ${last}`,
        );
      }
    }
  }

  /** The message of a held event; undefined if the webhook may no longer see it. */
  async #read({ resource, form }: Compiled, seq: number): Promise<string | "pruned" | undefined> {
    const { store, now } = this.#deps;
    const [entry] = await store.recordChanges(resource, seq - 1, 1);
    if (entry?.seq !== seq) return "pruned";
    const action = this.#subscriber?.actionFor(entry, now());
    return action && form.text(action, entry);
  }

  #end(state: "suspended" | "ended", reason: string): void {
    this.#outcome ??= { state, reason, changed: Math.floor(this.#deps.now()) };
    this.#subscriber?.close();
  }
}

/** The hub has no streams. */
const notShown = { key: "", transport: "events", filters: "", address: "", opened: 0, events: 0, bytes: 0 } as const;

const prunedReason = "Changes after its position have expired from the change log; replay it from a later position.";

function fail(): never {
  throw new Error("a subscription attempts nothing before it is open");
}
