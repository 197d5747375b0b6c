// Clients that mean harm, each kind a function that goes on until it is told to stop.
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { makeKey } from "../../src/keys/key.ts";
import { answered, count, open, type Tally, type Target } from "./raw-client.ts";

export type Abuse = {
  readonly target: Target;
  /** A good key: abuse may come from those who pay, too. */
  readonly token: string;
  readonly tally: Tally;
  readonly stopped: AbortSignal;
};

const largePages = 90;

const largePath = (): string =>
  `/api/v2.1/calendar/ratings?pagesize=1000&page=${Math.floor(Math.random() * largePages)}`;

const request = (path: string, token: string, more = ""): string =>
  `GET ${path} HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;

/** Keeps one connection of its kind open: when it is cut, another is made. */
async function again({ target, tally, stopped }: Abuse, use: (socket: Socket) => void): Promise<void> {
  while (!stopped.aborted) {
    await new Promise<void>((resolve) => {
      const socket = open(target, tally, resolve);
      stopped.addEventListener("abort", () => socket.destroy(), { once: true });
      use(socket);
    });
    await pause(100);
  }
}

/** Asks for large pages and reads nothing. */
export const slowReader = (abuse: Abuse): Promise<void> =>
  again(abuse, (socket) => {
    socket.write(request(largePath(), abuse.token).repeat(4));
    socket.pause();
  });

/** Sends a header without end, a byte at a time. */
export const slowSender = (abuse: Abuse): Promise<void> =>
  again(abuse, (socket) => {
    socket.write("GET /api/v2/news HTTP/1.1\r\nHost: soak\r\nX-Slow: ");
    const timer = setInterval(() => socket.write("a"), 1000);
    socket.on("close", () => clearInterval(timer));
  });

/** Says nothing at all. */
export const silent = (abuse: Abuse): Promise<void> => again(abuse, () => {});

/** Tries keys that look right. */
export async function guesser(abuse: Abuse): Promise<void> {
  await again(abuse, async (socket) => {
    while (!abuse.stopped.aborted && !socket.destroyed) {
      socket.write(request("/api/v2/news", makeKey()));
      await answered(socket);
      await pause(10);
    }
  });
}

/** Asks for large pages without pause, and reads them. */
export async function glutton(abuse: Abuse): Promise<void> {
  await again(abuse, async (socket) => {
    while (!abuse.stopped.aborted && !socket.destroyed) {
      const packed = Math.random() < 0.3 ? "Accept-Encoding: br\r\n" : "";
      socket.write(request(largePath(), abuse.token, packed));
      await answered(socket);
    }
  });
}

const nonsense = (token: string): string[] => [
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: soak\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: soak\r\nX: ${"a".repeat(40_000)}\r\n\r\n`,
  `POST /admin/v1/records/news HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1000000\r\n\r\n[`,
  `GET /api/v2/news?${"topics=the&".repeat(300)} HTTP/1.1\r\nHost: soak\r\n\r\n`,
  `GET /api/v2/news?topics=%27%22%3B--&page=99999999&pageSize=-1 HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer ${token}\r\n\r\n`,
];

/** Sends what is no request, or none that could be answered, and goes away. */
export async function vandal({ target, token, tally, stopped }: Abuse): Promise<void> {
  while (!stopped.aborted) {
    const all = nonsense(token);
    await new Promise<void>((resolve) => {
      const socket = open(target, tally, resolve);
      socket.write(all[Math.floor(Math.random() * all.length)] as string);
      setTimeout(() => socket.destroy(), 50 + Math.random() * 500);
    });
  }
}

/** Asks for a large page and is gone before it comes. */
export async function deserter({ target, token, tally, stopped }: Abuse): Promise<void> {
  while (!stopped.aborted) {
    await new Promise<void>((resolve) => {
      const socket = open(target, tally, resolve);
      socket.write(request(largePath(), token));
      setTimeout(() => socket.destroy(), Math.random() * 30);
    });
    count(tally, "deserted");
    await pause(50);
  }
}
