// Sends the events of a subscriber as messages of a WebSocket.
import type { WebSocket } from "ws";
import type { Action } from "../../live/entry-events.ts";
import type { CloseReason, Sink } from "../../live/subscriber.ts";
import type { Exchange } from "../exchange.ts";
import { drained } from "../streams/backpressure.ts";
import { reasons } from "../streams/event-sink.ts";

/** RFC 6455, section 7.4: 1008 is a policy violation, 1012 a restart; 4000 and above are for applications. */
const closeCodes: Readonly<Record<Exclude<CloseReason, "slow">, number>> = {
  draining: 1012,
  settings: 1012,
  terms: 1012,
  expired: 1008,
  revoked: 1008,
  pruned: 4410,
};

export class MessageSink implements Sink {
  drains = 0;
  readonly #exchange: Exchange;
  readonly #socket: WebSocket;

  constructor(exchange: Exchange, socket: WebSocket) {
    this.#exchange = exchange;
    this.#socket = socket;
    exchange.bytes = 0;
    exchange.request.socket.on("drain", () => this.drains++);
  }

  event(_action: Action, _seq: number, event: string): void {
    this.#exchange.records++;
    this.send(event);
  }

  /** Sends a message, which may be no event. */
  send(text: string): void {
    this.#exchange.bytes = (this.#exchange.bytes ?? 0) + Buffer.byteLength(text);
    this.#socket.send(text);
  }

  flush(): void {}

  heartbeat(): void {}

  close(reason: CloseReason): void {
    if (reason === "slow") this.#socket.terminate();
    else this.#socket.close(closeCodes[reason], reasons[reason]);
  }

  get buffered(): number {
    return this.#socket.bufferedAmount;
  }

  drained(): Promise<void> {
    return drained(this.#exchange.request.socket);
  }
}
