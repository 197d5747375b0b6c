// Metrics of streams: subscribers, events, lag, and why streams were closed.
import type { Resource } from "../core/catalog/resource.ts";
import { actions } from "../core/query/stream.ts";
import { counter, type Family, gauge, plain } from "../metrics/family.ts";
import type { RecordChange } from "../store/store.ts";
import type { Action } from "./entry-events.ts";
import { type CloseReason, closeReasons } from "./subscriber.ts";

type Counts = { subscribers: number; readonly events: Record<Action, number> };

export class HubStatistics {
  readonly #now: () => number;
  readonly #byResource: ReadonlyMap<string, Counts>;
  readonly #closed = new Map<CloseReason, number>(closeReasons.map((reason) => [reason, 0]));
  #lagSeconds = 0;

  constructor(catalog: readonly Resource[], now: () => number) {
    this.#now = now;
    this.#byResource = new Map(
      catalog.map(({ name }) => [name, { subscribers: 0, events: { created: 0, updated: 0, removed: 0 } }]),
    );
  }

  opened({ name }: Resource): void {
    this.#counts(name).subscribers++;
  }

  /** Without a reason, the client has left. */
  closed({ name }: Resource, reason: CloseReason | undefined): void {
    this.#counts(name).subscribers--;
    if (reason !== undefined) this.#closed.set(reason, (this.#closed.get(reason) ?? 0) + 1);
  }

  sent({ name }: Resource, action: Action, { at }: RecordChange): void {
    this.#counts(name).events[action]++;
    this.#lagSeconds = Math.max(0, this.#now() - at);
  }

  /** Streams that the server closed, by reason. */
  get closedByReason(): Readonly<Record<CloseReason, number>> {
    return Object.fromEntries(this.#closed) as Record<CloseReason, number>;
  }

  families(): Family[] {
    const byResource = [...this.#byResource];
    return [
      gauge(
        "bellwire_stream_subscribers",
        "Open streams.",
        byResource.map(([resource, { subscribers }]) => ({ labels: { resource }, value: subscribers })),
      ),
      counter(
        "bellwire_stream_events_total",
        "Events sent to streams.",
        byResource.flatMap(([resource, { events }]) =>
          actions.map((action) => ({ labels: { resource, action }, value: events[action] })),
        ),
      ),
      counter(
        "bellwire_stream_closed_total",
        "Streams closed by the server, by reason; slow: the client didn't read.",
        Array.from(this.#closed, ([reason, value]) => ({ labels: { reason }, value })),
      ),
      gauge(
        "bellwire_stream_lag_seconds",
        "Age of the last change that was sent, when it was sent; includes delays of keys and resumed streams.",
        plain(this.#lagSeconds),
        "max",
      ),
    ];
  }

  #counts(name: string): Counts {
    const counts = this.#byResource.get(name);
    if (counts === undefined) throw new Error(`no resource is named ${name}`);
    return counts;
  }
}
