// Sends the events of a subscriber as messages of a WebSocket.
import type { WebSocket } from "ws";
import type { CloseReason, Sink } from "../../live/subscriber.ts";
import type { Exchange } from "../exchange.ts";
import { backpressureOf } from "../response/backpressure.ts";
import { reasons } from "../response/event-sink.ts";

/** RFC 6455, section 7.4: 1008 is a policy violation, 1012 a restart; 4000 and above are for applications. */
const closeCodes: Readonly<Record<Exclude<CloseReason, "slow">, number>> = {
  draining: 1012,
  settings: 1012,
  terms: 1012,
  expired: 1008,
  revoked: 1008,
  pruned: 4410,
};

export type MessageSink = Sink & {
  /** Sends a message that is no event. */
  send(text: string): void;
};

export function messageSink(exchange: Exchange, socket: WebSocket): MessageSink {
  const backpressure = backpressureOf(exchange.request.socket);
  exchange.bytes = 0;
  const send = (text: string): void => {
    exchange.bytes = (exchange.bytes ?? 0) + Buffer.byteLength(text);
    socket.send(text);
  };
  return {
    send,
    event: (_action, _seq, event) => {
      exchange.records++;
      send(event);
    },
    flush: () => {},
    heartbeat: () => {},
    close: (reason) => {
      if (reason === "slow") socket.terminate();
      else socket.close(closeCodes[reason], reasons[reason]);
    },
    get buffered() {
      return socket.bufferedAmount;
    },
    get drains() {
      return backpressure.drains;
    },
    drained: backpressure.drained,
  };
}
