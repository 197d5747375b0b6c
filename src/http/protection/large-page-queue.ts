// Large pages take turns, so that they never stand between small ones in a row: each begins in a turn of the event loop of
// its own. The line for it is bounded in number and in time.

import { type Problem, problem } from "../../core/problem.ts";
import type { Plan } from "../../core/query/plan.ts";

export type LargePageLimits = {
  /** Under way at once. */
  readonly atOnce: number;
  readonly mostWaiting: number;
  readonly longestMs: number;
};

export const defaultLargePageLimits: LargePageLimits = { atOnce: 1, mostWaiting: 64, longestMs: 5000 };

/** Between two large pages, where small ones are asked for. */
const longestRestMs = 50;

/** Records of a page that may stand between others at any time; with their texts each counts twice. */
const mostOfSmall = 200;

export const isLarge = ({ limit, include }: Plan): boolean => limit * (include.length > 0 ? 2 : 1) > mostOfSmall;

export type LargePageQueue = {
  /** A small page was read: large ones leave as much time to others as they take. */
  passSmall(): void;
  /** Undefined when a turn may begin, which `end` must follow; a problem when there are too many, or who asked is gone. */
  begin(isGone: () => boolean): Promise<Problem | undefined>;
  end(): void;
  readonly waiting: number;
  /** How many were turned away. */
  readonly refused: number;
};

export function largePageQueue({ atOnce, mostWaiting, longestMs }: LargePageLimits): LargePageQueue {
  const line: { admit(): void }[] = [];
  let began = 0;
  let small = 0;
  let underWay = 0;
  let refused = 0;

  /** Who has left was not turned away. */
  const refuse = (hasLeft: boolean): Problem => {
    if (!hasLeft) refused++;
    return busy("Many large pages are asked for at once.");
  };

  const goOn = (): void => {
    const next = line.shift();
    began = performance.now();
    small = 0;
    if (next === undefined) underWay--;
    else next.admit();
  };

  return {
    begin: (isGone) => {
      if (underWay < atOnce) {
        underWay++;
        began = performance.now();
        small = 0;
        return Promise.resolve(undefined);
      }
      if (line.length >= mostWaiting) return Promise.resolve(refuse(false));
      return new Promise((resolve) => {
        const limit = setTimeout(() => {
          line.splice(line.indexOf(place), 1);
          resolve(refuse(isGone()));
        }, longestMs);
        const admit = () => {
          clearTimeout(limit);
          // Nothing is read for a client that has left; its turn goes to the next one.
          const left = isGone();
          resolve(left ? refuse(left) : undefined);
          if (left) goOn();
        };
        const place = { admit };
        line.push(place);
      });
    },
    end: () => {
      // Whatever has come meanwhile goes first; and where others are there, they get as much time as this turn took.
      setImmediate(() => {
        if (small === 0) goOn();
        else setTimeout(goOn, Math.min(longestRestMs, performance.now() - began));
      });
    },
    passSmall: () => {
      small++;
    },
    get waiting() {
      return line.length;
    },
    get refused() {
      return refused;
    },
  };
}

/** What is said when there is too much to do. */
export const busy = (detail: string): Problem =>
  problem("server.busy", `${detail} Try again in a moment.`, { headers: { "retry-after": "1" } });

export const overloaded = busy("This server has too much to do.");
