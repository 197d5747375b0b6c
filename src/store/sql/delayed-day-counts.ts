// Day counts for keys with a delay: subtracts the newest records, which the count tables include.

import type { Resource } from "../../core/catalog/resource.ts";
import type { Plan } from "../../core/query/plan.ts";
import { columnTest } from "./comparisons.ts";
import { newStatement, tableName } from "./compile.ts";
import type { Bind, Compiled, Dialect } from "./dialect.ts";

/** Up to this many hidden records are found by time, more by day: after a bulk import all records are new. */
const maxFoundByTime = 2000;

/** The last second visible to the key; undefined if it has no delay. */
export function delayCutoff({ resource, where }: Plan): number | undefined {
  for (const each of where)
    if (each.op === "lte" && each.column === resource.entitlements.delay) return Number(each.value);
  return undefined;
}

/** Whether the delay applies to the packed key: days then end at the cutoff, and nothing is subtracted. */
const isDelayByKey = ({ packedKey, entitlements }: Resource): boolean =>
  packedKey !== undefined && packedKey[0] === entitlements.delay;

/** Tests that a record `t` is visible. */
export function visibleTest(resource: Resource, cutoff: number, dialect: Dialect, bind: Bind): string {
  const { delay } = resource.entitlements;
  if (delay === undefined) return "1 = 1";
  const condition = { op: "lte", column: delay, value: cutoff } as const;
  const options = isDelayByKey(resource) ? {} : { unindex: dialect.unindexed };
  return columnTest(resource, condition, "t", "t.key", { dialect, bind, ...options });
}

/** Selects as `name` the resources with too many hidden records to find them by time. */
export function compileManyHidden(resources: readonly Resource[], cutoff: number, dialect: Dialect): Compiled {
  const { bind, parameters } = newStatement(dialect);
  const parts = resources
    .filter((resource) => !isDelayByKey(resource) && resource.entitlements.delay !== undefined)
    .map(({ name, ...resource }) => {
      const hidden = `select 1 from ${tableName({ name })} t where t.${resource.entitlements.delay} > ${bind(cutoff)}`;
      return `select '${name}' as name from (select count(*) as n from (${hidden} limit ${maxFoundByTime + 1}) h) c where n > ${maxFoundByTime}`;
    });
  return { sql: parts.join(" union all "), parameters };
}

/** One row per day with hidden records: their number, negated. `list` is the list being counted. */
export function hiddenDayCounts(
  list: Plan,
  resource: Resource,
  days: readonly string[],
  cutoff: number,
  hasManyHidden: boolean,
  dialect: Dialect,
  bind: Bind,
): string | undefined {
  const { delay } = resource.entitlements;
  const [first] = list.order;
  if (delay === undefined || first === undefined || isDelayByKey(resource)) return undefined;
  const unindexed = (column: string) => dialect.unindexed(`t.${column}`);
  const [day, received] = hasManyHidden
    ? [`t.${first.column}`, unindexed(delay)]
    : [unindexed(first.column), `t.${delay}`];
  const tests = [
    `${received} > ${bind(cutoff)}`,
    `${day} >= ${bind(days.at(-1))}`,
    `${day} <= ${bind(days[0])}`,
    ...list.where.flatMap((each) =>
      "column" in each ? [columnTest(resource, each, "t", "t.key", { dialect, bind, unindex: dialect.unindexed })] : [],
    ),
    ...(dialect.timeCheck === undefined ? [] : [dialect.timeCheck("t.key")]),
  ];
  return `select '${resource.name}' as name, ${day} as position, -count(*) as n from ${tableName(resource)} t where ${tests.join(" and ")} group by ${day}`;
}
