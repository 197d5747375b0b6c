// A statement → one that does the same for several of its kind at once: it takes a list for each parameter, and gives one
// row for each, with its number in the lists, from 1, as `n`.
import type { Compiled } from "../sql/dialect.ts";

/** By the statement. There are as many as there are ways to combine the parameters of the lists. */
const known = new Map<string, string>();
const mostKnown = 1000;

/**
 * Values are texts or whole numbers, as columns are, so that the first ones tell the types for all; should one not be, the
 * server refuses the statement, and it is asked alone.
 */
export function forSeveral({ sql, parameters }: Compiled): string {
  let text = known.get(sql);
  if (text === undefined) {
    const lists = parameters.map((value, at) => `$${at + 1}::${typeof value === "string" ? "text" : "bigint"}[]`);
    const columns = parameters.map((_, at) => `p${at + 1}`);
    const each = sql.replaceAll(/\$(\d+)/g, "b.p$1");
    text = `select b.n as n, q.* from unnest(${lists.join(", ")}) with ordinality b (${columns.join(", ")}, n), lateral (${each}) q`;
    if (known.size >= mostKnown) known.clear();
    known.set(sql, text);
  }
  return text;
}
