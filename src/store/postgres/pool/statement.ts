// Runs a statement with a timeout. All statements share one timer: a timer for each, as the driver has it, retains
// every response until a full garbage collection, which takes a third of the process's time.
import pg from "pg";
import { SlotList } from "../../../core/slot-list.ts";

export type PgRow = Record<string, unknown>;

/** The driver's own message, which it uses for COPY. */
export const timeoutMessage = "Query read timeout";

const sweepMs = 250;

type InFlight = {
  readonly deadline: number;
  readonly reject: (error: Error) => void;
  /** Undefined once it has finished. */
  slot: number | undefined;
};

const inFlight = new SlotList<InFlight>();
let sweeper: NodeJS.Timeout | undefined;

/** After a timeout the connection still waits for the statement, and can't be reused. */
export function runStatement(client: pg.ClientBase, statement: pg.QueryConfig, timeoutMs: number): Promise<PgRow[]> {
  return new Promise((resolve, reject) => {
    const own: InFlight = { deadline: performance.now() + timeoutMs, reject, slot: undefined };
    own.slot = inFlight.add(own);
    // Responses that arrived while the event loop was blocked are processed first.
    sweeper ??= setInterval(() => setImmediate(sweep), sweepMs).unref();
    // The driver's types wrongly declare that there is always an error.
    const query = new pg.Query(statement, (error: Error | null | undefined, result) => {
      remove(own);
      if (error) reject(error);
      else resolve(result.rows as PgRow[]);
    });
    client.query(query);
  });
}

function sweep(): void {
  if (inFlight.size === 0) {
    clearInterval(sweeper);
    sweeper = undefined;
    return;
  }
  const now = performance.now();
  for (const each of inFlight.all()) {
    if (now < each.deadline) continue;
    remove(each);
    each.reject(new Error(timeoutMessage));
  }
}

function remove(own: InFlight): void {
  if (own.slot !== undefined) inFlight.remove(own.slot);
  own.slot = undefined;
}
