// What keys use, counted in memory and written in batches: at most a few seconds of it are lost with a process.
import { dayBounds, localDay, type Zone } from "../core/value/time-zone.ts";
import type { UsageRow } from "../store/store.ts";

/** What is counted of an answer. */
export type Used = {
  /** Empty when no key was known: then nothing is counted. */
  readonly key: string;
  readonly route: { readonly use: string; readonly resource: string };
  readonly status: number;
  readonly records: number;
  readonly bytes: number;
};

type Counts = { requests: number; records: number; bytes: number; errors: number; limited: number };
/** By the key, and then by the resource. */
type Uses = Map<string, Map<string, Counts>>;
type Day = { readonly zone: Zone; readonly name: string; readonly from: number; readonly before: number };

export type UsageOptions = {
  readonly write: (rows: readonly UsageRow[], at: number) => Promise<void>;
  readonly zone: () => Promise<Zone>;
  /** Unix seconds. */
  readonly now: () => number;
  /** Told when a batch could not be written; it is kept for the next one. */
  readonly onLost?: (error: unknown) => void;
  readonly everyMs?: number;
};

export class UsageCount {
  readonly #options: UsageOptions;
  #uses: Uses = new Map();
  /** The day that is counted; unknown until the first counts are written, for which the zone is asked for. */
  #day: Day | undefined;
  /** What is still to be written of days that are over. */
  readonly #over: { readonly day: string; readonly uses: Uses }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;

  constructor(options: UsageOptions) {
    this.#options = options;
  }

  readonly count = ({ key, route, status, records, bytes }: Used): void => {
    if (key === "") return;
    const day = this.#day;
    if (day !== undefined) {
      const now = this.#options.now();
      if (now >= day.before || now < day.from) this.#begin(dayAt(day.zone, now));
    }
    const counts = countsOf(this.#uses, key, route.resource || route.use);
    counts.requests++;
    counts.records += records;
    counts.bytes += bytes;
    if (status === 429) counts.limited++;
    else if (status >= 400) counts.errors++;
    this.#timer ??= setTimeout(this.#onTime, this.#options.everyMs ?? 2000).unref();
  };

  /** Writes all that was counted; gives whether it could. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Of many who have waited for one batch, the first writes the next.
    while (this.#underWay !== undefined) await this.#underWay;
    const { onLost } = this.#options;
    let written = true;
    this.#underWay = this.#write().catch((error: unknown) => {
      written = false;
      onLost?.(error);
    });
    await this.#underWay;
    this.#underWay = undefined;
    return written;
  }

  readonly #onTime = async (): Promise<void> => {
    if (!(await this.flush())) this.#timer ??= setTimeout(this.#onTime, this.#options.everyMs ?? 2000).unref();
  };

  async #write(): Promise<void> {
    const { write, zone, now } = this.#options;
    if (this.#uses.size > 0) {
      const today = dayAt(await zone(), now());
      this.#begin(today);
    }
    const batch = this.#over.splice(0);
    if (batch.length === 0) return;
    try {
      await write(rowsOf(batch), Math.floor(now()));
    } catch (error) {
      this.#over.unshift(...batch);
      throw error;
    }
  }

  /** What was counted so far is to be written; what comes is counted for that day. */
  #begin(day: Day): void {
    if (this.#uses.size > 0) this.#over.push({ day: this.#day?.name ?? day.name, uses: this.#uses });
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

/** One row for each day, key and resource: a batch that waited may hold some of them more than once. */
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
