// Live updates: one stream of changes per page, for all of its views. While it is interrupted, views are refetched
// periodically; it then continues after the last change, so that none is missed.
import { type Signal, signal } from "../../app/signal.ts";
import { connection, connectionLost, untilConnected } from "../connection.ts";
import { currentDocument } from "../document.ts";
import { unreachable } from "../failure.ts";
import { keyState } from "../key.ts";
import { addChange, announceAll, type Change } from "./changes.ts";
import { readEvents, type ServerEvent } from "./server-events.ts";
import { isWanted, untilWanted } from "./wanted.ts";

/** off: nobody looks, or the key may not; polling: the stream is interrupted, or the server has none. */
export type LiveState = "off" | "connecting" | "live" | "polling";

export const liveState: Signal<LiveState> = signal<LiveState>("off");

/** Listeners for single changes, such as notifications. */
export const changeListeners = new Set<(change: Change) => void>();

const pollMs = 30_000;
/** The server sends a heartbeat every 15 seconds. */
const silenceMs = 45_000;
const firstRetryMs = 1000;
const maxRetryMs = 30_000;

/** Where the stream continues: first that of a list that was shown, then that of the last event. */
let position: string | undefined;
/** Lists were read at different positions, so one of them may have missed a change. */
let isUncertain = false;
let onPosition = (): void => {};

/** Called with the position of each list that is read. */
export function listRead(at: string): void {
  if (liveState.get() === "live") return;
  if (position !== undefined && position !== at) isUncertain = true;
  position ??= at;
  onPosition();
}

const untilPosition = (): Promise<void> =>
  position === undefined ? new Promise((resolve) => (onPosition = resolve)) : Promise.resolve();

type End = { readonly kind: "cut" | "stopped" | "gone" | "refused" } | { readonly kind: "later"; readonly ms: number };

export function startLive(): void {
  setInterval(() => {
    if (liveState.get() === "polling" && !document.hidden && !connection.get().lost) announceAll();
  }, pollMs);
  keyState.subscribe(() => {
    position = undefined;
  });
  // What is shown may be from an earlier visit.
  let wasLost = false;
  connection.subscribe(() => {
    if (wasLost && !connection.get().lost) announceAll();
    wasLost = connection.get().lost;
  });
  void follow();
}

async function follow(): Promise<void> {
  let retryMs = firstRetryMs;
  for (;;) {
    await untilWanted();
    await untilPosition();
    const path = currentDocument()?.paths.streamAll;
    if (path === undefined) return liveState.set("polling");
    const end = await connect(path, () => {
      retryMs = firstRetryMs;
    });
    if (end.kind === "stopped") {
      liveState.set("off");
      continue;
    }
    liveState.set("polling");
    if (end.kind === "gone") {
      position = undefined;
      announceAll();
    } else if (end.kind === "refused") await untilKeyChanges();
    else {
      await untilConnected(new AbortController().signal);
      await new Promise((resolve) => setTimeout(resolve, end.kind === "later" ? end.ms : retryMs));
      retryMs = Math.min(retryMs * 2, maxRetryMs);
    }
  }
}

/** Follows the stream until it ends. */
async function connect(path: string, onConnected: () => void): Promise<End> {
  const { key = "", version } = keyState.get();
  const aborter = new AbortController();
  const stops = [keyState, isWanted].map((each) => each.subscribe(() => isStopped(version) && aborter.abort()));
  let isConnected = false;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => aborter.abort(), silenceMs);
  };
  try {
    heard();
    if (liveState.get() === "off") liveState.set("connecting");
    const response = await fetch(path, {
      headers: {
        accept: "text/event-stream",
        authorization: `token ${key}`,
        ...(position === undefined ? {} : { "last-event-id": position }),
      },
      cache: "no-store",
      signal: aborter.signal,
    });
    if (!response.ok || response.body === null) return endOf(response);
    isConnected = true;
    onConnected();
    liveState.set("live");
    if (isUncertain) announceAll();
    isUncertain = false;
    await readEvents(response.body, receive, heard);
    return { kind: "cut" };
  } catch {
    if (isStopped(version)) return { kind: "stopped" };
    if (!isConnected) connectionLost(unreachable.detail);
    return { kind: "cut" };
  } finally {
    clearTimeout(silence);
    for (const stop of stops) stop();
  }
}

const isStopped = (version: number): boolean => !isWanted.get() || keyState.get().version !== version;

function endOf({ status, headers }: Response): End {
  if (status === 410) return { kind: "gone" };
  if ([401, 403, 404].includes(status)) return { kind: "refused" };
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? { kind: "later", ms: seconds * 1000 } : { kind: "cut" };
}

function receive({ id, data }: ServerEvent): void {
  if (data !== undefined) {
    const change = JSON.parse(data) as Change;
    addChange(change);
    for (const listener of changeListeners) listener(change);
  }
  if (id !== undefined) position = id;
}

function untilKeyChanges(): Promise<void> {
  const { version } = keyState.get();
  return new Promise((resolve) => {
    const unsubscribe = keyState.subscribe(() => {
      if (keyState.get().version === version) return;
      unsubscribe();
      resolve();
    });
  });
}
