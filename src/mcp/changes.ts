// What changed in a resource since a point in time: records and removals, oldest change first, and how to continue.
import type { Resource } from "../core/catalog/resource.ts";
import type { WireRecord } from "../core/record/row.ts";
import { type CallApi, listPage } from "./api.ts";
import { ArgumentError, type Arguments, withQuery } from "./arguments.ts";
import { budgetOf, type Result, tableResult } from "./list-result.ts";
import { tokensOf } from "./table.ts";

const pageSize = 50;
const maxRemovals = 100;
/** Of the budget for each removal that is requested: they may take a third of it. */
const tokensPerRemoval = 50;

export async function changesOf(resource: Resource, values: Arguments, call: CallApi): Promise<Result> {
  const { since: by, removed: removals, size } = resource.intake;
  const budget = budgetOf(values);
  const since = secondsOf(values.since);
  const changes = pageAt(skippedBy(values, "skip"), pageSize, size.name);
  const removedSize = Math.min(maxRemovals, Math.floor(budget / tokensPerRemoval));
  const removed = pageAt(skippedBy(values, "skip_removed"), removedSize, removals.size.name);
  const type = removals.type === undefined ? [] : [["type", removals.type] as const];
  const url = withQuery(resource.path, [[by.name, String(since)], ...changes.query]);
  const [changed, gone] = await Promise.all([
    listPage(call, url),
    listPage(call, withQuery(removals.path, [[removals.since, String(since)], ...type, ...removed.query])),
  ]);
  const ids = gone.records.slice(removed.offset).map(({ id }) => id ?? "");
  const removedPart = gone.next ? { removed: ids, more_removed: `GET ${gone.next}` } : { removed: ids };
  const offset = Math.min(changes.offset, changed.records.length);
  const { result, shown } = tableResult(resource, url, changed, budget - tokensOf(removedPart), offset);
  const { next: paging, ...table } = result;
  // How far each list was read; a list that was read to its end doesn't hold the other one back.
  const last = timeOf(changed.records[shown - 1], by.column);
  const lastRemoved = gone.next === undefined ? undefined : timeOf(gone.records.at(-1), "updated");
  const isStuck = (paging !== undefined && last === since) || lastRemoved === since;
  const until = isStuck ? since : Math.max(since, Math.min(last ?? Infinity, lastRemoved ?? last ?? since));
  // Records with one timestamp may be more than fit: they are counted.
  const skips = { skip: changes.skip + shown - offset, skip_removed: removed.skip + ids.length };
  const next = until > since ? { since: until } : { since, ...skips };
  const isMore = paging !== undefined || gone.next !== undefined;
  return { ...table, ...removedPart, ...(isMore ? { next } : {}), next_since: until };
}

/** The page that has the first record after those skipped, and its offset on the page. */
const pageAt = (skip: number, size: number, sizeName: string) => ({
  skip,
  offset: skip % size,
  query: [
    [sizeName, String(size)],
    ...(skip < size ? [] : [["page", String(Math.floor(skip / size))] as const]),
  ] as const,
});

/** Unix seconds of the change of a record. */
function timeOf(record: WireRecord | undefined, column: string): number | undefined {
  const value = record?.[column];
  return value === undefined ? undefined : secondsOf(value);
}

function secondsOf(value: unknown): number {
  const text = String(value);
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.floor(Date.parse(text) / 1000);
  if (Number.isSafeInteger(seconds) && seconds >= 0) return seconds;
  const received = value === undefined ? "nothing" : JSON.stringify(value);
  throw new ArgumentError(`since: expected Unix seconds or an ISO 8601 date-time, got ${received}`);
}

function skippedBy(values: Arguments, name: "skip" | "skip_removed"): number {
  const skip = values[name] ?? 0;
  if (Number.isSafeInteger(skip) && Number(skip) >= 0) return Number(skip);
  throw new ArgumentError(`${name}: expected an integer from 0, got ${JSON.stringify(skip)}`);
}
