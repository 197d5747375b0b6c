// Backpressure of a connection: when there is room for more.
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Resolves when there is room for more, or the client is gone. */
export const drained = (stream: ServerResponse | Socket): Promise<void> =>
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
  });
