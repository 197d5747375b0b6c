// Connection state. While the connection is lost, one probe polls the server on behalf of all requests.
import { type Signal, signal } from "../app/signal.ts";

export type Connection = { readonly lost: boolean; readonly reason: string };

const online: Connection = { lost: false, reason: "" };
export const connection: Signal<Connection> = signal(online);

/** Exponential backoff between probes. */
const firstDelayMs = 500;
const maxDelayMs = 10_000;

let delay = firstDelayMs;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Called when a request received no response, or 503. */
export function connectionLost(reason: string): void {
  if (connection.get().lost) return;
  connection.set({ lost: true, reason });
  delay = firstDelayMs;
  scheduleProbe();
}

export function probeNow(): void {
  if (!connection.get().lost) return;
  clearTimeout(timer);
  void probe();
}

/** Resolves once the server is ready, or immediately if it is. */
export function untilConnected(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!connection.get().lost) return resolve();
    const unsubscribe = connection.subscribe(() => {
      if (connection.get().lost) return;
      unsubscribe();
      resolve();
    });
    signal.addEventListener("abort", unsubscribe);
  });
}

function scheduleProbe(): void {
  timer = setTimeout(() => void probe(), delay);
  delay = Math.min(delay * 2, maxDelayMs);
}

async function probe(): Promise<void> {
  const ready = await fetch("/readyz", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (ready) connection.set(online);
  else scheduleProbe();
}

export function watchConnection(): void {
  window.addEventListener("online", probeNow);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) probeNow();
  });
}
