// One statement on one connection, given up when it is not answered in time. All of them share one timer: with one for each,
// as the driver has it, every answer is kept until the whole heap is collected, which takes a third of this process's time.
import type pg from "pg";

export type PgRow = Record<string, unknown>;

/** How it is told that a statement was not answered in time; the driver says so too, of bulk loads. */
export const unanswered = "Query read timeout";

/** How often it is looked whether time is over. */
const sweepMs = 250;

type UnderWay = { readonly until: number; readonly reject: (error: Error) => void };

const underWay = new Set<UnderWay>();
let sweeper: NodeJS.Timeout | undefined;

/** A connection on which a statement was given up is still waiting for it. */
export function ask(client: pg.ClientBase, statement: pg.QueryConfig, limitMs: number): Promise<PgRow[]> {
  return new Promise((resolve, reject) => {
    const own = { until: performance.now() + limitMs, reject };
    underWay.add(own);
    sweeper ??= setInterval(sweep, sweepMs).unref();
    // The types of the driver say that there is always an error.
    client.query(statement, (error: Error | null | undefined, result) => {
      underWay.delete(own);
      if (error) reject(error);
      else resolve(result.rows as PgRow[]);
    });
  });
}

function sweep(): void {
  if (underWay.size === 0) {
    clearInterval(sweeper);
    sweeper = undefined;
    return;
  }
  const now = performance.now();
  for (const each of underWay) {
    if (now < each.until) continue;
    underWay.delete(each);
    each.reject(new Error(unanswered));
  }
}
