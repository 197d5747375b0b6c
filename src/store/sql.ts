// A plan → SQL. Column names that are put into SQL come from resources, never from requests.
// Keys are found first, in indexes alone; then the rows are read by key.
import { isTrue } from "../core/match.ts";
import type { Condition, Order, Plan, Position } from "../core/plan.ts";
import type { Resource } from "../core/resource.ts";
import { deepPage } from "./deep-page.ts";
import type { Bind, Compiled, Dialect, Hints, Search } from "./dialect.ts";
import { newestKeys } from "./newest-of.ts";
import { jsonOf } from "./pieces.ts";
import type { Wish } from "./store.ts";
import { isFine, isPlain, keyDirection, mayWalkFar, standTogether } from "./walks.ts";

export type ColumnCondition = Extract<Condition, { column: string }>;

export const tableOf = (resource: Pick<Resource, "name">): string => resource.name.replaceAll("-", "_");

/**
 * A whole page as one value: the JSON of its records, joined; how many they are, and of the last its place or its key.
 * With fields that follow from others, also whether a record tells one of them itself.
 */
export function compilePage(
  plan: Plan,
  dialect: Dialect,
  hints: Hints,
  { bytes = false, reshape }: Wish = {},
): Compiled {
  const { bind, parameters } = begin(dialect);
  const context = { dialect, hints, bind };
  const direction = plan.ranked ? undefined : keyDirection(plan);
  const key = direction && `, cast(${direction === "desc" ? "min" : "max"}(key) as text) as key`;
  const last = key ?? (plan.ranked ? ", max(place) as place" : "");
  const isWalked = (dialect.carries && standTogether(plan)) || isPlain(plan, dialect);
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
  return { sql: `${rows(plan, context, ", r.beside as beside")}${dialect.inOrder}`, parameters };
}

/** What a statement is made with. */
type Context = { readonly dialect: Dialect; readonly hints: Hints; readonly bind: Bind };

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

const limits = (plan: Plan, { dialect, bind }: Context): string =>
  `limit ${dialect.rows(bind(plan.limit))} offset ${bind(plan.offset)}`;

function compileKeys(plan: Plan, context: Context): string {
  const { dialect, bind } = context;
  if (plan.newestOf !== undefined) return newestKeys(plan, tableOf(plan.resource), bind, columnTests(plan, context));
  const deep = deepPage(plan, tableOf(plan.resource), bind);
  if (deep !== undefined) {
    const keys = found({ ...plan, where: deep.where }, { ...context, bind: deep.bind }, { begin: deep.test });
    return `${deep.with} ${keys} limit ${deep.bind(plan.limit)} offset coalesce((select rest from deep), 0)`;
  }
  const several = dialect.several?.(plan, bind, (others, begin, select) =>
    found(others, context, { begin, select, after: plan.after }),
  );
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

/** The comparisons of a plan, of a record `r`. */
const columnTests = ({ resource, where }: Plan, { dialect, bind }: Context): string[] =>
  where.flatMap((condition) => {
    if (!("value" in condition)) return [];
    const { op, column, value } = condition;
    return column === resource.packed?.[0]
      ? [packedTest(op, value as number, "r.key", dialect, bind)]
      : [`r.${column} ${signs[op]} ${bind(value)}`];
  });

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
function found(plan: Plan, { dialect, hints, bind }: Context, way: Way): string {
  const { search, place, after } = way;
  const { resource } = plan;
  const table = tableOf(resource);
  const direction = keyDirection(plan);
  const driver = search === undefined ? hints.driver : undefined;
  const tests: string[] = [];
  let from = way.from ?? `${table} t`;
  let key = "t.key";
  if (search !== undefined) {
    const searched = dialect.search(search, { table, places: Object.keys(resource.places), place }, bind);
    from = searched.from;
    key = searched.key;
    tests.push(searched.test);
  } else if (driver !== undefined) {
    key = "l.key";
    const linked = `kind = ${bind(driver.kind)} and value ${among(driver.values, bind)}`;
    if (driver.values.length > 1) from = `(select distinct key from ${table}_link where ${linked}) l`;
    else {
      from = `${table}_link l`;
      tests.push(linked);
    }
  }
  if (!way.together && mayWalkFar(plan) && dialect.inTime !== undefined) tests.push(dialect.inTime(key));
  let usesTable = direction === undefined;
  if (way.begin !== undefined) tests.push(way.begin);
  if (after !== undefined) tests.push(beyond(plan, after, key, dialect, bind));
  for (const condition of plan.where) {
    if (condition.op === "search" || condition === driver || isImplied(plan, after, condition)) continue;
    if (condition.op === "linked") {
      tests.push(
        `exists (select 1 from ${table}_link m where m.kind = ${bind(condition.kind)} and m.value ${among(condition.values, bind)} and m.key = ${key})`,
      );
    } else if (condition.op !== "in" && condition.column === resource.packed?.[0]) {
      tests.push(packedTest(condition.op, condition.value as number, key, dialect, bind));
    } else {
      usesTable = true;
      const column = onlyTested(plan, condition) ? dialect.tested(`t.${condition.column}`) : `t.${condition.column}`;
      tests.push(`${column} ${comparison(condition, bind)}`);
    }
  }
  if (usesTable && key !== "t.key") from += ` join ${table} t on t.key = ${key}`;
  const where = tests.length === 0 ? "" : ` where ${tests.join(" and ")}`;
  const order = direction === undefined ? orderBy(plan.order) : `${key} ${direction}`;
  return `select ${way.select ?? `${key} as key`} from ${from}${where} order by ${order}`;
}

/**
 * Whether a condition must not choose the index. What was updated since a moment is found by that stamp, and coarse
 * columns give way to anything finer; a planner that has no statistics would begin with whichever is compared for equality.
 */
function onlyTested({ resource, where, order }: Plan, condition: ColumnCondition): boolean {
  if (isFine(resource, condition)) return false;
  // A key's delay leaves out the newest few; to begin with it would be to begin with all others.
  if (condition.op === "lte" && condition.column === resource.sold.delay && condition.column !== order[0]?.column)
    return true;
  const since = where.some((each) => each.op === "gte" && each.column === order[0]?.column);
  if (since && condition.column !== order[0]?.column) return true;
  return resource.coarse.includes(condition.column) && where.some((each) => isFine(resource, each));
}

/** What comes after a position: one comparison of the whole order, which an index in that order begins with. */
function beyond(plan: Plan, after: Position, key: string, dialect: Dialect, bind: Bind): string {
  const { order } = plan;
  const sign = order[0]?.direction === "desc" ? "<" : ">";
  if (keyDirection(plan) !== undefined)
    return `${key} ${sign} ${bind(dialect.pack(Number(after[0]), Number(after[1])))}`;
  // Where the records of a link or a search are gathered, the order must not choose the index.
  const column = (name: string) => (key === "t.key" ? `t.${name}` : dialect.tested(`t.${name}`));
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

const signs = { eq: "=", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/** What a column is compared with. */
export const comparison = (condition: ColumnCondition, bind: Bind): string =>
  condition.op === "in" ? among(condition.values, bind) : `${signs[condition.op]} ${bind(condition.value)}`;

const orderBy = (order: readonly Order[]): string =>
  order.map(({ column, direction }) => `t.${column} ${direction}`).join(", ");

/** Lists are filled up to a power of two with their last value, so that few shapes of a statement exist. */
function among(values: readonly unknown[], bind: Bind): string {
  if (values.length === 1) return `= ${bind(values[0])}`;
  const length = 2 ** Math.ceil(Math.log2(values.length));
  const filled = Array.from({ length }, (_, index) => values[Math.min(index, values.length - 1)]);
  return `in (${filled.map(bind).join(", ")})`;
}

const most32 = 2 ** 32 - 1;

/** A comparison of the high half of the key, as one of the whole key. */
export function packedTest(op: keyof typeof signs, value: number, key: string, dialect: Dialect, bind: Bind): string {
  if (op === "eq")
    return `${packedTest("gte", value, key, dialect, bind)} and ${packedTest("lte", value, key, dialect, bind)}`;
  const upward = op === "gte" || op === "gt";
  // Whole numbers: "greater than 5" is "from 6 on".
  const from = op === "gt" || op === "lte" ? value + 1 : value;
  if (from > most32) return upward ? "1 = 0" : "1 = 1";
  if (from < 0) return upward ? "1 = 1" : "1 = 0";
  return `${key} ${upward ? ">=" : "<"} ${bind(dialect.pack(from, 0))}`;
}
