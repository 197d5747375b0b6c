// A WebSocket client that collects what it receives.
import type { IncomingMessage } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { WebSocket } from "ws";
import { holdMs, pingMs } from "../../../src/http/websocket/session.ts";
import { everyInterval } from "../../../src/live/hub.ts";
import { waitUntil } from "../wait-until.ts";
import type { Api, ApiOptions, ApiResponse, Body } from "./api.ts";

export type MessageStream = {
  readonly socket: WebSocket;
  /** Parsed, except for `pong`. */
  readonly messages: readonly Body[];
  /** Once the connection is closed. */
  readonly code: number | undefined;
  readonly reason: string;
  /** Resolves when this many messages have arrived. */
  has(count: number): Promise<readonly Body[]>;
  closed(): Promise<void>;
  cut(): void;
};

export type Refusal = Pick<ApiResponse, "status" | "text" | "json"> & { readonly headers: Record<string, string> };

type Options = { readonly headers?: Record<string, string>; readonly autoPong?: boolean };

const urlOf = async (api: Pick<Api, "port">, path: string) => `ws://127.0.0.1:${await api.port()}${path}`;

/** With a valid token, unless the headers have another. */
export async function openMessages(
  api: Pick<Api, "port" | "token">,
  path: string,
  { headers = {}, ...options }: Options = {},
): Promise<MessageStream> {
  const socket = new WebSocket(await urlOf(api, path), {
    ...options,
    headers: { authorization: `Bearer ${api.token}`, ...headers },
  });
  const messages: Body[] = [];
  let [code, reason]: [number | undefined, string] = [undefined, ""];
  socket.on("message", (data) => messages.push(String(data) === "pong" ? "pong" : JSON.parse(String(data))));
  socket.once("close", (number, bytes) => {
    [code, reason] = [number, String(bytes)];
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  socket.on("error", () => {});
  return {
    socket,
    messages,
    get code() {
      return code;
    },
    get reason() {
      return reason;
    },
    has: async (count) => {
      await waitUntil(() => messages.length >= count || code !== undefined, `${count} messages`);
      return messages;
    },
    closed: () => waitUntil(() => code !== undefined, "the end of the connection"),
    cut: () => socket.terminate(),
  };
}

/** The response to a handshake that must be rejected. */
export async function rejectedMessages(
  api: Pick<Api, "port">,
  path: string,
  headers: Record<string, string> = {},
): Promise<Refusal> {
  const socket = new WebSocket(await urlOf(api, path), { headers });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    socket.once("unexpected-response", (_request, rejected) => resolve(rejected));
    socket.once("open", () => reject(new Error(`${path} was not refused`)));
    socket.on("error", reject);
  });
  const text = await textOf(response);
  const received = response.headers as Record<string, string>;
  return { status: response.statusCode ?? 0, headers: received, text, json: JSON.parse(text) };
}

/** A timer of this interval fires when a test calls one of the callbacks. */
const manualTimer = (interval: number, callbacks: (() => void)[]): ApiOptions => ({
  every: (ms, callback) => {
    if (ms !== interval) return everyInterval(ms, callback);
    callbacks.push(callback);
    return () => {};
  },
});

/** Pings when a test calls one of the callbacks. */
export const manualPings = (pings: (() => void)[]): ApiOptions => manualTimer(pingMs, pings);

/** Half a second passes when a test calls one of the callbacks. */
export const manualHolds = (holds: (() => void)[]): ApiOptions => manualTimer(holdMs, holds);

/** Messages are held back until a client resumes, however long that takes. */
export const heldUntilResumed: ApiOptions = manualHolds([]);
