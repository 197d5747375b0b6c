// Every sort order of a resource, and requests for each.
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { evaluate } from "../../../src/core/query/evaluate.ts";
import type { Row } from "../../../src/core/record/row.ts";
import type { RecordInput } from "../clients/api.ts";
import { type Pair, pairs, parseUrl, urlOf, widest } from "./requests.ts";

const isSize = (name: string): boolean => name.toLowerCase() === "pagesize";

/** The widest request with this parameter, or one page of it. */
export function orderedUrl(resource: Resource, pair: Pair | undefined, page?: { page: number; size: number }): string {
  const wide = widest(resource).filter(([name]) => name !== "page" && name !== pair?.[0] && !(page && isSize(name)));
  const paging: Pair[] =
    page === undefined
      ? []
      : [
          ["page", `${page.page}`],
          ["pagesize", `${page.size}`],
        ];
  return urlOf(resource, [...(pair === undefined ? [] : [pair]), ...wide, ...paging]);
}

const known = new WeakMap<readonly RecordInput[], Map<string, Pair | undefined>>();

/** For each order that a single parameter selects, the one that finds the most records. */
export function orders(
  resource: Resource,
  records: readonly RecordInput[],
  rows: readonly Row[],
): Map<string, Pair | undefined> {
  const found = known.get(records) ?? findOrders(resource, records, rows);
  known.set(records, found);
  return found;
}

function findOrders(
  resource: Resource,
  records: readonly RecordInput[],
  rows: readonly Row[],
): Map<string, Pair | undefined> {
  const best = new Map<string, { pair: Pair | undefined; count: number }>();
  for (const pair of [undefined, ...pairs(resource, records, rows)]) {
    const parsed = parseUrl(resource, orderedUrl(resource, pair));
    if (parsed === undefined || pair?.[0] === "page" || isSize(pair?.[0] ?? "")) continue;
    const { order, ranked } = parsed.plan;
    const words = order.map(({ column, direction }) => `${column} ${direction}`).join(", ");
    const name = ranked ? `place, ${words}` : words;
    const most = best.get(name)?.count ?? 0;
    // No parameter finds more than a full page, or all rows.
    if (most >= Math.min(parsed.plan.limit, rows.length)) continue;
    const count = evaluate(parsed.plan, rows).length;
    if (count > most) best.set(name, { pair, count });
  }
  return new Map([...best].map(([name, { pair }]) => [name, pair]));
}
