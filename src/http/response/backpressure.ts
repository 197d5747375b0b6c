// Backpressure of a connection: when there is room for more, and how often a full buffer was emptied.
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type Backpressure = {
  readonly drains: number;
  /** Resolves when there is room for more, or the client is gone. */
  drained(): Promise<void>;
};

export function backpressureOf(stream: ServerResponse | Socket): Backpressure {
  let drains = 0;
  stream.on("drain", () => drains++);
  return {
    get drains() {
      return drains;
    },
    drained: () =>
      new Promise((resolve) => {
        if (!stream.writableNeedDrain || stream.destroyed) {
          resolve();
          return;
        }
        const done = () => {
          stream.off("drain", done).off("close", done);
          resolve();
        };
        stream.once("drain", done).once("close", done);
      }),
  };
}
