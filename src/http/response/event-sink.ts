// Writes the events of a subscriber to a response, in the format of server-sent events.
import type { CloseReason, Sink } from "../../live/subscriber.ts";
import type { Exchange } from "../exchange.ts";
import { backpressureOf } from "./backpressure.ts";

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

export type EventSink = Sink & {
  /** Begins the stream, so that a client that loses it before the first event knows where to continue. */
  start(seq: number): void;
};

/** `idOf` prints the position after an entry. */
export function eventSink(exchange: Exchange, idOf: (seq: number) => string): EventSink {
  const { response } = exchange;
  let pending = "";
  const backpressure = backpressureOf(response);
  exchange.bytes = 0;
  const write = (text: string): void => {
    // A write to a lost connection is an error of the response, which nobody handles.
    if (response.destroyed || response.writableEnded) return;
    exchange.bytes = (exchange.bytes ?? 0) + Buffer.byteLength(text);
    response.write(text);
  };
  const id = (seq: number): string => `id: ${idOf(seq)}\n`;
  return {
    start: (seq) => write(`retry: ${retryMs}\n${id(seq)}\n`),
    event: (action, seq, event) => {
      exchange.records++;
      pending += `event: ${action}\n${id(seq)}data: ${event}\n\n`;
    },
    flush: () => {
      if (pending === "") return;
      write(pending);
      pending = "";
    },
    // An ID without data is no event, but the position to continue from.
    heartbeat: (seq) => write(`: heartbeat\n${id(seq)}\n`),
    close: (reason) => {
      if (reason === "slow") {
        response.destroy();
        return;
      }
      const retry = reason === "draining" ? `retry: ${drainingRetryMs}\n` : "";
      write(`${pending}${retry}: closed: ${reasons[reason]}\n\n`);
      response.end();
    },
    get buffered() {
      return pending.length + response.writableLength;
    },
    get drains() {
      return backpressure.drains;
    },
    drained: backpressure.drained,
  };
}
