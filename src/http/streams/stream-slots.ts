// Limits the open streams of each key, and ends the subscriptions of a stream with its response.
import { problem, problems } from "../../core/problem.ts";
import type { Subscriber } from "../../live/subscriber.ts";
import type { Exchange, Held } from "../exchange.ts";
import { ProblemError } from "../response/problem-error.ts";

export class StreamSlots {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  /** 0: unlimited. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Until the response is closed; throws a ProblemError if the key has no slot left. */
  take(exchange: Exchange, key: string): OpenStream {
    this.#acquire(key);
    const stream = new OpenStream(this, key);
    exchange.held = stream;
    return stream;
  }

  #acquire(key: string): void {
    const count = this.#open.get(key) ?? 0;
    if (this.#max > 0 && count >= this.#max) {
      const detail = `This key has ${count} open streams, which is the limit. ${problems["limit.streams"].doc}`;
      throw new ProblemError(problem("limit.streams", detail, { headers: { "retry-after": "5" } }));
    }
    this.#open.set(key, count + 1);
  }

  release(key: string): void {
    const left = (this.#open.get(key) ?? 1) - 1;
    if (left === 0) this.#open.delete(key);
    else this.#open.set(key, left);
  }
}

export class OpenStream implements Held {
  readonly #slots: StreamSlots;
  readonly #key: string;
  #subscribers: readonly Subscriber[] = [];
  #isOver = false;

  constructor(slots: StreamSlots, key: string) {
    this.#slots = slots;
    this.#key = key;
  }

  add(subscriber: Subscriber): void {
    this.#subscribers = [...this.#subscribers, subscriber];
    if (this.#isOver) subscriber.close();
  }

  release(): void {
    this.#isOver = true;
    this.#slots.release(this.#key);
    for (const subscriber of this.#subscribers) subscriber.close();
  }
}
