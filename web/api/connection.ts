// Whether the server answers. While it does not, one probe asks again and again, and everyone waits for it.
import { type Cell, cell } from "../app/signal.ts";

export type Connection = { readonly lost: boolean; readonly reason: string };

const fine: Connection = { lost: false, reason: "" };
export const connection: Cell<Connection> = cell(fine);

/** Milliseconds until the next probe: doubled up to a bound, so that a server that starts again is not run over. */
const first = 500;
const most = 10_000;

let delay = first;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A request got no answer, or 503. */
export function connectionLost(reason: string): void {
  if (connection.get().lost) return;
  connection.set({ lost: true, reason });
  delay = first;
  plan();
}

export function probeNow(): void {
  if (!connection.get().lost) return;
  clearTimeout(timer);
  void probe();
}

/** Resolves once the server answers again; at once while it does. */
export function connected(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!connection.get().lost) return resolve();
    const end = connection.subscribe(() => {
      if (connection.get().lost) return;
      end();
      resolve();
    });
    signal.addEventListener("abort", end);
  });
}

function plan(): void {
  timer = setTimeout(() => void probe(), delay);
  delay = Math.min(delay * 2, most);
}

async function probe(): Promise<void> {
  const ready = await fetch("/readyz", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (ready) connection.set(fine);
  else plan();
}

export function followConnection(): void {
  window.addEventListener("online", probeNow);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) probeNow();
  });
}
