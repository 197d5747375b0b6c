// Pages are read in rounds: those asked for in one turn of the event loop one after the other, and then all are answered.
// Going back and forth between the reading of requests, SQLite and the writing of answers, the processor has to fetch the
// program of each anew, which takes as long as a fifth to a third of all the work.
import type { SqlRow } from "./connection.ts";

/** When a round has reached one of these, its answers go out before the next one begins. */
const mostReads = 32;
const longestMs = 4;
/** Length of its pages: more than that would be gone from the processor's cache before it is sent. */
const mostLength = 262_144;

type Read = () => SqlRow | undefined;
type Waiting = {
  readonly read: Read;
  readonly resolve: (row: SqlRow | undefined) => void;
  readonly reject: (error: unknown) => void;
};

/** Gives a function that runs a read, whose row may hold a `page`, in the next round. */
export function readingRounds(now = () => performance.now()): (read: Read) => Promise<SqlRow | undefined> {
  let waiting: Waiting[] = [];

  const round = (): void => {
    const ends = now() + longestMs;
    let done = 0;
    let length = 0;
    for (const { read, resolve, reject } of waiting) {
      try {
        const row = read();
        resolve(row);
        length += lengthOf(row?.page);
      } catch (error) {
        reject(error);
      }
      done++;
      if (done === mostReads || length > mostLength || now() > ends) break;
    }
    waiting = waiting.slice(done);
    // Once all answers of this round are out, but in the same turn: its length tells how long requests have to wait.
    if (waiting.length > 0) queueMicrotask(() => process.nextTick(round));
  };

  return (read) =>
    new Promise((resolve, reject) => {
      waiting.push({ read, resolve, reject });
      if (waiting.length === 1) setImmediate(round);
    });
}

/** Of a page, as text or as bytes. */
export const lengthOf = (page: unknown): number =>
  typeof page === "string" || page instanceof Uint8Array ? page.length : 0;
