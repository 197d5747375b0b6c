// The status of a mirror as numbers.
import { type Family, plain, type Sample } from "../metrics/family.ts";
import type { ResourceStatus, Status } from "./status.ts";

export function mirrorFamilies({ resources, budget, errors, feed }: Status): Family[] {
  const family = (type: "gauge" | "counter", name: string, help: string, values: readonly Sample[]): Family => ({
    name: `bellwire_mirror_${name}`,
    type,
    help,
    aggregator: "max",
    values,
  });
  /** What is not known has no sample. */
  const each = (of: (status: ResourceStatus) => number | null): Sample[] =>
    resources.flatMap((status) => {
      const value = of(status);
      return value === null ? [] : [{ labels: { resource: status.resource }, value }];
    });
  const taken = resources.flatMap(({ resource, counts }) =>
    Object.entries(counts).map(([outcome, value]): Sample => ({ labels: { resource, outcome }, value })),
  );
  return [
    family(
      "gauge",
      "lag_seconds",
      "Time since the moment up to which changes are known.",
      each(({ lag }) => lag),
    ),
    family(
      "gauge",
      "records",
      "Records in the database.",
      each(({ records }) => records),
    ),
    family(
      "gauge",
      "windows_done",
      "Windows of days that have been read.",
      each(({ windows }) => windows),
    ),
    family(
      "gauge",
      "windows_left",
      "Windows of days that are left, where it is known.",
      each((status) => status.windows_left),
    ),
    family(
      "gauge",
      "filled",
      "1 when the past has been read.",
      each(({ filled }) => (filled ? 1 : 0)),
    ),
    family(
      "gauge",
      "gaps",
      "Stretches of days of which not all is known.",
      each(({ gaps }) => gaps.length),
    ),
    family("counter", "taken_total", "Records by what became of them.", taken),
    family("gauge", "errors", "Parts of the work that can't be done now.", plain(Object.keys(errors).length)),
    family("counter", "requests_total", "Requests sent to the upstream.", plain(budget.requests)),
    family("gauge", "budget_used", "Requests of the last period of the budget.", plain(budget.used)),
    family(
      "gauge",
      "changes_behind",
      "Lines of the change log that are left to read.",
      feed === null ? [] : plain(feed.last - feed.after),
    ),
  ];
}
