// Which pages a walk along one index meets in their order, and which it meets soon.
import type { Table } from "../../core/catalog/extension.ts";
import { togetherColumns } from "../../core/catalog/resource.ts";
import type { Condition, Order, Plan } from "../../core/query/plan.ts";
import type { Dialect } from "./dialect.ts";
import { deepFrom } from "./offset-seek.ts";

/** Whether the records of a page stand side by side in the index that carries their bytes, so that one walk reads them. */
export function standTogether({ resource, where, order }: Plan): boolean {
  const columns = togetherColumns(resource);
  const isOne = (condition: Condition) =>
    "column" in condition &&
    condition.column === resource.together &&
    (condition.op === "eq" || (condition.op === "in" && condition.values.length === 1));
  return (
    where.some(isOne) &&
    where.every((condition) => "column" in condition && columns.includes(condition.column)) &&
    order.every(({ column }, index) => column === columns[index + 1])
  );
}

/**
 * Whether one walk meets the records of a page in their order, with nothing to sort. On SQLite a walk of any other index
 * than the one that carries records would meet each record at another place of the file, those that are skipped too.
 */
export function isPlain(plan: Plan, { carries }: Dialect): boolean {
  const { where, filled, newestOf, offset } = plan;
  const isOne = (condition: Condition) =>
    "column" in condition && (condition.op !== "in" || condition.values.length === 1);
  const isInOrder = carries ? keyDirection(plan) !== undefined : filled.length === 0;
  return isInOrder && newestOf === undefined && where.every(isOne) && offset < deepFrom;
}

/** Whether a page is found as soon as others whatever its values are, so that others may wait behind it. */
export const isQuick = (plan: Plan, dialect: Dialect): boolean =>
  (isPlain(plan, dialect) && !mayWalkFar(plan)) || isOfOneLink(plan);

/** Whether SQLite finds a page soon, whatever its values are and however many records there are. */
export function isCheap(plan: Plan): boolean {
  const { where, offset, newestOf, resource, order } = plan;
  if (newestOf !== undefined || !isSmall(plan)) return false;
  const isBounds = where.every((each) => isOfColumn(each, order[0]?.column));
  const isSought = offset < deepFrom || order.every(({ column }, at) => column === resource.order[at]?.column);
  if (isBounds && isSought) return true;
  return offset < deepFrom && (standTogether(plan) || (keyDirection(plan) !== undefined && isOfOneLink(plan)));
}

/** Whether the keys of a page stand side by side, as those of the news of one ticker. */
function isOfOneLink(plan: Plan): boolean {
  const { resource, where, filled, offset } = plan;
  const [link, ...more] = where.filter(({ op }) => op === "linked");
  const isOne = link?.op === "linked" && link.values.length === 1 && more.length === 0;
  const isInOrder = keyDirection(plan) !== undefined && filled.length === 0 && offset < deepFrom;
  return isOne && isInOrder && where.every((each) => each === link || isOfColumn(each, resource.packed?.[0]));
}

const isOfColumn = (condition: Condition, column: string | undefined): boolean =>
  "column" in condition && condition.column === column;

/** Whether a condition leaves few records. */
export const isFine = ({ coarse }: Table, condition: Condition): boolean =>
  (condition.op === "in" || condition.op === "eq") && !coarse.includes(condition.column);

/** Whether a page has few records; larger ones take a while to be sent. */
export const isSmall = ({ limit }: Plan): boolean => limit <= 200;

/**
 * Whether a page may be looked for among many records that are no part of it, each at the cost of a look elsewhere. A walk
 * along one index passes millions in a second, and needs no limit.
 */
export function mayWalkFar({ resource, where, order }: Plan): boolean {
  const elsewhere = where.filter((each) => !("column" in each) || each.column !== order[0]?.column);
  // All that a key's delay hides may stand at the beginning of the walk.
  return elsewhere.length > 1 || elsewhere.some((each) => "column" in each && each.column === resource.sold.delay);
}

/** Whether a statement asks if it may go on: also where many records may have to be gathered. */
export const isStoppable = (plan: Plan): boolean =>
  mayWalkFar(plan) ||
  plan.where.some((each) => each.op === "search" || (each.op === "linked" && !isSorted(plan, each)));

/** Whether the records of a condition are stored in the plan's order. */
export function isSorted(plan: Plan, condition: Condition): boolean {
  if (condition.op === "search") return keyDirection(plan) !== undefined;
  if (condition.op === "linked") return keyDirection(plan) !== undefined && condition.values.length === 1;
  const isOne = condition.op === "eq" || (condition.op === "in" && condition.values.length === 1);
  const columns = [condition.column, ...plan.order.map(({ column }) => column)];
  return isOne && plan.resource.indexes.some((index) => columns.every((column, at) => column === index[at]));
}

/** The direction of the key when the plan's order is the key's own. */
export function keyDirection({ resource, order }: Plan): Order["direction"] | undefined {
  const [first, second] = order;
  const packed = resource.packed;
  if (packed === undefined || first?.column !== packed[0] || second?.column !== packed[1]) return undefined;
  return first.direction === second.direction ? first.direction : undefined;
}
