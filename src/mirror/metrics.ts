// Metrics of a mirror, derived from its status.
import { type Family, plain, type Sample } from "../metrics/family.ts";
import type { MirrorStatus, ResourceStatus } from "./status.ts";

export function mirrorMetrics({ resources, budget, errors, feed }: MirrorStatus): Family[] {
  /** Unknown values have no sample. */
  const each = (of: (status: ResourceStatus) => number | null): Sample[] =>
    resources.flatMap((status) => {
      const value = of(status);
      return value === null ? [] : [{ labels: { resource: status.resource }, value }];
    });
  const outcomes = resources.flatMap(({ resource, counts }) =>
    Object.entries(counts).map(([outcome, value]): Sample => ({ labels: { resource, outcome }, value })),
  );
  const families: readonly (readonly [Family["type"], name: string, help: string, values: readonly Sample[]])[] = [
    ["gauge", "lag_seconds", "Seconds since the time up to which changes are known.", each(({ lag }) => lag)],
    ["gauge", "records", "Records in the database.", each(({ records }) => records)],
    ["gauge", "windows_done", "Windows of days that were backfilled.", each(({ windows }) => windows)],
    ["gauge", "windows_left", "Windows of days left to backfill, where known.", each((status) => status.windows_left)],
    ["gauge", "filled", "1 when the backfill is complete.", each(({ filled }) => Number(filled))],
    ["gauge", "gaps", "Ranges of days that could not be read completely.", each(({ gaps }) => gaps.length)],
    ["counter", "taken_total", "Ingested records by outcome.", outcomes],
    [
      "gauge",
      "failing",
      "1 while the resource, its removals, or the change feed can't be read.",
      each(({ failing }) => Number(failing)),
    ],
    ["gauge", "errors", "Parts of the mirror that are currently failing.", plain(Object.keys(errors).length)],
    ["counter", "requests_total", "Requests sent to the upstream.", plain(budget.requests)],
    ["gauge", "budget_used", "Requests in the last period of the budget.", plain(budget.used)],
    [
      "gauge",
      "changes_behind",
      "Entries of the upstream's change log left to read.",
      feed === null ? [] : plain(feed.last - feed.after),
    ],
  ];
  // The same in all processes, so it isn't summed.
  return families.map(([type, name, help, values]) => ({
    name: `bellwire_mirror_${name}`,
    type,
    help,
    aggregator: "max",
    values,
  }));
}
