// SQL texts of the writes to a resource's tables. Built once: looking up a prepared statement by a new string is slow.
import { selectRowSql, type Tables } from "../../rows/row-encoding.ts";

export type Statements = Readonly<
  Record<
    "find" | "insert" | "insertText" | "insertSearch" /** Tables of pairs, for `pairsSql`. */ | "links" | "words",
    string
  >
>;

const cache = new WeakMap<Tables, Statements>();

export function statementsFor(tables: Tables): Statements {
  let statements = cache.get(tables);
  if (statements === undefined) {
    statements = build(tables);
    cache.set(tables, statements);
  }
  return statements;
}

function build(tables: Tables): Statements {
  const { table, columns, fragments, heavy, places } = tables;
  const insert = (into: string, names: readonly string[]) =>
    `insert into ${into} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`;
  return {
    find: `${selectRowSql(tables)} where r.id = ?`,
    insert: insert(table, ["key", ...columns, ...fragments, "beside"]),
    insertText: insert(`${table}_text`, ["key", ...heavy]),
    insertSearch: insert(`${table}_search`, ["rowid", ...places]),
    links: `${table}_link (kind, value, key)`,
    words: `${table}_word (word, place, key)`,
  };
}

const pairs = new Map<string, string[]>();

/** Inserts pairs that belong to one key, which is the first parameter. */
export function pairsSql(into: string, count: number): string {
  const byCount = pairs.get(into) ?? [];
  pairs.set(into, byCount);
  byCount[count] ??= `insert into ${into} values ${Array.from(
    { length: count },
    (_, index) => `(?${2 * index + 2}, ?${2 * index + 3}, ?1)`,
  ).join(", ")}`;
  return byCount[count];
}
