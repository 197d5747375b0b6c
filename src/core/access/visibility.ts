// Visibility of records by the terms of a key: nothing older than its history, nothing newer than its delay.

import { fieldOf } from "../catalog/resource.ts";
import type { Condition, Plan } from "../query/plan.ts";
import type { ParsedQuery } from "../query/planner.ts";
import { addDays, dayBounds, localDay, type Zone } from "../value/time-zone.ts";
import type { Terms } from "./terms.ts";

/** The conditions at a time (Unix seconds), and until when they apply. */
export type Visibility = (plan: Plan, now: number) => VisibleRange;
export type VisibleRange = { readonly where: readonly Condition[]; readonly until: number };

/** Undefined if everything is visible. */
export function visibilityOf({ history, delay }: Pick<Terms, "history" | "delay">, zone: Zone): Visibility | undefined {
  if (history === "" && delay === 0) return undefined;
  return ({ resource, order }, now) => {
    const { entitlements } = resource;
    const where: Condition[] = [];
    let until = Number.POSITIVE_INFINITY;
    if (history !== "") {
      const today = localDay(zone, now);
      const [, days] = /^(\d+)d$/.exec(history) ?? [];
      const first = days === undefined ? history : addDays(today, -Number(days));
      if (days !== undefined) until = dayBounds(zone, today).before;
      const isDay = fieldOf(resource, entitlements.history).column === "text";
      where.push({ op: "gte", column: entitlements.history, value: isDay ? first : dayBounds(zone, first).from });
    }
    if (delay > 0 && entitlements.delay !== undefined) {
      // In whole minutes, so that responses can be cached: records appear never early, and at most a minute late.
      const minute = Math.floor(now / 60) * 60;
      until = Math.min(until, minute + 60);
      const value = minute - delay * 60;
      where.push({ op: "lte", column: entitlements.delay, value });
      // A client that polls from the latest change must not skip those that are still hidden.
      if (entitlements.pollColumn !== undefined && entitlements.pollColumn === order[0]?.column)
        where.push({ op: "lte", column: entitlements.pollColumn, value });
    }
    return { where, until };
  };
}

/** Adds conditions to a query. Its cursors remain those of the requested list. */
export function restrict(query: ParsedQuery, conditions: readonly Condition[]): ParsedQuery {
  const { plan } = query;
  const narrow: Plan = { ...plan, where: [...plan.where, ...conditions] };
  return { ...query, plan: narrow, requested: query.requested ?? plan };
}
