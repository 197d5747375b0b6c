// Abuse of connections: slow, silent, half open, short-lived, crowded.
import { setTimeout as pause } from "node:timers/promises";
import { count, open } from "../raw-client.ts";
import { type Abuser, get, post, random, reconnecting } from "./abuse.ts";
import { largePath } from "./reads.ts";

/** Writes a byte every second for as long as the connection lasts. */
const trickling =
  (begin: (token: string) => string): Abuser =>
  (abuse) =>
    reconnecting(abuse, (socket) => {
      socket.write(begin(abuse.keys.write));
      const timer = setInterval(() => socket.write(" "), 1000);
      socket.on("close", () => clearInterval(timer));
    });

/** Sends headers that never end, a byte at a time. */
export const slowHeaders = trickling(() => "GET /api/v2/news HTTP/1.1\r\nHost: soak\r\nX-Slow: a");

/** Sends a body that never ends, a byte at a time. */
export const slowBody = trickling((token) => `${post("ratings", token, "Content-Length: 100000\r\n")}[`);

/** Sends nothing at all. */
export const silent: Abuser = (abuse) => reconnecting(abuse, () => {});

/** Half sends nothing, half an incomplete header; neither closes its end when the server does. */
export const neverCloses: Abuser = (abuse) =>
  reconnecting(
    abuse,
    (socket) => {
      if (Math.random() < 0.5) socket.write("GET /api/v2/news HTTP/1.1\r\nHost: soak\r\n");
    },
    { allowHalfOpen: true },
  );

/** Requests large pages and reads nothing. */
export const slowReader: Abuser = (abuse) =>
  reconnecting(abuse, (socket) => {
    socket.write(get(largePath(), abuse.keys.read).repeat(4));
    socket.pause();
  });

/** Sends 400 requests at once, and reads the responses. */
export const pipeliner: Abuser = (abuse) =>
  reconnecting(abuse, (socket) => {
    const request = () => `/api/v2/news?pageSize=${5 + random(20)}&page=${random(400)}`;
    const all = Array.from({ length: 399 }, () => get(request(), abuse.keys.read));
    socket.write(`${all.join("")}${get(request(), abuse.keys.read, "Connection: close\r\n")}`);
  });

/** Connects and disconnects, nonstop. */
export const reconnector: Abuser = async ({ target, tally, stopped }) => {
  while (!stopped.aborted) {
    await new Promise<void>((resolve) => {
      const socket = open(target, tally, resolve);
      socket.once("connect", () => socket.destroy());
    });
    await pause(2);
  }
};

/** Requests a large page and disconnects before the response. */
export const deserter: Abuser = async ({ target, keys, tally, stopped }) => {
  while (!stopped.aborted) {
    await new Promise<void>((resolve) => {
      const socket = open(target, tally, resolve);
      socket.write(get(largePath(), keys.read));
      setTimeout(() => socket.destroy(), Math.random() * 30);
    });
    count(tally, "deserted");
    await pause(50);
  }
};
