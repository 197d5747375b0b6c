// Limits how often the health of a file is checked.
import type { Health } from "../../store.ts";

/** Minimum time between two checks: a load balancer may probe several times a second. */
const intervalMs = 10_000;

/** Caches the result of a check. `ticks` is a monotonic clock in milliseconds. */
export function throttled(check: () => Promise<Health>, ticks = () => performance.now()): () => Promise<Health> {
  let cached: Promise<Health> | undefined;
  let checkedAt = 0;
  return () => {
    if (cached === undefined || ticks() - checkedAt >= intervalMs) {
      checkedAt = ticks();
      cached = check();
      cached.catch(() => {
        cached = undefined;
      });
    }
    return cached;
  };
}
