// A raw socket client, for malformed requests: counts the statuses of responses.
import { connect, type Socket } from "node:net";

export type Tally = Map<string, number>;

export const count = (tally: Tally, what: string, by = 1): void => void tally.set(what, (tally.get(what) ?? 0) + by);

export type Target = {
  readonly host: string;
  readonly port: number;
  /** Local address to connect from. */
  readonly localAddress?: string;
};

/** Connects, and counts the statuses of responses and how the connection ends. */
export function open(target: Target, tally: Tally, onEnd: () => void, { allowHalfOpen = false } = {}): Socket {
  const socket = connect({ ...target, allowHalfOpen });
  count(tally, "connections");
  let rest = "";
  socket.on("data", (piece: Buffer) => {
    // Status lines only; one may be split across two chunks.
    const text = rest + piece.toString("latin1");
    for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) count(tally, status as string);
    rest = text.slice(-12).replace(/HTTP\/1\.1 \d{3} .*/s, "");
  });
  socket.on("error", () => {});
  socket.on("close", onEnd);
  return socket;
}

/** The end of the next whole response on a connection. */
export function answered(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    let length = -1;
    let isChunked = false;
    let tail = "";
    const done = () => {
      socket.off("data", take);
      socket.off("close", done);
      resolve();
    };
    const take = (piece: Buffer) => {
      if (length >= 0) length -= piece.length;
      else {
        bytes = Buffer.concat([bytes, piece]);
        const end = bytes.indexOf("\r\n\r\n");
        if (end === -1) return;
        const head = bytes.toString("latin1", 0, end);
        isChunked = /^transfer-encoding: chunked/im.test(head);
        length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0) - (bytes.length - end - 4);
        if (isChunked) length = Number.MAX_SAFE_INTEGER;
      }
      if (isChunked) {
        tail = (tail + piece.toString("latin1", Math.max(0, piece.length - 7))).slice(-7);
        if (tail === "\r\n0\r\n\r\n") done();
      } else if (length <= 0) done();
    };
    socket.on("data", take);
    socket.on("close", done);
    if (socket.destroyed) done();
  });
}
