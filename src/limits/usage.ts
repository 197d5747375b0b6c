// Usage of keys, counted in memory and written in batches: a crash loses at most a few seconds.
import { dayBounds, localDay, type Zone } from "../core/value/time-zone.ts";
import type { LinkUse, UsageRow } from "../store/store.ts";

/** What is counted for a response. */
export type UsageEvent = {
  /** Empty without a valid key: then nothing is counted. */
  readonly key: string;
  /** ID of the link that was used; empty without one. */
  readonly link: string;
  readonly route: { readonly use: string; readonly resource: string };
  readonly status: number;
  readonly records: number;
  readonly bytes: number;
};

type Counts = { requests: number; records: number; bytes: number; errors: number; limited: number };
/** By key, then by resource. */
type Uses = Map<string, Map<string, Counts>>;
/** Requests by link. */
type LinkUses = Map<string, number>;
type Day = { readonly zone: Zone; readonly name: string; readonly from: number; readonly before: number };

type UsageOptions = {
  readonly write: (rows: readonly UsageRow[], at: number, links: readonly LinkUse[]) => Promise<void>;
  readonly zone: () => Promise<Zone>;
  /** Unix seconds. */
  readonly now: () => number;
  /** Called when a batch could not be written; it is retried with the next one. */
  readonly onError?: (error: unknown) => void;
  readonly everyMs?: number;
};

export class UsageCounter {
  readonly #options: UsageOptions;
  #uses: Uses = new Map();
  #linkUses: LinkUses = new Map();
  /** The current day; unknown until the first write, which reads the time zone. */
  #day: Day | undefined;
  /** Finished counts that are still to be written, by day. */
  readonly #finished: { readonly day: string; readonly uses: Uses }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: UsageOptions) {
    this.#options = options;
  }

  readonly count = ({ key, link, route, status, records, bytes }: UsageEvent): void => {
    if (key === "") return;
    if (link !== "") this.#linkUses.set(link, (this.#linkUses.get(link) ?? 0) + 1);
    const day = this.#day;
    if (day !== undefined) {
      const now = this.#options.now();
      if (now >= day.before || now < day.from) this.#startDay(dayAt(day.zone, now));
    }
    const counts = countsOf(this.#uses, key, route.resource || route.use);
    counts.requests++;
    counts.records += records;
    counts.bytes += bytes;
    if (status === 429) counts.limited++;
    else if (status >= 400) counts.errors++;
    this.#timer ??= setTimeout(this.#onTimer, this.#options.everyMs ?? 2000).unref();
  };

  /** Writes everything counted so far; returns whether that succeeded. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Of several callers that waited for one batch, the first writes the next.
    while (this.#writing !== undefined) await this.#writing;
    const { onError } = this.#options;
    let written = true;
    this.#writing = this.#write().catch((error: unknown) => {
      written = false;
      onError?.(error);
    });
    await this.#writing;
    this.#writing = undefined;
    return written;
  }

  readonly #onTimer = async (): Promise<void> => {
    if (!(await this.flush())) this.#timer ??= setTimeout(this.#onTimer, this.#options.everyMs ?? 2000).unref();
  };

  async #write(): Promise<void> {
    const { write, zone, now } = this.#options;
    if (this.#uses.size > 0) {
      const today = dayAt(await zone(), now());
      this.#startDay(today);
    }
    const batch = this.#finished.splice(0);
    if (batch.length === 0) return;
    const links = this.#linkUses;
    this.#linkUses = new Map();
    try {
      const linkUses = [...links].map(([link, requests]) => ({ link, requests }));
      await write(rowsOf(batch), Math.floor(now()), linkUses);
    } catch (error) {
      this.#finished.unshift(...batch);
      for (const [link, requests] of links) this.#linkUses.set(link, (this.#linkUses.get(link) ?? 0) + requests);
      throw error;
    }
  }

  /** Queues the current counts for writing and starts counting for a day. */
  #startDay(day: Day): void {
    if (this.#uses.size > 0) this.#finished.push({ day: this.#day?.name ?? day.name, uses: this.#uses });
    this.#uses = new Map();
    this.#day = day;
  }
}

function dayAt(zone: Zone, now: number): Day {
  const name = localDay(zone, now);
  return { zone, name, ...dayBounds(zone, name) };
}

function countsOf(uses: Uses, key: string, resource: string): Counts {
  let ofKey = uses.get(key);
  if (ofKey === undefined) {
    ofKey = new Map();
    uses.set(key, ofKey);
  }
  let counts = ofKey.get(resource);
  if (counts === undefined) {
    counts = { requests: 0, records: 0, bytes: 0, errors: 0, limited: 0 };
    ofKey.set(resource, counts);
  }
  return counts;
}

/** One row per day, key, and resource: a retried batch may hold some of them more than once. */
function rowsOf(batch: readonly { readonly day: string; readonly uses: Uses }[]): UsageRow[] {
  const days = new Map<string, Uses>();
  for (const { day, uses } of batch) {
    const sums = days.get(day) ?? new Map();
    days.set(day, sums);
    for (const [key, resources] of uses) {
      for (const [resource, counts] of resources) {
        const sum = countsOf(sums, key, resource);
        for (const name of Object.keys(counts) as (keyof Counts)[]) sum[name] += counts[name];
      }
    }
  }
  return [...days].flatMap(([day, uses]) =>
    [...uses].flatMap(([key, resources]) =>
      [...resources].map(([resource, counts]) => ({ day, key, resource, ...counts })),
    ),
  );
}
