// One mirror for a database, of any number of processes: a note that its holder renews. A holder that falls silent has
// died. No clocks are compared: whoever waits watches the note for a change.
import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Store } from "../store/store.ts";
import { noteNames } from "./checkpoint.ts";
import type { Clock } from "./clock.ts";

type Holding = {
  readonly host: string;
  /** Where its number means this process. */
  readonly machine: string;
  readonly pid: number;
  readonly run: string;
  /** Grows with every renewal. */
  readonly beat: number;
  /** Milliseconds since 1970, by the holder's clock: it has sent requests until about then. */
  readonly at: number;
  readonly ended?: true;
};

export const beatMs = 3000;
/** So long without a beat, and the holder has died. */
const silentMs = 15_000;
const lookMs = 1000;

/** Processes are numbered anew with every boot and in every container. */
const machine = [
  hostname,
  () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
  () => readlinkSync("/proc/self/ns/pid"),
]
  .map((read) => {
    try {
      return read();
    } catch {
      return "";
    }
  })
  .join(" ");

export type Lease = {
  /** Aborted when the lease is lost: another process has taken it, or the database is away for too long. */
  readonly lost: AbortSignal;
  /** How long ago an earlier holder may have sent its last request. */
  readonly quietMs: number;
  release(): Promise<void>;
};

/** Waits until this process is the one; undefined when told to stop before. */
export async function takeLease(
  store: Store,
  clock: Clock,
  signal: AbortSignal,
  onWaiting: (holder: string) => void,
): Promise<Lease | undefined> {
  const name = noteNames.lease;
  const run = randomBytes(6).toString("hex");
  const mine = (beat: number, ended?: true): string => {
    const holding: Holding = {
      host: hostname(),
      machine,
      pid: process.pid,
      run,
      beat,
      at: clock.now(),
      ...(ended ? { ended } : {}),
    };
    return JSON.stringify(holding);
  };
  let seen: string | undefined;
  let seenAt = clock.ticks();
  for (let told = false; !signal.aborted; ) {
    const first = mine(0);
    const note = await store.note(name);
    if (note === undefined) {
      if (await store.claimNote(name, first)) return hold(first, Number.POSITIVE_INFINITY);
      continue;
    }
    if (note !== seen) {
      seen = note;
      seenAt = clock.ticks();
    }
    const holder = JSON.parse(note) as Holding;
    const silent = clock.ticks() - seenAt >= silentMs;
    if (holder.ended || silent || isDead(holder)) {
      // One that was killed may have lived on for a beat or two.
      const last = holder.at + (holder.ended ? 0 : 2 * beatMs);
      if (await store.swapNote(name, note, first)) return hold(first, Math.max(0, clock.now() - last));
      continue;
    }
    if (!told) onWaiting(nameOf(holder));
    told = true;
    await clock.sleep(lookMs, signal);
  }
  return undefined;

  function hold(taken: string, quietMs: number): Lease {
    const lost = new AbortController();
    const released = new AbortController();
    let current = taken;
    let renewed = clock.ticks();
    const renew = async (): Promise<void> => {
      for (let beat = 1; !released.signal.aborted; beat++) {
        await clock.sleep(beatMs, released.signal);
        if (released.signal.aborted) return;
        const next = mine(beat);
        const kept = await store.swapNote(name, current, next).catch(() => undefined);
        if (kept === true) {
          current = next;
          renewed = clock.ticks();
        } else if (kept === false || clock.ticks() - renewed > silentMs - 2 * beatMs) {
          lost.abort();
          return;
        }
      }
    };
    const renewing = renew();
    return {
      lost: lost.signal,
      quietMs,
      release: async () => {
        released.abort();
        await renewing;
        if (!lost.signal.aborted) await store.swapNote(name, current, mine(0, true)).catch(() => {});
      },
    };
  }
}

/** Whether a process of this machine is no more; of another machine or container nothing is known. */
function isDead(holder: Holding): boolean {
  const { pid } = holder;
  if (holder.machine !== machine || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Who holds the lease, as far as can be told from here; null when it was given back or its holder has died. */
export async function holderOf(store: Store): Promise<string | null> {
  const note = await store.note(noteNames.lease);
  if (note === undefined) return null;
  const holder = JSON.parse(note) as Holding;
  return holder.ended || isDead(holder) ? null : nameOf(holder);
}

const nameOf = ({ pid, host }: Holding): string => `process ${pid} on ${host}`;
