// How often the health of a file is looked at.
import type { Health } from "../../store.ts";

/** Between two looks: a load balancer may check several times a second. */
const everyMs = 10_000;

/** Looks at most every so often. `ticks`: milliseconds that only go forward. */
export function throttled(look: () => Promise<Health>, ticks = () => performance.now()): () => Promise<Health> {
  let known: Promise<Health> | undefined;
  let lookedAt = 0;
  return () => {
    if (known === undefined || ticks() - lookedAt >= everyMs) {
      lookedAt = ticks();
      known = look();
      known.catch(() => {
        known = undefined;
      });
    }
    return known;
  };
}
