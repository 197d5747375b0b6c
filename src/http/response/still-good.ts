// Whether a kept page is good for newer data as well: records that were added since, but stand elsewhere, do not change it.
// Judged in memory, by the lines of the change log, which costs a small part of reading the page.
import type { Listing } from "../../core/catalog/extension.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { touches } from "../../core/query/evaluate.ts";
import type { Plan, Position } from "../../core/query/plan.ts";
import type { Row } from "../../core/record/row.ts";
import type { State, Store } from "../../store/store.ts";

/** Of which moment a page is, and where it ends when it is full. */
export type PageRead = {
  readonly state: Pick<State, "changed" | "era">;
  readonly last: Position | undefined;
  /** By the process's own clock. */
  readonly atMs: number;
};

/** Records that are remembered for each resource; to look at more takes as long as to read a page. */
const mostRecords = 100;

/** Read anew after so long, whatever the log says: a database that was set back by other means is not served for ever. */
const longestMs = 60_000;

type Log = Pick<Store, "changes" | "oldestChange" | "rowsOf">;

/** Tells whether a page of the plan, read then, is what would be read now. False where that can't be told. */
export type StillGood = (plan: Plan, then: PageRead, now: State) => Promise<boolean>;

export function stillGood(listing: Listing, log: Log): StillGood {
  // Lists beside the catalogue's are made from more than the lines of one resource.
  if ("table" in listing) return async () => false;
  let added = new Added(listing, log, "");
  return async (plan, { state: then, last, atMs }, now) => {
    // To search the texts of new records takes as long as to ask the index.
    if (plan.where.some(({ op }) => op === "search")) return false;
    if (then.era !== now.era || then.changed > now.changed || performance.now() - atMs > longestMs) return false;
    if (added.era !== now.era) added = new Added(listing, log, now.era);
    const rows = await added.between(then.changed, now).catch(() => undefined);
    return rows !== undefined && !rows.some((row) => touches(plan, last, row));
  };
}

/** The records that were added lately, for as long as nothing else has happened to any. */
class Added {
  readonly era: string;
  readonly #resource: Resource;
  readonly #log: Log;
  /** Whatever was added between these two lines is known. */
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;
  #known: readonly { readonly seq: number; readonly row: Row }[] = [];
  #following: Promise<void> | undefined;

  constructor(resource: Resource, log: Log, era: string) {
    this.#resource = resource;
    this.#log = log;
    this.era = era;
  }

  /** Those after one line of the log, up to a state at least; undefined where more has happened, or it can't be told. */
  async between(after: number, now: State): Promise<readonly Row[] | undefined> {
    if (this.#from > this.#to) this.#begin(after);
    while (this.#from <= after && this.#to < now.changed) {
      this.#following ??= this.#follow(now).finally(() => {
        this.#following = undefined;
      });
      await this.#following;
    }
    if (after < this.#from) return undefined;
    return this.#known.filter(({ seq }) => seq > after).map(({ row }) => row);
  }

  #begin(line: number): void {
    this.#known = [];
    this.#from = line;
    this.#to = line;
  }

  async #follow(now: State): Promise<void> {
    const { changed: upTo } = now;
    const lines = await this.#log.changes(this.#to, mostRecords + 1, this.#resource.name, now);
    const isTold = lines.length <= mostRecords && lines.every(({ kind }) => kind === "created");
    if (!isTold || (await this.#log.oldestChange(now)) > this.#to) return this.#begin(upTo);
    const ids = lines.map(({ id }) => id);
    const rows = ids.length === 0 ? [] : await this.#log.rowsOf(this.#resource, ids, now);
    const byId = new Map(rows.map((row) => [String(row.id), row]));
    const found = lines.flatMap(({ seq, id }) => {
      const row = byId.get(id);
      return row === undefined ? [] : [{ seq, row }];
    });
    // One that is gone again has a line for that, which has come meanwhile.
    if (found.length < lines.length) return this.#begin(upTo);
    const all = [...this.#known, ...found];
    this.#known = all.slice(-mostRecords);
    this.#from = all.at(-mostRecords - 1)?.seq ?? this.#from;
    this.#to = Math.max(upTo, lines.at(-1)?.seq ?? 0);
  }
}
