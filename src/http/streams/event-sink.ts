// Writes the events of a subscriber to a response, in the format of server-sent events.
import type { Action } from "../../live/entry-events.ts";
import type { CloseReason, Sink } from "../../live/subscriber.ts";
import type { Exchange } from "../exchange.ts";
import { corsHeaders, type Origins } from "../headers/cors.ts";
import { securityHeaders } from "../headers/security-headers.ts";
import { eventStream } from "../request/parsed-request.ts";
import { drained } from "./backpressure.ts";

/** How long a client waits before it reconnects. */
const retryMs = 3000;

/** Another server may be ready at once. */
const drainingRetryMs = 1000;

export const reasons: Readonly<Record<CloseReason, string>> = {
  draining: "this server is stopping; reconnect",
  expired: "the key has expired",
  revoked: "the key has been revoked",
  terms: "the terms of the key have changed; reconnect",
  settings: "the settings of the database have changed; reconnect",
  pruned: "the change log was pruned past this position; start over from the list",
  slow: "the client does not read",
};

/** Writes the head of the response, and ends the one to HEAD. */
export function writeEventHead({ request, response, id, isHead }: Exchange, origins: Origins, more: readonly string[]) {
  response.writeHead(200, [
    "x-request-id",
    id,
    ...securityHeaders,
    ...corsHeaders(request.headers, origins),
    "content-type",
    eventStream,
    // Nothing on the way may compress or collect events.
    "cache-control",
    "no-store, no-transform",
    "x-accel-buffering",
    "no",
    ...more,
  ]);
  if (isHead) {
    response.end();
    return;
  }
  // Node would retain these headers as the many parts that it joins them from, and the request's as they were sent.
  response.flushHeaders();
  request.rawHeaders.length = 0;
}

/** A class, so that thousands of streams share its methods. */
export class EventSink implements Sink {
  drains = 0;
  readonly #exchange: Exchange;
  readonly #positionOf: (seq: number) => string;
  #pending = "";

  constructor(exchange: Exchange, positionOf: (seq: number) => string) {
    this.#exchange = exchange;
    this.#positionOf = positionOf;
    exchange.bytes = 0;
    exchange.response.on("drain", () => this.drains++);
  }

  /** Begins the stream, so that a client that loses it before the first event knows where to continue. */
  start(seq: number): void {
    this.#write(`retry: ${retryMs}\n${this.#id(seq)}\n`);
  }

  event(action: Action, seq: number, event: string): void {
    this.#exchange.records++;
    this.#pending += `event: ${action}\n${this.#id(seq)}data: ${event}\n\n`;
  }

  flush(): void {
    if (this.#pending === "") return;
    this.#write(this.#pending);
    this.#pending = "";
  }

  /** An ID without data is no event, but the position to continue from. */
  heartbeat(seq: number): void {
    this.#write(`: heartbeat\n${this.#id(seq)}\n`);
  }

  close(reason: CloseReason): void {
    const { response } = this.#exchange;
    if (reason === "slow") {
      response.destroy();
      return;
    }
    const retry = reason === "draining" ? `retry: ${drainingRetryMs}\n` : "";
    this.#write(`${this.#pending}${retry}: closed: ${reasons[reason]}\n\n`);
    response.end();
  }

  get buffered(): number {
    return this.#pending.length + this.#exchange.response.writableLength;
  }

  drained(): Promise<void> {
    return drained(this.#exchange.response);
  }

  #id(seq: number): string {
    return `id: ${this.#positionOf(seq)}\n`;
  }

  #write(text: string): void {
    const exchange = this.#exchange;
    const { response } = exchange;
    // A write to a lost connection is an error of the response, which nobody handles.
    if (response.destroyed || response.writableEnded) return;
    exchange.bytes = (exchange.bytes ?? 0) + Buffer.byteLength(text);
    response.write(text);
  }
}
