// What the delay of a key leaves out of the counts of days: its newest records, which the tables of counts include.

import type { Resource } from "../../core/catalog/resource.ts";
import type { Plan } from "../../core/query/plan.ts";
import { columnTest } from "./comparisons.ts";
import { begin, tableOf } from "./compile.ts";
import type { Bind, Compiled, Dialect } from "./dialect.ts";

/** Fewer are found by when they came, more by their days: after a large import all records are new. */
const mostByDelay = 2000;

/** The last second that the key sees; undefined where it has no delay. */
export function cutoffOf({ resource, where }: Plan): number | undefined {
  for (const each of where) if (each.op === "lte" && each.column === resource.sold.delay) return Number(each.value);
  return undefined;
}

/** Whether the delay of a resource goes by the packed key: days then end at the cutoff, and nothing has to be subtracted. */
const isByKey = ({ packed, sold }: Resource): boolean => packed !== undefined && packed[0] === sold.delay;

/** A test that a record `t` is seen. */
export function seenTest(resource: Resource, cutoff: number, dialect: Dialect, bind: Bind): string {
  const { delay } = resource.sold;
  if (delay === undefined) return "1 = 1";
  const condition = { op: "lte", column: delay, value: cutoff } as const;
  const hiding = isByKey(resource) ? {} : { hide: dialect.tested };
  return columnTest(resource, condition, "t", "t.key", { dialect, bind, ...hiding });
}

/** The resources of which too many records are hidden to be found one by one, as `name`. */
export function compileCrowded(resources: readonly Resource[], cutoff: number, dialect: Dialect): Compiled {
  const { bind, parameters } = begin(dialect);
  const parts = resources
    .filter((resource) => !isByKey(resource) && resource.sold.delay !== undefined)
    .map(({ name, ...resource }) => {
      const hidden = `select 1 from ${tableOf({ name })} t where t.${resource.sold.delay} > ${bind(cutoff)}`;
      return `select '${name}' as name from (select count(*) as n from (${hidden} limit ${mostByDelay + 1}) h) c where n > ${mostByDelay}`;
    });
  return { sql: parts.join(" union all "), parameters };
}

/** One row for each day that has hidden records, with how many fewer the key sees; `list` is the list that is counted. */
export function hiddenOfDays(
  list: Plan,
  resource: Resource,
  days: readonly string[],
  cutoff: number,
  isCrowded: boolean,
  dialect: Dialect,
  bind: Bind,
): string | undefined {
  const { delay } = resource.sold;
  const [first] = list.order;
  if (delay === undefined || first === undefined || isByKey(resource)) return undefined;
  const tested = (column: string) => dialect.tested(`t.${column}`);
  const [day, came] = isCrowded ? [`t.${first.column}`, tested(delay)] : [tested(first.column), `t.${delay}`];
  const tests = [
    `${came} > ${bind(cutoff)}`,
    `${day} >= ${bind(days.at(-1))}`,
    `${day} <= ${bind(days[0])}`,
    ...list.where.flatMap((each) =>
      "column" in each ? [columnTest(resource, each, "t", "t.key", { dialect, bind, hide: dialect.tested })] : [],
    ),
    ...(dialect.inTime === undefined ? [] : [dialect.inTime("t.key")]),
  ];
  return `select '${resource.name}' as name, ${day} as place, -count(*) as n from ${tableOf(resource)} t where ${tests.join(" and ")} group by ${day}`;
}
