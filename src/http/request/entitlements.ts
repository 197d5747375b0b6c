// Entitlements: checks a list request against the key's terms, and restricts it to the records the key may see.
import { restrict } from "../../core/access/visibility.ts";
import { type Listing, resourcesOf, tableOf } from "../../core/catalog/extension.ts";
import { type Problem, problem } from "../../core/problem.ts";
import type { Condition } from "../../core/query/plan.ts";
import { licensesOf, type ParsedQuery } from "../../core/query/planner.ts";
import type { Query } from "../../core/query/query-string.ts";
import { type Principal, resourceProblem, scopeProblem } from "./auth.ts";

/** Set if the key may not make this request at all. */
export function entitlementProblem(principal: Principal, listing: Listing, query: Query): Problem | undefined {
  const lack = scopeProblem(principal, "read") ?? resourceProblem(principal, resourcesOf(listing));
  if (lack !== undefined) return lack;
  for (const { license, parameter } of licensesOf(listing, query)) {
    if (principal.licenses.includes(license)) continue;
    const detail = `The parameter ${parameter} requires the license "${license}", which this key does not have.`;
    return problem("key.license", detail);
  }
  return undefined;
}

/** The request restricted to what the key may see now, and until when (Unix seconds) that holds. */
type Restricted = { readonly parsedQuery: ParsedQuery; readonly until: number };

export function restrictTo(
  principal: Principal,
  parsedQuery: ParsedQuery,
  now: number,
): Restricted | { readonly problem: Problem } {
  const { window, resources } = principal;
  const { listing, plan } = parsedQuery;
  const { entitlements } = tableOf(listing);
  if (window === undefined && (resources === undefined || entitlements.resource === undefined))
    return { parsedQuery, until: principal.until };
  const { where, until } = window?.(plan, now) ?? { where: [], until: principal.until };
  const more: Condition[] = [...where];
  if (resources !== undefined && entitlements.resource !== undefined) {
    const requested = plan.where.find((each) => each.op === "eq" && each.column === entitlements.resource);
    const lack = requested?.op === "eq" ? resourceProblem(principal, [String(requested.value)]) : undefined;
    if (lack !== undefined) return { problem: lack };
    more.push({
      op: "in",
      column: entitlements.resource,
      values: resourcesOf(listing).filter((each) => resources.includes(each)),
    });
  }
  return { parsedQuery: restrict(parsedQuery, more), until: Math.min(until, principal.until) };
}
