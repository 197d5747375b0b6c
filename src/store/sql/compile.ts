// Compiles a plan to SQL: an inner query finds the page's keys in indexes alone, an outer one reads the rows by key.
// Column names in SQL come from resources, never from requests.

import type { Resource } from "../../core/catalog/resource.ts";
import type { Condition, Order, Plan, Position } from "../../core/query/plan.ts";
import type { PageOptions } from "../store.ts";
import type { AccessPath, Hints } from "./access-path.ts";
import { among, type ColumnCondition, columnTest, isDelay, isImplied, isOnColumn } from "./comparisons.ts";
import type { Bind, Compiled, Dialect, Search } from "./dialect.ts";
import {
  isInPlanOrder,
  isSelective,
  isSingleScan,
  keyDirection,
  needsTimeCheck,
  usesCoveringIndex,
} from "./index-scan.ts";
import { compileLatestKeys } from "./latest-per-group.ts";
import { compileOffsetSeek } from "./offset-seek.ts";
import { recordJson } from "./record-fragments.ts";

export const tableName = (resource: Pick<Resource, "name">): string => resource.name.replaceAll("-", "_");

/**
 * Selects a page as one row: the records' JSON, joined, their number, and the place or key of the last one. With derived
 * fields, also whether any record overrides one.
 */
export function compilePage(
  plan: Plan,
  dialect: Dialect,
  hints: Hints,
  { bytes = false, reshape }: PageOptions = {},
): Compiled {
  const { bind, parameters } = newStatement(dialect);
  const context = { dialect, hints, bind };
  const direction = plan.ranked ? undefined : keyDirection(plan);
  const key = direction && `, cast(${direction === "desc" ? "min" : "max"}(key) as text) as key`;
  const last = key ?? (plan.ranked ? ", max(place) as place" : "");
  const isScanned =
    (dialect.hasCoveringIndex && usesCoveringIndex(plan)) || (isSingleScan(plan, dialect) && !needsSort(plan, hints));
  const row = isScanned ? "t" : "r";
  const overrides = (reshape?.derived ?? []).map((name) => overridesField(dialect, `${row}.beside`, name)).join(" + ");
  const extra = `${key === undefined ? "" : `, ${row}.key as key`}${overrides === "" ? "" : `, ${overrides} as overrides`}`;
  const inner = isScanned ? scannedRows(plan, context, extra) : rowsByKeys(plan, context, `${extra}${dialect.ordinal}`);
  const page = dialect.concatRows("json", !isScanned, bytes);
  const overridden = overrides === "" ? "" : ", max(overrides) as overrides";
  return { sql: `select ${page} as page, count(*) as found${last}${overridden} from (${inner}) q`, parameters };
}

/** Nonzero if a record may store a derived field explicitly; a false positive is harmless. */
export const overridesField = ({ contains }: Dialect, hidden: string, field: string): string =>
  contains(hidden, `"${field}":`);

/** Selects the records of a page as separate rows, with their hidden attributes. */
export function compileRecords(plan: Plan, dialect: Dialect, hints: Hints): Compiled {
  const { bind, parameters } = newStatement(dialect);
  const context = { dialect, hints, bind };
  return { sql: `${rowsByKeys(plan, context, ", r.beside as hidden")}${dialect.orderByOrdinal}`, parameters };
}

/** What compiling a statement needs. */
export type Context = { readonly dialect: Dialect; readonly hints: Hints; readonly bind: Bind };

/** A statement without parameters yet; `bind` adds one and returns its placeholder. */
export function newStatement(dialect: Dialect): { bind: Bind; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const bind: Bind = (value) => {
    parameters.push(value);
    return dialect.placeholder(parameters.length);
  };
  return { bind, parameters };
}

function rowsByKeys(plan: Plan, context: Context, extra: string): string {
  const table = tableName(plan.resource);
  const keys = compileKeys(plan, context);
  const place = plan.ranked ? ", k.place as place" : "";
  const from = context.dialect.joinByKeys(keys, table, plan.ranked);
  return `select ${recordJson(plan, "r")} as json${place}${extra} from ${from}${joinHeavy(plan, "r")}`;
}

/** Reads records during the scan itself, without a second lookup by key. */
function scannedRows(plan: Plan, context: Context, extra: string): string {
  const table = tableName(plan.resource);
  const index =
    context.dialect.hasCoveringIndex && usesCoveringIndex(plan)
      ? ` indexed by ${table}_of_${plan.resource.clusteredBy}`
      : "";
  const select = `${recordJson(plan, "t")} as json${extra}`;
  const from = `${table} t${index}${joinHeavy(plan, "t")}`;
  const scan = compileScan(plan, context, { after: plan.after, from, select, isCovering: index !== "" });
  return `${scan} ${limitClause(plan, context)}`;
}

/** Joins the table of heavy values, if the plan needs any. */
const joinHeavy = ({ resource, include }: Plan, row: string): string =>
  include.length > 0 ? ` left join ${tableName(resource)}_text x on x.key = ${row}.key` : "";

const limitClause = (plan: Plan, { dialect, hints, bind }: Context): string =>
  hints.isPastEnd ? "limit 0" : `limit ${dialect.limitValue(bind(plan.limit))} offset ${bind(plan.offset)}`;

/** Whether records found by a column have to be sorted. */
const needsSort = (plan: Plan, { path }: Hints): boolean =>
  path?.by === "column" && !plan.where.some((each) => isOnColumn(each, path.column) && isInPlanOrder(plan, each));

/** Whether a range of keys drives the scan. No index can be named for that, so others must not look better. */
const isKeyRange = ({ resource }: Plan, path: AccessPath | undefined): boolean =>
  path?.by === "column" && path.column === resource.packedKey?.[0];

function compileKeys(plan: Plan, context: Context): string {
  const { dialect, bind } = context;
  if (plan.latestPer !== undefined) return compileLatestKeys(plan, tableName(plan.resource), context);
  const seek = compileOffsetSeek(plan, tableName(plan.resource), bind);
  if (seek !== undefined) {
    const keys = compileScan({ ...plan, where: seek.where }, { ...context, bind: seek.bind }, { start: seek.test });
    return `${seek.with} ${keys} limit ${seek.bind(plan.limit)} offset coalesce((select rest from seek), 0)`;
  }
  const multiValue = dialect.multiValueScan?.(plan, bind, (others, start, select) => {
    const hints = { ...context.hints, path: undefined };
    return compileScan(others, { ...context, hints }, { start, select, after: plan.after });
  });
  if (multiValue !== undefined) return multiValue;
  const search = plan.where.find((condition) => condition.op === "search");
  if (search === undefined || !plan.ranked)
    return `${compileScan(plan, context, { search, after: plan.after })} ${limitClause(plan, context)}`;
  // One arm per place. Arms run in sequence until the page is full; those before the position are omitted.
  const [first = 0, ...rest] = plan.after ?? [];
  const places = [...Object.keys(plan.resource.searchFields).keys()].filter((place) => place >= Number(first));
  const arms = places.map((place) => {
    const after = place === first && rest.length > 0 ? rest : undefined;
    return `select key, ${place} as place from (${compileScan(plan, context, { search, place, after })}) a${place}`;
  });
  return `${dialect.selectRanked} from (${arms.join(" union all ")}) a ${limitClause(plan, context)}`;
}

/** Details of a scan that the plan doesn't determine. */
type ScanOptions = {
  readonly search?: Search | undefined;
  /** Limits the search to one place. */
  readonly place?: number;
  readonly after?: Position | undefined;
  /** A test for where the scan starts. */
  readonly start?: string;
  /** What to select from which table; by default the keys of the resource's own. */
  readonly select?: string;
  readonly from?: string;
  /** Whether the index covers everything that is tested and selected. */
  readonly isCovering?: boolean;
};

/** Selects the keys of a plan's records, in its order. */
function compileScan(plan: Plan, context: Context, options: ScanOptions): string {
  const { dialect, hints, bind } = context;
  const { search, after } = options;
  const { resource } = plan;
  const table = tableName(resource);
  const direction = keyDirection(plan);
  const path = pathOf(hints, dialect, options);
  const start = compileStart(path, plan, context, options);
  const { key, tests, recheck } = start;
  let { from } = start;
  if (!options.isCovering && needsTimeCheck(plan) && dialect.timeCheck !== undefined)
    tests.push(dialect.timeCheck(key));
  let usesTable = direction === undefined;
  if (options.start !== undefined) tests.push(options.start);
  if (after !== undefined) tests.push(afterPosition(plan, after, key, context));
  for (const condition of plan.where.toSorted((a, b) => testCost(a) - testCost(b))) {
    if (isImplied(plan, after, condition) || (path?.by === "link" && condition === path.link)) continue;
    if (condition.op === "linked") {
      const linked = `from ${table}_link m where m.kind = ${bind(condition.kind)} and m.value ${among(condition.values, bind)}`;
      const collected =
        path === hints.path && hints.collected?.includes(condition)
          ? dialect.isCollected(key, `select m.key ${linked}`)
          : undefined;
      tests.push(collected ?? `exists (select 1 ${linked} and m.key = ${key}${dialect.fence})`);
    } else if (condition.op !== "search") {
      if (condition.column !== resource.packedKey?.[0]) usesTable = true;
      const unindex = path === undefined ? dialect.unindexed : dialect.unindexedFor;
      const columnOptions = { dialect, bind, ...(isFilterOnly(plan, condition, path) ? { unindex } : {}) };
      tests.push(columnTest(resource, condition, "t", key, columnOptions));
    } else if (search !== undefined && path?.by !== "search") {
      const { from: matched, test, guard, key: match } = compileSearch(search, plan, context, options, false);
      if (guard !== undefined) tests.push(guard(key));
      tests.push(`exists (select 1 from ${matched} where ${test} and ${match} = ${key}${dialect.fence})`);
    }
  }
  if (usesTable && key !== "t.key") from += ` ${dialect.join} ${table} t on t.key = ${key}`;
  const where = tests.length === 0 ? "" : ` where ${tests.join(" and ")}`;
  // Left to the planner, the order might drive the scan, with the records that were found searched for each of its rows.
  const isSorted = needsSort(plan, hints) || (direction === undefined && key !== "t.key");
  const isFenced = isSorted && dialect.fence !== "";
  if (isFenced) {
    const columns = [
      "key",
      ...plan.order.map(({ column }) => column).filter((each) => each !== resource.packedKey?.[0]),
    ];
    from = `(select ${columns.map((each) => `t.${each}`).join(", ")} from ${from}${where}${dialect.fence}) t`;
  }
  const select = `select ${options.select ?? `${isFenced ? "t.key" : key} as key`} from ${from}${isFenced ? "" : where}`;
  const sorted = (column: string) => (isKeyRange(plan, path) ? dialect.unindexed(column) : column);
  const order = direction === undefined ? orderBy(plan.order, sorted) : `${sorted(key)} ${direction}`;
  const scan = `${select} order by ${order}`;
  return recheck === undefined ? scan : `select c.key from (${scan}${dialect.fence}) c where ${recheck("c.key")}`;
}

/** What drives a scan. */
function pathOf(hints: Hints, dialect: Dialect, { search, place }: ScanOptions): AccessPath | undefined {
  if (search === undefined) return hints.path;
  const isRare = place !== undefined && !hints.isNarrow && dialect.isRareOnlyIn?.(place) === true;
  return isRare ? { by: "search" } : (hints.path ?? { by: "search" });
}

/** Tests run in this order: a search costs more than any number of links, and a link more than a column. */
function testCost(condition: Condition): number {
  if (condition.op === "search") return Number.POSITIVE_INFINITY;
  return condition.op === "linked" ? condition.values.length : 0;
}

/** The driving table of a scan. */
type Start = {
  readonly from: string;
  readonly key: string;
  readonly tests: string[];
  readonly recheck?: ((key: string) => string) | undefined;
};

function compileStart(path: AccessPath | undefined, plan: Plan, context: Context, options: ScanOptions): Start {
  const { bind } = context;
  const table = tableName(plan.resource);
  if (path?.by === "search" && options.search !== undefined) {
    const { from, key, test, recheck } = compileSearch(options.search, plan, context, options, true);
    return { from, key, tests: [test], recheck };
  }
  if (path?.by === "column" && !isKeyRange(plan, path) && options.from === undefined)
    return { from: `${table} t${context.dialect.indexedBy(`${table}_by_${path.column}`)}`, key: "t.key", tests: [] };
  if (path?.by !== "link") return { from: options.from ?? `${table} t`, key: "t.key", tests: [] };
  const { kind, values } = path.link;
  const linked = `kind = ${bind(kind)} and value ${among(values, bind)}`;
  if (values.length === 1) return { from: `${table}_link l`, key: "l.key", tests: [linked] };
  return { from: `(select distinct key from ${table}_link where ${linked}) l`, key: "l.key", tests: [] };
}

const compileSearch = (
  search: Search,
  { resource }: Plan,
  { dialect, bind }: Context,
  { place }: ScanOptions,
  drives: boolean,
) => {
  const places = Object.keys(resource.searchFields);
  return dialect.search(search, { table: tableName(resource), places, place, drives }, bind);
};

/**
 * Whether a condition must not choose the index. Without counts, records updated since a time are found by that column,
 * and selective columns take precedence over coarse ones; a planner without statistics would choose any equality.
 */
function isFilterOnly(plan: Plan, condition: ColumnCondition, path: AccessPath | undefined): boolean {
  const { resource, where, order } = plan;
  const { column } = condition;
  // Wherever records are found by key, testing the key is free.
  if (path?.by === "link" || path?.by === "search") return column !== resource.packedKey?.[0];
  if (path?.by === "order") return column !== order[0]?.column;
  if (path?.by === "column") return column !== path.column && isKeyRange(plan, path);
  if (isSelective(resource, condition)) return false;
  const isOrdered = column === order[0]?.column;
  if (isDelay(resource, condition) && !isOrdered) return true;
  if (!isOrdered && where.some((each) => each.op === "gte" && each.column === order[0]?.column)) return true;
  return resource.lowSelectivity.includes(column) && where.some((each) => isSelective(resource, each));
}

/** Tests that a record comes after a position: one row comparison, which an index in that order can start with. */
function afterPosition(plan: Plan, after: Position, key: string, { dialect, hints, bind }: Context): string {
  const { order } = plan;
  const sign = order[0]?.direction === "desc" ? "<" : ">";
  if (keyDirection(plan) !== undefined)
    return `${key} ${sign} ${bind(dialect.packKey(Number(after[0]), Number(after[1])))}`;
  // If another condition drives the scan, the order must not choose the index.
  const isFilter = key !== "t.key" || isKeyRange(plan, hints.path);
  const column = (name: string) => (isFilter ? dialect.unindexed(`t.${name}`) : `t.${name}`);
  const columns = order.map(({ column: name }) => column(name));
  return `(${columns.join(", ")}) ${sign} (${after.map(bind).join(", ")})`;
}

const orderBy = (order: readonly Order[], sorted: (column: string) => string): string =>
  order.map(({ column, direction }) => `${sorted(`t.${column}`)} ${direction}`).join(", ");
