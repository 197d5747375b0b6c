// Securities that occur in the database.

import { columnsOf, fieldOf, type Resource } from "../core/catalog/resource.ts";
import type { Condition } from "../core/query/plan.ts";
import type { Store } from "../store/store.ts";
import type { TickerMention } from "./parse/ticker-mentions.ts";

export type Security = { readonly name: string; readonly exchange?: string };

/** Resolves ticker mentions. Lookups are cached for the lifetime of the function. */
export function knownSecurities(
  store: Store,
  catalog: readonly Resource[],
): (marks: readonly TickerMention[]) => Promise<Security[]> {
  const found = new Map<string, Promise<boolean>>();
  const isKnown = (symbol: string): Promise<boolean> => {
    const looking = found.get(symbol) ?? lookUp(store, catalog, symbol);
    found.set(symbol, looking);
    return looking;
  };
  return async (marks) => {
    const securities = new Map<string, Security>();
    for (const { symbol, exchange } of marks) {
      for (const name of spellings(symbol)) {
        if (!(await isKnown(name))) continue;
        if (!securities.has(name)) securities.set(name, exchange === undefined ? { name } : { name, exchange });
        break;
      }
    }
    return [...securities.values()];
  };
}

/** Share classes are written BRK.B, BRK/B, or BRK-B. */
const spellings = (symbol: string): Set<string> =>
  new Set([symbol, symbol.replace(/[/-]/, "."), symbol.replace(/[./]/, "-")]);

/** One index lookup per resource with tickers, until one is found. */
async function lookUp(store: Store, catalog: readonly Resource[], symbol: string): Promise<boolean> {
  for (const resource of catalog) {
    const condition = conditionFor(resource, symbol);
    if (condition === undefined) continue;
    const plan = {
      resource,
      where: [condition],
      order: resource.order,
      ranked: false,
      limit: 1,
      offset: 0,
      include: [],
    };
    if ((await store.records(plan)).records.length > 0) return true;
  }
  return false;
}

function conditionFor(resource: Resource, symbol: string): Condition | undefined {
  if (Object.hasOwn(resource.links, "ticker")) return { op: "linked", kind: "ticker", values: [symbol] };
  if (!columnsOf(resource).includes("ticker")) return undefined;
  return { op: "eq", column: "ticker", value: fieldOf(resource, "ticker").compareKey(symbol) as string };
}
