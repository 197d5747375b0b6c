// Prints the status of a mirror as text.
import type { MirrorStatus } from "../../mirror/status.ts";
import { table } from "../shared/table.ts";

export function printStatus(status: MirrorStatus, now: number): string {
  const { budget, feed, resources, errors } = status;
  const lines = [
    `upstream   ${status.upstream}`,
    `source     ${status.via}${status.streaming ? ", as announced by stream" : ""}${status.feed_refused === null ? "" : ` (no change feed: ${status.feed_refused})`}`,
    `running    ${status.holder ?? "no"}`,
    `budget     ${budget.rate}: ${budget.used} used, ${budget.requests} requests in total`,
    ...(feed === null ? [] : [`change log at ${feed.after} of ${feed.last}${snapshotOf(feed.snapshot_left)}`]),
    ...status.removals.map(({ path, offered, lag }) => {
      const state =
        offered === null ? "not read yet" : offered ? `up to date as of ${ago(lag)}` : "not offered by the upstream";
      return `removals   ${path}: ${state}`;
    }),
    "",
    table(
      ["RESOURCE", "RECORDS", "LAG", "WINDOWS", "LEFT", "DOWN TO", "REMOVED", "REFUSED", "GAPS"],
      resources.map((each) => [
        each.resource,
        String(each.records),
        each.lag === null ? "-" : `${each.lag} s`,
        String(each.windows),
        each.filled ? "0" : String(each.windows_left ?? "?"),
        each.filled && each.down_to === null ? "all" : (each.down_to ?? "-"),
        String(each.counts.removed),
        String(each.counts.refused),
        String(each.gaps.length),
      ]),
    ),
  ];
  const troubles = [
    ...Object.values(errors).map(({ at, text }) => `error, ${ago(now - at)}: ${text}`),
    ...resources.flatMap(({ resource, gaps }) =>
      gaps.map(({ from, to, why }) => `gap in ${resource}, ${from || "the beginning"} to ${to || "the end"}: ${why}`),
    ),
    ...resources.flatMap(({ resource, refusals }) =>
      refusals.map(({ id, reasons, at }) => `refused, ${ago(now - at)}: ${resource} ${id}: ${reasons}`),
    ),
    ...resources.flatMap(({ resource, unknown_attributes }) => {
      const names = Object.entries(unknown_attributes).map(([name, count]) => `${name} (${count})`);
      return names.length === 0 ? [] : [`unknown attributes dropped from ${resource}: ${names.join(", ")}`];
    }),
  ];
  return [...lines, ...(troubles.length === 0 ? [] : ["", ...troubles])].join("\n");
}

const ago = (seconds: number | null): string => (seconds === null ? "never" : `${seconds} s ago`);

const snapshotOf = (left: readonly string[]): string =>
  left.length === 0 ? "" : `; snapshot in progress, left: ${left.join(", ")}`;
