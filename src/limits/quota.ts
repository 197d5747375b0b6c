// Quota: a number of requests per day or month in the service's time zone.
import type { QuotaPeriod } from "../core/access/terms.ts";
import { dayBounds, localDay, type Zone } from "../core/value/time-zone.ts";
import type { LimitDelta, LimitTotal } from "../store/store.ts";
import { unsyncedLimit } from "./bucket.ts";

export type Quota = { readonly requests: number; readonly per: QuotaPeriod; readonly zone: Zone };

/** `2026-01-15` or `2026-01`, with its first second and the first after it. */
type Period = { readonly name: string; readonly from: number; readonly before: number };

export function periodOf({ per, zone }: Pick<Quota, "per" | "zone">, now: number): Period {
  const day = localDay(zone, now);
  if (per === "day") return { name: day, ...dayBounds(zone, day) };
  const month = day.slice(0, 7);
  const [year = 0, number = 0] = month.split("-").map(Number);
  const next = number === 12 ? `${padded(year + 1, 4)}-01` : `${padded(year, 4)}-${padded(number + 1, 2)}`;
  return { name: month, from: dayBounds(zone, `${month}-01`).from, before: dayBounds(zone, `${next}-01`).from };
}

const padded = (value: number, length: number): string => String(value).padStart(length, "0");

/** Requests in one period: the synced total of all processes, and this process's unsynced ones. */
type Count = { known: number | undefined; unsent: number; sending: number };

const used = ({ known, unsent, sending }: Count): number => (known ?? 0) + unsent + sending;

/** Times are Unix seconds. */
export class QuotaCount {
  quota: Quota;
  #period: Period | undefined;
  /** By period: after its end, some requests of the previous one may still have to be synced. */
  readonly #counts = new Map<string, Count>();

  constructor(quota: Quota) {
    this.quota = quota;
  }

  period(now: number): Period {
    const known = this.#period;
    if (known !== undefined && now >= known.from && now < known.before) return known;
    this.#period = periodOf(this.quota, now);
    return this.#period;
  }

  /** Applies a changed quota; usage in a period of the same kind still counts. */
  update(quota: Quota): void {
    this.quota = quota;
    this.#period = undefined;
  }

  isKnown(now: number): boolean {
    return this.#count(now).known !== undefined;
  }

  remaining(now: number): number {
    return Math.max(0, this.quota.requests - used(this.#count(now)));
  }

  /** Whether too many requests are unsynced to allow more. */
  mustSync(now: number): boolean {
    const { unsent, sending } = this.#count(now);
    return unsent + sending >= unsyncedLimit(this.remaining(now));
  }

  spend(now: number): void {
    this.#count(now).unsent++;
  }

  /** The usage to sync; always includes the current period, to get its total. */
  beginSync(key: string, now: number): LimitDelta[] {
    const current = this.period(now).name;
    this.#count(now);
    const spending: LimitDelta[] = [];
    for (const [period, count] of this.#counts) {
      const requests = count.unsent;
      count.sending = requests;
      count.unsent = 0;
      if (period === current || requests > 0)
        spending.push({ key, period, requests, seconds: 0, age: 0, maxSeconds: 0 });
      else this.#counts.delete(period);
    }
    return spending;
  }

  applySync({ period, requests }: LimitTotal): void {
    const count = this.#counts.get(period);
    if (count === undefined) return;
    count.known = requests;
    count.sending = 0;
  }

  /** Reverts a failed sync. */
  cancelSync(): void {
    for (const count of this.#counts.values()) {
      count.unsent += count.sending;
      count.sending = 0;
    }
  }

  #count(now: number): Count {
    const { name } = this.period(now);
    let count = this.#counts.get(name);
    if (count === undefined) {
      count = { known: undefined, unsent: 0, sending: 0 };
      this.#counts.set(name, count);
    }
    return count;
  }
}
