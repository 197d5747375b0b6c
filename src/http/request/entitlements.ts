// What was sold with a key, held against a request for a list: 403 where it was not, and less of the list where it was in part.

import { restrict } from "../../core/access/visibility.ts";
import { type Listing, resourcesOf, tableOf } from "../../core/catalog/extension.ts";
import { type Problem, problem } from "../../core/problem.ts";
import type { Condition } from "../../core/query/plan.ts";
import { licensesOf, type ParsedQuery } from "../../core/query/planner.ts";
import type { Query } from "../../core/query/query-string.ts";
import { missingResource, missingScope, type Principal } from "./auth.ts";

/** What is wrong when a key may not ask for this at all. */
export function missingLicense(holder: Principal, listing: Listing, query: Query): Problem | undefined {
  const lack = missingScope(holder, "read") ?? missingResource(holder, resourcesOf(listing));
  if (lack !== undefined) return lack;
  for (const { license, parameter } of licensesOf(listing, query)) {
    if (holder.licenses.includes(license)) continue;
    const detail = `The parameter ${parameter} needs the license "${license}", which this key does not hold.`;
    return problem("key.license", detail);
  }
  return undefined;
}

/** What the key sees of a list at a moment (Unix seconds), and until when it sees just that. */
export type Seen = { readonly understood: ParsedQuery; readonly until: number };

export function visibleTo(
  holder: Principal,
  understood: ParsedQuery,
  now: number,
): Seen | { readonly problem: Problem } {
  const { window, resources } = holder;
  const { listing, plan } = understood;
  const { entitlements } = tableOf(listing);
  if (window === undefined && (resources === undefined || entitlements.resource === undefined))
    return { understood, until: holder.until };
  const { where, until } = window?.(plan, now) ?? { where: [], until: holder.until };
  const more: Condition[] = [...where];
  if (resources !== undefined && entitlements.resource !== undefined) {
    const asked = plan.where.find((each) => each.op === "eq" && each.column === entitlements.resource);
    const lack = asked?.op === "eq" ? missingResource(holder, [String(asked.value)]) : undefined;
    if (lack !== undefined) return { problem: lack };
    more.push({
      op: "in",
      column: entitlements.resource,
      values: resourcesOf(listing).filter((each) => resources.includes(each)),
    });
  }
  return { understood: restrict(understood, more), until: Math.min(until, holder.until) };
}
