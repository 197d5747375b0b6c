// Lease: one process per database does a job. The holder renews it; a waiter takes over from a holder that stops renewing.
// Clocks of two machines are never compared: a waiter only watches whether the stored lease changes.
import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";

type LeaseRecord = {
  readonly host: string;
  /** Identifies the PID namespace in which `pid` is meaningful. */
  readonly machine: string;
  readonly pid: number;
  readonly run: string;
  /** Incremented by every renewal. */
  readonly beat: number;
  /** Time of the renewal in Unix milliseconds, by the holder's clock: it may have sent requests until about then. */
  readonly at: number;
  readonly ended?: true;
};

export const heartbeatMs = 3000;
/** A holder that has not renewed its lease for this long is considered dead. */
const expiryMs = 15_000;
const pollMs = 1000;

/** PIDs are unique only within one boot and one container. */
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

type Lease = {
  /** Aborted when the lease is lost: another process has taken it, or the database was unavailable for too long. */
  readonly lost: AbortSignal;
  /** Time since the previous holder may have sent its last request. */
  readonly quietMs: number;
  release(): Promise<void>;
};

/** Where leases are stored: values that processes share. */
type LeaseStore = Pick<Store, "getMetadata" | "setMetadataIfAbsent" | "compareAndSetMetadata">;

/** Waits until this process holds the lease of that name; undefined when aborted first. */
export async function acquireLease(
  store: LeaseStore,
  name: string,
  clock: Clock,
  signal: AbortSignal,
  onWaiting: (holder: string) => void,
): Promise<Lease | undefined> {
  const record = recordOfThisRun(clock);
  let seen: string | undefined;
  let seenAt = clock.ticks();
  for (let notified = false; !signal.aborted; ) {
    const first = record(0);
    const stored = await store.getMetadata(name);
    if (stored === undefined) {
      if (await store.setMetadataIfAbsent(name, first))
        return holdLease(store, name, clock, record, first, Number.POSITIVE_INFINITY);
      continue;
    }
    if (stored !== seen) {
      seen = stored;
      seenAt = clock.ticks();
    }
    const holder = JSON.parse(stored) as LeaseRecord;
    const expired = clock.ticks() - seenAt >= expiryMs;
    if (holder.ended || expired || isDead(holder)) {
      // A killed holder may have lived for up to two heartbeats after its last renewal.
      const last = holder.at + (holder.ended ? 0 : 2 * heartbeatMs);
      if (await store.compareAndSetMetadata(name, stored, first))
        return holdLease(store, name, clock, record, first, Math.max(0, clock.now() - last));
      continue;
    }
    if (!notified) onWaiting(holderName(holder));
    notified = true;
    await clock.sleep(pollMs, signal);
  }
  return undefined;
}

type RecordOfRun = (beat: number, ended?: true) => string;

function recordOfThisRun(clock: Clock): RecordOfRun {
  const run = randomBytes(6).toString("hex");
  return (beat, ended) => {
    const record: LeaseRecord = {
      host: hostname(),
      machine,
      pid: process.pid,
      run,
      beat,
      at: clock.now(),
      ...(ended ? { ended } : {}),
    };
    return JSON.stringify(record);
  };
}

/** Renews an acquired lease until it is released or lost. */
function holdLease(
  store: LeaseStore,
  name: string,
  clock: Clock,
  record: RecordOfRun,
  acquired: string,
  quietMs: number,
): Lease {
  const lost = new AbortController();
  const released = new AbortController();
  let current = acquired;
  let renewedAt = clock.ticks();
  const renew = async (): Promise<void> => {
    for (let beat = 1; !released.signal.aborted; beat++) {
      await clock.sleep(heartbeatMs, released.signal);
      if (released.signal.aborted) return;
      const next = record(beat);
      const swapped = await store.compareAndSetMetadata(name, current, next).catch(() => undefined);
      if (swapped === true) {
        current = next;
        renewedAt = clock.ticks();
      } else if (swapped === false || clock.ticks() - renewedAt > expiryMs - 2 * heartbeatMs) {
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
      if (!lost.signal.aborted) await store.compareAndSetMetadata(name, current, record(0, true)).catch(() => {});
    },
  };
}

/** Whether the holder is a dead process of this machine; false for other machines and containers, which can't be checked. */
function isDead(holder: LeaseRecord): boolean {
  const { pid } = holder;
  if (holder.machine !== machine || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** The lease's holder; null when it was released or its holder is known to be dead. */
export async function leaseHolder(store: LeaseStore, name: string): Promise<string | null> {
  const stored = await store.getMetadata(name);
  if (stored === undefined) return null;
  const holder = JSON.parse(stored) as LeaseRecord;
  return holder.ended || isDead(holder) ? null : holderName(holder);
}

const holderName = ({ pid, host }: LeaseRecord): string => `process ${pid} on ${host}`;
