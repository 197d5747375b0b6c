// Which plans a single index scan serves in order, and which of them are always fast.
import type { Table } from "../../core/catalog/extension.ts";
import { clusteredColumns } from "../../core/catalog/resource.ts";
import type { Condition, Order, Plan } from "../../core/query/plan.ts";
import { isOnColumn, isOneValue } from "./comparisons.ts";
import type { Dialect } from "./dialect.ts";
import { minSeekOffset } from "./offset-seek.ts";

/** Whether one scan of the covering index, which includes the records' JSON, reads the page. */
export function usesCoveringIndex({ resource, where, order }: Plan): boolean {
  const columns = clusteredColumns(resource);
  return (
    where.some((each) => isOneValue(each) && each.column === resource.clusteredBy) &&
    where.every((condition) => "column" in condition && columns.includes(condition.column)) &&
    order.every(({ column }, index) => column === columns[index + 1])
  );
}

/**
 * Whether one index scan returns the page in order, without sorting. On SQLite a scan of a noncovering index would read
 * each record from a different page of the file, skipped ones included.
 */
export function isSingleScan(plan: Plan, { hasCoveringIndex: carries }: Dialect): boolean {
  const { where, include, latestPer, offset } = plan;
  const isOne = (condition: Condition) =>
    "column" in condition && (condition.op !== "in" || condition.values.length === 1);
  const isInOrder = carries ? keyDirection(plan) !== undefined : include.length === 0;
  return isInOrder && latestPer === undefined && where.every(isOne) && offset < minSeekOffset;
}

/** Whether PostgreSQL finds the page fast for any values, so that other statements may queue behind it. */
export const isFastOnPostgres = (plan: Plan, dialect: Dialect): boolean =>
  (isSingleScan(plan, dialect) && !mayScanFar(plan)) || isSingleLink(plan);

/** Whether SQLite finds the page fast for any values and any number of records. */
export function isFastOnSqlite(plan: Plan): boolean {
  const { where, offset, latestPer, resource, order } = plan;
  if (latestPer !== undefined || !isSmallPage(plan)) return false;
  const isBounds = where.every((each) => isOnColumn(each, order[0]?.column));
  const isReachable = offset < minSeekOffset || order.every(({ column }, at) => column === resource.order[at]?.column);
  if (isBounds && isReachable) return true;
  return (
    offset < minSeekOffset && (usesCoveringIndex(plan) || (keyDirection(plan) !== undefined && isSingleLink(plan)))
  );
}

/** Whether the keys of a page are adjacent, such as those of one ticker's news. */
function isSingleLink(plan: Plan): boolean {
  const { resource, where, include, offset } = plan;
  const [link, ...more] = where.filter(({ op }) => op === "linked");
  const isOne = link?.op === "linked" && link.values.length === 1 && more.length === 0;
  const isInOrder = keyDirection(plan) !== undefined && include.length === 0 && offset < minSeekOffset;
  return isOne && isInOrder && where.every((each) => each === link || isOnColumn(each, resource.packedKey?.[0]));
}

/** Whether a condition leaves few records. */
export const isSelective = ({ lowSelectivity }: Table, condition: Condition): boolean =>
  (condition.op === "in" || condition.op === "eq") && !lowSelectivity.includes(condition.column);

/** Whether a page has few records; larger ones take a while to transfer. */
export const isSmallPage = ({ limit }: Plan): boolean => limit <= 200;

/**
 * Whether a scan may skip many records at the cost of a lookup each. A scan of one index alone passes millions of entries
 * per second and needs no time limit.
 */
function mayScanFar({ resource, where, order }: Plan): boolean {
  const elsewhere = where.filter((each) => !("column" in each) || each.column !== order[0]?.column);
  // Everything that a key's delay hides may come at the start of the scan.
  return (
    elsewhere.length > 1 || elsewhere.some((each) => "column" in each && each.column === resource.entitlements.delay)
  );
}

/** Whether a statement checks its time limit: if it may scan far, or sort many records. */
export const needsTimeCheck = (plan: Plan): boolean =>
  mayScanFar(plan) ||
  plan.where.some((each) => each.op === "search" || (each.op === "linked" && !isInPlanOrder(plan, each)));

/** Whether an index returns the records of a condition in the plan's order. */
export function isInPlanOrder(plan: Plan, condition: Condition): boolean {
  if (condition.op === "search") return keyDirection(plan) !== undefined;
  if (condition.op === "linked") return keyDirection(plan) !== undefined && condition.values.length === 1;
  const columns = [condition.column, ...plan.order.map(({ column }) => column)];
  return (
    isOneValue(condition) && plan.resource.indexes.some((index) => columns.every((column, at) => column === index[at]))
  );
}

/** The direction of the key, if the plan's order is that of the key. */
export function keyDirection({ resource, order }: Plan): Order["direction"] | undefined {
  const [first, second] = order;
  const packed = resource.packedKey;
  if (packed === undefined || first?.column !== packed[0] || second?.column !== packed[1]) return undefined;
  return first.direction === second.direction ? first.direction : undefined;
}
