// A plan → SQL. Column names that are put into SQL come from resources, never from requests.
// Keys are found first, in indexes alone; then the rows are read by key.

import type { Resource } from "../../core/catalog/resource.ts";
import { isTrue } from "../../core/query/evaluate.ts";
import type { Condition, Order, Plan, Position } from "../../core/query/plan.ts";
import type { PageOptions } from "../store.ts";
import type { AccessPath, Hints } from "./access-path.ts";
import { among, type ColumnCondition, columnTest } from "./comparisons.ts";
import type { Bind, Compiled, Dialect, Search } from "./dialect.ts";
import { isFine, isPlain, isSorted, isStoppable, keyDirection, standTogether } from "./index-scan.ts";
import { newestKeys } from "./latest-per-group.ts";
import { deepPage } from "./offset-seek.ts";
import { jsonOf } from "./record-fragments.ts";

export const tableOf = (resource: Pick<Resource, "name">): string => resource.name.replaceAll("-", "_");

/**
 * A whole page as one value: the JSON of its records, joined; how many they are, and of the last its place or its key.
 * With fields that follow from others, also whether a record tells one of them itself.
 */
export function compilePage(
  plan: Plan,
  dialect: Dialect,
  hints: Hints,
  { bytes = false, reshape }: PageOptions = {},
): Compiled {
  const { bind, parameters } = begin(dialect);
  const context = { dialect, hints, bind };
  const direction = plan.ranked ? undefined : keyDirection(plan);
  const key = direction && `, cast(${direction === "desc" ? "min" : "max"}(key) as text) as key`;
  const last = key ?? (plan.ranked ? ", max(place) as place" : "");
  const isWalked = (dialect.carries && standTogether(plan)) || (isPlain(plan, dialect) && !isGathered(plan, hints));
  const row = isWalked ? "t" : "r";
  const saying = (reshape?.derived ?? []).map((name) => tells(dialect, `${row}.beside`, name)).join(" + ");
  const more = `${key === undefined ? "" : `, ${row}.key as key`}${saying === "" ? "" : `, ${saying} as told`}`;
  const inner = isWalked ? walked(plan, context, more) : rows(plan, context, `${more}${dialect.ordinal}`);
  const page = dialect.joined("json", !isWalked, bytes);
  const told = saying === "" ? "" : ", max(told) as told";
  return { sql: `select ${page} as page, count(*) as found${last}${told} from (${inner}) q`, parameters };
}

/** Not 0 where a record may tell a field itself; that the name stands in a text of it is no harm. */
export const tells = ({ holds }: Dialect, beside: string, field: string): string => holds(beside, `"${field}":`);

/** The records of a page apart, with what stands beside each. */
export function compileRecords(plan: Plan, dialect: Dialect, hints: Hints): Compiled {
  const { bind, parameters } = begin(dialect);
  const context = { dialect, hints, bind };
  return { sql: `${rows(plan, context, ", r.beside as hidden")}${dialect.inOrder}`, parameters };
}

/** What a statement is made with. */
export type Context = { readonly dialect: Dialect; readonly hints: Hints; readonly bind: Bind };

/** A statement without values yet; each gets the next placeholder. */
export function begin(dialect: Dialect): { bind: Bind; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const bind: Bind = (value) => {
    parameters.push(value);
    return dialect.placeholder(parameters.length);
  };
  return { bind, parameters };
}

function rows(plan: Plan, context: Context, more: string): string {
  const table = tableOf(plan.resource);
  const keys = compileKeys(plan, context);
  const place = plan.ranked ? ", k.place as place" : "";
  const from = context.dialect.byKeys(keys, table, plan.ranked);
  return `select ${jsonOf(plan, "r")} as json${place}${more} from ${from}${textOf(plan, "r")}`;
}

/** Records read where the walk meets them: no key is looked up again. */
function walked(plan: Plan, context: Context, more: string): string {
  const table = tableOf(plan.resource);
  const index =
    context.dialect.carries && standTogether(plan) ? ` indexed by ${table}_of_${plan.resource.together}` : "";
  const select = `${jsonOf(plan, "t")} as json${more}`;
  const from = `${table} t${index}${textOf(plan, "t")}`;
  const walk = found(plan, context, { after: plan.after, from, select, together: index !== "" });
  return `${walk} ${limits(plan, context)}`;
}

/** Where the large values of rows are found, if they are asked for. */
export const textOf = ({ resource, filled }: Plan, row: string): string =>
  filled.length > 0 ? ` left join ${tableOf(resource)}_text x on x.key = ${row}.key` : "";

const limits = (plan: Plan, { dialect, hints, bind }: Context): string =>
  hints.isPastEnd ? "limit 0" : `limit ${dialect.rows(bind(plan.limit))} offset ${bind(plan.offset)}`;

/** Whether the records of a column's values are sorted after they are found. */
const isGathered = (plan: Plan, { path }: Hints): boolean =>
  path?.by === "column" && !plan.where.some((each) => isOf(each, path.column) && isSorted(plan, each));

/** Whether records are gathered by a range of their keys: no index is named for it, so no other may seem better. */
const isByKey = ({ resource }: Plan, path: AccessPath | undefined): boolean =>
  path?.by === "column" && path.column === resource.packed?.[0];

const isOf = (condition: Condition, column: string): boolean => "column" in condition && condition.column === column;

function compileKeys(plan: Plan, context: Context): string {
  const { dialect, bind } = context;
  if (plan.newestOf !== undefined) return newestKeys(plan, tableOf(plan.resource), context);
  const deep = deepPage(plan, tableOf(plan.resource), bind);
  if (deep !== undefined) {
    const keys = found({ ...plan, where: deep.where }, { ...context, bind: deep.bind }, { begin: deep.test });
    return `${deep.with} ${keys} limit ${deep.bind(plan.limit)} offset coalesce((select rest from deep), 0)`;
  }
  const several = dialect.several?.(plan, bind, (others, begin, select) => {
    const hints = { ...context.hints, path: undefined };
    return found(others, { ...context, hints }, { begin, select, after: plan.after });
  });
  if (several !== undefined) return several;
  const search = plan.where.find((condition) => condition.op === "search");
  if (search === undefined || !plan.ranked)
    return `${found(plan, context, { search, after: plan.after })} ${limits(plan, context)}`;
  // One arm a place. Arms run in turn and stop when the page is full; those of places that lie behind are left out.
  const [first = 0, ...rest] = plan.after ?? [];
  const places = [...Object.keys(plan.resource.places).keys()].filter((place) => place >= Number(first));
  const arms = places.map((place) => {
    const after = place === first && rest.length > 0 ? rest : undefined;
    return `select key, ${place} as place from (${found(plan, context, { search, place, after })}) a${place}`;
  });
  return `${dialect.placed} from (${arms.join(" union all ")}) a ${limits(plan, context)}`;
}

/** How records are found, beyond what the plan says. */
type Way = {
  readonly search?: Search | undefined;
  /** In one place of the search alone. */
  readonly place?: number;
  readonly after?: Position | undefined;
  /** A test of where the walk begins. */
  readonly begin?: string;
  /** What is selected of which table; the keys of the resource's own when it is not said. */
  readonly select?: string;
  readonly from?: string;
  /** Along an index that carries the records: whatever is tested, nothing is looked up elsewhere. */
  readonly together?: boolean;
};

/** Keys of the records that a plan finds, in its order. */
function found(plan: Plan, context: Context, way: Way): string {
  const { dialect, hints, bind } = context;
  const { search, after } = way;
  const { resource } = plan;
  const table = tableOf(resource);
  const direction = keyDirection(plan);
  const path: AccessPath | undefined = hints.path ?? (search === undefined ? undefined : { by: "search" });
  const start = startOf(path, plan, context, way);
  const { key, tests } = start;
  let { from } = start;
  if (!way.together && isStoppable(plan) && dialect.inTime !== undefined) tests.push(dialect.inTime(key));
  let usesTable = direction === undefined;
  if (way.begin !== undefined) tests.push(way.begin);
  if (after !== undefined) tests.push(beyond(plan, after, key, context));
  for (const condition of plan.where.toSorted((a, b) => costOf(a) - costOf(b))) {
    if (isImplied(plan, after, condition) || (path?.by === "link" && condition === path.link)) continue;
    if (condition.op === "linked") {
      tests.push(
        `exists (select 1 from ${table}_link m where m.kind = ${bind(condition.kind)} and m.value ${among(condition.values, bind)} and m.key = ${key}${dialect.fence})`,
      );
    } else if (condition.op !== "search") {
      if (condition.column !== resource.packed?.[0]) usesTable = true;
      const hide = path === undefined ? dialect.tested : dialect.hidden;
      const isTested = onlyTested(plan, condition, path);
      tests.push(columnTest(resource, condition, "t", key, { dialect, bind, ...(isTested ? { hide } : {}) }));
    } else if (search !== undefined && path?.by !== "search") {
      const { from: matched, test, guard, key: match } = matches(search, plan, context, way);
      if (guard !== undefined) tests.push(guard(key));
      tests.push(`exists (select 1 from ${matched} where ${test} and ${match} = ${key}${dialect.fence})`);
    }
  }
  if (usesTable && key !== "t.key") from += ` ${dialect.join} ${table} t on t.key = ${key}`;
  const where = tests.length === 0 ? "" : ` where ${tests.join(" and ")}`;
  const isFenced = isGathered(plan, hints) && dialect.fence !== "";
  if (isFenced) {
    const columns = ["key", ...plan.order.map(({ column }) => column).filter((each) => each !== resource.packed?.[0])];
    from = `(select ${columns.map((each) => `t.${each}`).join(", ")} from ${from}${where}${dialect.fence}) t`;
  }
  const select = `select ${way.select ?? `${key} as key`} from ${from}${isFenced ? "" : where}`;
  const sorted = (column: string) => (isByKey(plan, path) ? dialect.tested(column) : column);
  const order = direction === undefined ? orderBy(plan.order, sorted) : `${sorted(key)} ${direction}`;
  return `${select} order by ${order}`;
}

/** Tests are made in this order: a search costs more than any number of links, and a link more than a column. */
function costOf(condition: Condition): number {
  if (condition.op === "search") return Number.POSITIVE_INFINITY;
  return condition.op === "linked" ? condition.values.length : 0;
}

/** What a statement begins with. */
type Start = { readonly from: string; readonly key: string; readonly tests: string[] };

function startOf(path: AccessPath | undefined, plan: Plan, context: Context, way: Way): Start {
  const { bind } = context;
  const table = tableOf(plan.resource);
  if (path?.by === "search" && way.search !== undefined) {
    const { from, key, test } = matches(way.search, plan, context, way);
    return { from, key, tests: [test] };
  }
  if (path?.by === "column" && !isByKey(plan, path) && way.from === undefined)
    return { from: `${table} t${context.dialect.indexedBy(`${table}_by_${path.column}`)}`, key: "t.key", tests: [] };
  if (path?.by !== "link") return { from: way.from ?? `${table} t`, key: "t.key", tests: [] };
  const { kind, values } = path.link;
  const linked = `kind = ${bind(kind)} and value ${among(values, bind)}`;
  if (values.length === 1) return { from: `${table}_link l`, key: "l.key", tests: [linked] };
  return { from: `(select distinct key from ${table}_link where ${linked}) l`, key: "l.key", tests: [] };
}

const matches = (search: Search, { resource }: Plan, { dialect, bind }: Context, { place }: Way) =>
  dialect.search(search, { table: tableOf(resource), places: Object.keys(resource.places), place }, bind);

/**
 * Whether a condition must not choose the index. Where nothing was counted, what was updated since a moment is found by that
 * stamp, and coarse columns give way to anything finer; a planner that has no statistics would begin with whichever is
 * compared for equality.
 */
function onlyTested(plan: Plan, condition: ColumnCondition, path: AccessPath | undefined): boolean {
  const { resource, where, order } = plan;
  const { column } = condition;
  // The key is at hand wherever records are found by it.
  if (path?.by === "link" || path?.by === "search") return column !== resource.packed?.[0];
  if (path?.by === "order") return column !== order[0]?.column;
  if (path?.by === "column") return column !== path.column && isByKey(plan, path);
  if (isFine(resource, condition)) return false;
  // A key's delay leaves out the newest few; to begin with it would be to begin with all others.
  if (condition.op === "lte" && condition.column === resource.sold.delay && condition.column !== order[0]?.column)
    return true;
  const since = where.some((each) => each.op === "gte" && each.column === order[0]?.column);
  if (since && condition.column !== order[0]?.column) return true;
  return resource.coarse.includes(condition.column) && where.some((each) => isFine(resource, each));
}

/** What comes after a position: one comparison of the whole order, which an index in that order begins with. */
function beyond(plan: Plan, after: Position, key: string, { dialect, hints, bind }: Context): string {
  const { order } = plan;
  const sign = order[0]?.direction === "desc" ? "<" : ">";
  if (keyDirection(plan) !== undefined)
    return `${key} ${sign} ${bind(dialect.pack(Number(after[0]), Number(after[1])))}`;
  // Where records are gathered, the order must not choose the index.
  const isTested = key !== "t.key" || isByKey(plan, hints.path);
  const column = (name: string) => (isTested ? dialect.tested(`t.${name}`) : `t.${name}`);
  const columns = order.map(({ column: name }) => column(name));
  return `(${columns.join(", ")}) ${sign} (${after.map(bind).join(", ")})`;
}

/** Whether all that comes after a position meets a condition anyway. Left in, it might be taken for the begin of the walk. */
function isImplied({ order: [first] }: Plan, after: Position | undefined, condition: Condition): boolean {
  const [value] = after ?? [];
  if (first === undefined || value === undefined) return false;
  const { op } = condition;
  if (op === "in" || op === "linked" || op === "search" || op === "eq") return false;
  if (condition.column !== first.column || (first.direction === "desc") !== op.startsWith("lt")) return false;
  return isTrue(op, value, condition.value);
}

const orderBy = (order: readonly Order[], sorted: (column: string) => string): string =>
  order.map(({ column, direction }) => `${sorted(`t.${column}`)} ${direction}`).join(", ");
