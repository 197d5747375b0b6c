// Collects the metrics of this process.
import { type Family, histogram } from "../../metrics/family.ts";
import { Histogram } from "../../metrics/histogram.ts";
import type { Store } from "../../store/store.ts";
import type { ResponseCache } from "../response/cache.ts";
import type { Observer } from "./access-log.ts";
import { processMetrics } from "./process-metrics.ts";
import { requestMetrics } from "./request-metrics.ts";
import { type OnTimed, type Operation, operations } from "./store-timing.ts";

type Metrics = {
  /** Called for every response. */
  readonly count: Observer;
  /** Called for every store operation. */
  readonly timed: OnTimed;
  families(): Family[];
  stop(): void;
};

/** `others` are collected on every call too. */
export function serverMetrics(
  store: Pick<Store, "metrics">,
  cache: ResponseCache,
  version: string,
  others: readonly (() => readonly Family[])[],
): Metrics {
  const requests = requestMetrics(cache);
  const ofProcess = processMetrics(version);
  const times = Object.fromEntries(operations.map((operation) => [operation, new Histogram()])) as Record<
    Operation,
    Histogram
  >;
  return {
    count: requests.count,
    timed: (operation, ms) => times[operation].add(ms),
    families: () => [
      ...requests.families(),
      histogram(
        "bellwire_store_seconds",
        "Duration of database operations, including waits.",
        operations.map((operation) => [{ operation }, times[operation]]),
      ),
      ...store.metrics(),
      ...others.flatMap((families) => families()),
      ...ofProcess.families(),
    ],
    stop: ofProcess.stop,
  };
}
