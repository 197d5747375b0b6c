// One subscriber of a feed: decides which changes it sees, and hands their events to its sink.
import type { Visibility, VisibleRange } from "../core/access/visibility.ts";
import { matches } from "../core/query/evaluate.ts";
import type { Plan } from "../core/query/plan.ts";
import type { Row } from "../core/record/row.ts";
import type { RecordChange, StoreState } from "../store/store.ts";
import { type Action, actionFor, type EntryEvents, type EventForm } from "./entry-events.ts";
import type { StreamClientInfo } from "./open-streams.ts";

/** Why a stream is closed by the server. */
export const closeReasons = ["draining", "expired", "revoked", "terms", "settings", "pruned", "slow"] as const;
export type CloseReason = (typeof closeReasons)[number];

/** Where the events of a subscriber go. Positions are those of the change log. */
export type Sink = {
  /** `event` is the text of the subscription's form. May buffer until the next flush. */
  event(action: Action, seq: number, event: string, record: string): void;
  flush(): void;
  /** Called at intervals while the subscriber has received everything up to a position. */
  heartbeat(seq: number): void;
  close(reason: CloseReason): void;
  /** Bytes that have not been flushed, or that the client has not read yet. */
  readonly buffered: number;
  /** Resolves when there is room for more, or the client is gone. */
  drained(): Promise<void>;
  /** How often the client has caught up with a full buffer. */
  readonly drains: number;
};

export type SubscriberClient = {
  /** Checks the key again after keys have changed: until when it is valid, or why the stream ends. */
  recheck(state: StoreState): Promise<number | CloseReason>;
  /** For operators. */
  info(): StreamClientInfo;
};

export type Subscription = {
  readonly plan: Plan;
  readonly form: EventForm;
  /** What the terms of the key let it see; undefined: everything. */
  readonly visibility: Visibility | undefined;
  /** First second at which the key is no longer valid. */
  readonly until: number;
  /** The position to continue after. */
  readonly from: number;
  /** Of the database when the request was parsed. */
  readonly parsedWith: Pick<StoreState, "keysVersion" | "databaseId" | "settings">;
  readonly sink: Sink;
  readonly client: SubscriberClient;
};

/** Without a reason, the client has left. */
export type OnClose = (subscriber: Subscriber, reason?: CloseReason) => void;

/** Heartbeats in a row at which a client may not have read what was sent. */
const maxMissed = 2;

export class Subscriber {
  readonly plan: Plan;
  readonly sink: Sink;
  readonly client: SubscriberClient;
  /** Everything up to it has been sent. */
  position: number;
  until: number;
  /** The version of the keys that its key was last checked with. */
  keysVersion: number;
  isClosed = false;
  readonly #form: EventForm;
  readonly #visibility: Visibility | undefined;
  readonly #onClose: OnClose;
  #visible: VisibleRange | undefined;
  #missed = 0;
  #drains = 0;

  constructor(subscription: Subscription, onClose: OnClose = () => {}) {
    const { plan, form, visibility, sink, from, until, parsedWith, client } = subscription;
    this.plan = plan;
    this.sink = sink;
    this.client = client;
    this.position = from;
    this.until = until;
    this.keysVersion = parsedWith.keysVersion;
    this.#form = form;
    this.#visibility = visibility;
    this.#onClose = onClose;
  }

  /** The action that was sent, if any. Entries that it has received already are skipped. */
  offer(events: EntryEvents, now: number): Action | undefined {
    const { entry } = events;
    if (this.isClosed || entry.seq <= this.position) return undefined;
    this.position = entry.seq;
    const action = this.actionFor(entry, now);
    if (action !== undefined) this.sink.event(action, entry.seq, events.text(action, this.#form), entry.id);
    return action;
  }

  /** What the subscriber sees of a change. */
  actionFor(entry: RecordChange, now: number): Action | undefined {
    const [plan, visibility] = [this.plan, this.#visibility];
    if (visibility === undefined) return actionFor(entry, (row) => matches(plan, row));
    if (this.#visible === undefined || now >= this.#visible.until) this.#visible = visibility(plan, now);
    const restricted = { ...plan, where: [...plan.where, ...this.#visible.where] };
    return actionFor(entry, (row: Row) => matches(restricted, row));
  }

  /** `position`: everything up to it concerns the subscriber no more. */
  heartbeat(position: number): void {
    const { buffered, drains } = this.sink;
    this.#missed = buffered > 0 && drains === this.#drains ? this.#missed + 1 : 0;
    this.#drains = drains;
    if (this.#missed > maxMissed) this.close("slow");
    else {
      this.position = Math.max(this.position, position);
      this.sink.heartbeat(this.position);
    }
  }

  /** Without a reason, the client has left. */
  close(reason?: CloseReason): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (reason !== undefined) this.sink.close(reason);
    this.#onClose(this, reason);
  }
}
