// One statement on one connection, given up when it is not answered in time. All of them share one timer: with one for each,
// as the driver has it, every answer is kept until the whole heap is collected, which takes a third of this process's time.
import pg from "pg";
import { Places } from "../../../core/slot-list.ts";

export type PgRow = Record<string, unknown>;

/** How it is told that a statement was not answered in time; the driver says so too, of bulk loads. */
export const unanswered = "Query read timeout";

/** How often it is looked whether time is over. */
const sweepMs = 250;

type UnderWay = {
  readonly until: number;
  readonly reject: (error: Error) => void;
  /** Among those under way; undefined once it is no longer. */
  place: number | undefined;
};

const underWay = new Places<UnderWay>();
let sweeper: NodeJS.Timeout | undefined;

/** A connection on which a statement was given up is still waiting for it. */
export function ask(client: pg.ClientBase, statement: pg.QueryConfig, limitMs: number): Promise<PgRow[]> {
  return new Promise((resolve, reject) => {
    const own: UnderWay = { until: performance.now() + limitMs, reject, place: undefined };
    own.place = underWay.add(own);
    sweeper ??= setInterval(sweep, sweepMs).unref();
    // The types of the driver say that there is always an error.
    const query = new pg.Query(statement, (error: Error | null | undefined, result) => {
      leave(own);
      if (error) reject(error);
      else resolve(result.rows as PgRow[]);
    });
    client.query(query);
  });
}

function sweep(): void {
  if (underWay.size === 0) {
    clearInterval(sweeper);
    sweeper = undefined;
    return;
  }
  const now = performance.now();
  for (const each of underWay.all()) {
    if (now < each.until) continue;
    leave(each);
    each.reject(new Error(unanswered));
  }
}

function leave(own: UnderWay): void {
  if (own.place !== undefined) underWay.remove(own.place);
  own.place = undefined;
}
