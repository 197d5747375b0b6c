// SQL texts of the writes to a resource's tables. Built once: looking up a prepared statement by a new string is slow.
import { selectRowSql, type Tables } from "../../rows/row-encoding.ts";

export type Statements = Readonly<
  Record<"find" | "insert" | "insertText" | "insertLink" | "insertSearch" | "insertWord", string>
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
    insertLink: insert(`${table}_link`, ["kind", "value", "key"]),
    insertSearch: insert(`${table}_search`, ["rowid", ...places]),
    insertWord: insert(`${table}_word`, ["word", "place", "key"]),
  };
}
