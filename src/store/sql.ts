// A plan → SQL. The only file that puts column names into SQL; they come from resources, never from requests.
// Keys are found first, in indexes alone; then the rows are read by key.
import type { Condition, Order, Plan } from "../core/plan.ts";
import { heavyBlanks } from "../core/record.ts";
import { heavyFields, type Resource } from "../core/resource.ts";

export type Search = Extract<Condition, { op: "search" }>;
type ColumnCondition = Extract<Condition, { column: string }>;
export type Bind = (value: unknown) => string;
export type Compiled = { readonly sql: string; readonly parameters: readonly unknown[] };

/** The few things that databases say differently. */
export type Dialect = {
  readonly placeholder: (n: number) => string;
  /** Key of the search table. */
  readonly searchKey: string;
  /** The search table as `s`, and the test that it matches: in any place, or in one place and none before it. */
  readonly search: (
    search: Search,
    where: { readonly table: string; readonly places: readonly string[]; readonly place: number | undefined },
    hints: Hints,
    bind: Bind,
  ) => { readonly from: string; readonly test?: string };
  /** The rows `r` of a table by keys `k`, in the order of the keys. */
  readonly byKeys: (keys: string, table: string) => string;
  /** What a row must carry so that its place among the keys is not lost, and how rows are put in that order. */
  readonly ordinal: string;
  readonly inOrder: string;
  /** A column of which a condition may not choose the index. */
  readonly tested: (column: string) => string;
  /** The key that two packed values make. */
  readonly pack: (high: number, low: number) => unknown;
  /** All texts of a column as one value, joined by commas in the order of the rows. */
  readonly joined: (column: string) => string;
};

/** How the store wants a plan carried out, where only the data can tell. */
export type Hints = {
  /** Begin with the records that a link names, rather than walk the order and test each for the link. */
  readonly beginWithLink: boolean;
  /** Gather all matches of a search and sort them, rather than walk the order and test each. */
  readonly gatherMatches: boolean;
};

export const tableOf = (resource: Resource): string => resource.name.replaceAll("-", "_");

/** Columns of the pieces of a record's JSON, one more than heavy fields. */
export const piecesOf = (resource: Resource): string[] =>
  Array.from({ length: heavyFields(resource).length + 1 }, (_, index) => `json${index}`);

/** A whole page as one value: the JSON of its records, joined. */
export function compilePage(plan: Plan, dialect: Dialect, hints: Hints): Compiled {
  const { bind, parameters } = binder(dialect);
  const sql = `select ${dialect.joined("json")} as page from (select ${rows(plan, dialect, hints, bind, dialect.ordinal)}) q`;
  return { sql, parameters };
}

/** The records of a page apart, with what stands beside each. */
export function compileRecords(plan: Plan, dialect: Dialect, hints: Hints): Compiled {
  const { bind, parameters } = binder(dialect);
  const sql = `select ${rows(plan, dialect, hints, bind, ", r.beside as beside")}${dialect.inOrder}`;
  return { sql, parameters };
}

function binder(dialect: Dialect) {
  const parameters: unknown[] = [];
  const bind: Bind = (value) => {
    parameters.push(value);
    return dialect.placeholder(parameters.length);
  };
  return { bind, parameters };
}

function rows(plan: Plan, dialect: Dialect, hints: Hints, bind: Bind, more: string): string {
  const table = tableOf(plan.resource);
  const keys = compileKeys(plan, dialect, hints, bind);
  const text = plan.filled.length > 0 ? ` left join ${table}_text x on x.key = r.key` : "";
  return `${jsonOf(plan)} as json${more} from ${dialect.byKeys(keys, table)}${text}`;
}

/** The record's JSON, put together from its pieces and the heavy values that are asked for. */
function jsonOf(plan: Plan): string {
  const blanks = heavyBlanks(plan.resource);
  const heavy = heavyFields(plan.resource);
  return piecesOf(plan.resource)
    .flatMap((piece, index) => {
      const name = heavy[index];
      if (name === undefined) return [`r.${piece}`];
      const blank = `'${blanks[index]}'`;
      return [`r.${piece}`, plan.filled.includes(name) ? `coalesce(x.${name}, ${blank})` : blank];
    })
    .join(" || ");
}

function compileKeys(plan: Plan, dialect: Dialect, hints: Hints, bind: Bind): string {
  const search = plan.where.find((condition) => condition.op === "search");
  const limits = () => `limit ${bind(plan.limit)} offset ${bind(plan.offset)}`;
  if (search === undefined || !plan.ranked)
    return `${found(plan, dialect, hints, bind, search, undefined)} ${limits()}`;
  // One arm a place. Arms run in turn and stop when the page is full.
  const arms = Object.keys(plan.resource.places).map(
    (_, place) => `select key from (${found(plan, dialect, hints, bind, search, place)}) a${place}`,
  );
  return `select key from (${arms.join(" union all ")}) a ${limits()}`;
}

/** Keys of the records that a plan finds, in its order. */
function found(
  plan: Plan,
  dialect: Dialect,
  hints: Hints,
  bind: Bind,
  search: Search | undefined,
  place: number | undefined,
): string {
  const { resource } = plan;
  const table = tableOf(resource);
  const direction = keyDirection(plan);
  const links = plan.where.filter((condition) => condition.op === "linked");
  const driver = search === undefined && hints.beginWithLink ? links[0] : undefined;
  const tests: string[] = [];
  let from = `${table} t`;
  let key = "t.key";
  if (search !== undefined) {
    const where = { table: `${table}_search`, places: Object.keys(resource.places), place };
    const searched = dialect.search(search, where, hints, bind);
    from = searched.from;
    key = `s.${dialect.searchKey}`;
    if (searched.test !== undefined) tests.push(searched.test);
  } else if (driver !== undefined) {
    key = "l.key";
    const linked = `kind = ${bind(driver.kind)} and value ${among(driver.values, bind)}`;
    if (driver.values.length > 1) from = `(select distinct key from ${table}_link where ${linked}) l`;
    else {
      from = `${table}_link l`;
      tests.push(linked);
    }
  }
  let usesTable = direction === undefined;
  for (const condition of plan.where) {
    if (condition.op === "search" || condition === driver) continue;
    if (condition.op === "linked") {
      tests.push(
        `exists (select 1 from ${table}_link m where m.kind = ${bind(condition.kind)} and m.value ${among(condition.values, bind)} and m.key = ${key})`,
      );
    } else if (condition.op !== "in" && condition.column === resource.packed?.[0]) {
      tests.push(packedTest(condition.op, condition.value as number, key, dialect, bind));
    } else {
      usesTable = true;
      const column = onlyTested(plan, condition) ? dialect.tested(`t.${condition.column}`) : `t.${condition.column}`;
      const test =
        condition.op === "in" ? among(condition.values, bind) : `${signs[condition.op]} ${bind(condition.value)}`;
      tests.push(`${column} ${test}`);
    }
  }
  if (usesTable && key !== "t.key") from += ` join ${table} t on t.key = ${key}`;
  const where = tests.length === 0 ? "" : ` where ${tests.join(" and ")}`;
  const order = direction === undefined ? orderBy(plan.order) : `${key} ${direction}`;
  return `select ${key} as key from ${from}${where} order by ${order}`;
}

/**
 * Whether a condition must not choose the index. What was updated since a moment is found by that stamp, and coarse
 * columns give way to anything finer; a planner that has no statistics would begin with whichever is compared for equality.
 */
function onlyTested({ resource, where, order }: Plan, condition: ColumnCondition): boolean {
  if (isFine(resource, condition)) return false;
  const since = where.some((each) => each.op === "gte" && each.column === order[0]?.column);
  if (since && condition.column !== order[0]?.column) return true;
  return resource.coarse.includes(condition.column) && where.some((each) => isFine(resource, each));
}

const isFine = ({ coarse }: Resource, condition: Condition): boolean =>
  (condition.op === "in" || condition.op === "eq") && !coarse.includes(condition.column);

const signs = { eq: "=", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

const orderBy = (order: readonly Order[]): string =>
  order.map(({ column, direction }) => `t.${column} ${direction}`).join(", ");

/** The direction of the key when the plan's order is the key's own. */
export function keyDirection({ resource, order }: Plan): Order["direction"] | undefined {
  const [first, second] = order;
  const packed = resource.packed;
  if (packed === undefined || first?.column !== packed[0] || second?.column !== packed[1]) return undefined;
  return first.direction === second.direction ? first.direction : undefined;
}

/** Lists are filled up to a power of two with their last value, so that few shapes of a statement exist. */
function among(values: readonly unknown[], bind: Bind): string {
  if (values.length === 1) return `= ${bind(values[0])}`;
  const length = 2 ** Math.ceil(Math.log2(values.length));
  const filled = Array.from({ length }, (_, index) => values[Math.min(index, values.length - 1)]);
  return `in (${filled.map(bind).join(", ")})`;
}

const most32 = 2 ** 32 - 1;

/** A comparison of the high half of the key, as one of the whole key. */
function packedTest(op: keyof typeof signs, value: number, key: string, dialect: Dialect, bind: Bind): string {
  if (op === "eq")
    return `${packedTest("gte", value, key, dialect, bind)} and ${packedTest("lte", value, key, dialect, bind)}`;
  const upward = op === "gte" || op === "gt";
  // Whole numbers: "greater than 5" is "from 6 on".
  const from = op === "gt" || op === "lte" ? value + 1 : value;
  if (from > most32) return upward ? "1 = 0" : "1 = 1";
  if (from < 0) return upward ? "1 = 1" : "1 = 0";
  return `${key} ${upward ? ">=" : "<"} ${bind(dialect.pack(from, 0))}`;
}
