// Shared helpers of abusive clients. Each kind is a function that runs until it is stopped.
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { answered, open, type Tally, type Target } from "../raw-client.ts";

/** Keys of paying customers: abuse may come from them, too. */
export type AbuseKeys = {
  /** With the scopes `read` and `replicate`. */
  readonly read: string;
  /** With the scope `write`. */
  readonly write: string;
};

export type Abuse = {
  readonly target: Target;
  readonly keys: AbuseKeys;
  /** Tickers in the data. */
  readonly tickers: readonly string[];
  /** A common word in its news. */
  readonly commonWord: string;
  readonly tally: Tally;
  readonly stopped: AbortSignal;
};

export type Abuser = (abuse: Abuse) => Promise<void>;

export const random = (below: number): number => Math.floor(Math.random() * below);

export const get = (path: string, token: string, more = ""): string =>
  `GET ${path} HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;

/** The head of a POST of records, up to and including these headers. */
export const post = (path: string, token: string, more: string): string =>
  `POST /admin/v1/records/${path} HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${more}\r\n`;

type Connection = { readonly allowHalfOpen?: boolean };

/** Maintains one connection, reconnecting when it is closed. */
export async function reconnecting(
  { target, tally, stopped }: Abuse,
  use: (socket: Socket) => void,
  options: Connection = {},
): Promise<void> {
  while (!stopped.aborted) {
    await new Promise<void>((resolve) => {
      const socket = open(target, tally, resolve, options);
      const destroy = () => socket.destroy();
      stopped.addEventListener("abort", destroy, { once: true });
      socket.once("close", () => stopped.removeEventListener("abort", destroy));
      use(socket);
    });
    if (!stopped.aborted) await pause(100);
  }
}

/** Sends sequential requests on one connection. */
export const repeating =
  (make: (abuse: Abuse) => string | readonly (string | Buffer)[], pauseMs = 0): Abuser =>
  (abuse) =>
    reconnecting(abuse, async (socket) => {
      while (!abuse.stopped.aborted && !socket.destroyed) {
        for (const piece of [make(abuse)].flat()) socket.write(piece);
        await answered(socket);
        if (pauseMs > 0) await pause(pauseMs);
      }
    });
