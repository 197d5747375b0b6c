// What a key sees of a list by its terms: nothing older than its history, nothing younger than its delay.

import { fieldOf } from "../catalog/resource.ts";
import type { Condition, Plan } from "../query/plan.ts";
import type { Understood } from "../query/planner.ts";
import { addDays, dayBounds, localDay, type Zone } from "../value/time-zone.ts";
import type { Terms } from "./terms.ts";

/** The conditions that hold at a moment (Unix seconds), and the first moment at which they are others. */
export type Window = (plan: Plan, now: number) => Seen;
export type Seen = { readonly where: readonly Condition[]; readonly until: number };

/** Undefined: everything is seen. */
export function windowOf({ history, delay }: Pick<Terms, "history" | "delay">, zone: Zone): Window | undefined {
  if (history === "" && delay === 0) return undefined;
  return ({ resource, order }, now) => {
    const { sold } = resource;
    const where: Condition[] = [];
    let until = Number.POSITIVE_INFINITY;
    if (history !== "") {
      const today = localDay(zone, now);
      const [, days] = /^(\d+)d$/.exec(history) ?? [];
      const first = days === undefined ? history : addDays(today, -Number(days));
      if (days !== undefined) until = dayBounds(zone, today).before;
      const isDay = fieldOf(resource, sold.history).column === "text";
      where.push({ op: "gte", column: sold.history, value: isDay ? first : dayBounds(zone, first).from });
    }
    if (delay > 0 && sold.delay !== undefined) {
      // In whole minutes, so that an answer is good for as long: a record is never seen early, and a minute late at most.
      const minute = Math.floor(now / 60) * 60;
      until = Math.min(until, minute + 60);
      const value = minute - delay * 60;
      where.push({ op: "lte", column: sold.delay, value });
      // Who reads on from the newest change must not meet one before those that are still hidden.
      if (sold.polled !== undefined && sold.polled === order[0]?.column)
        where.push({ op: "lte", column: sold.polled, value });
    }
    return { where, until };
  };
}

/** A request as it is answered to a key that sees less than all. Its cursors stay those of the list that was asked for. */
export function narrowed(understood: Understood, more: readonly Condition[]): Understood {
  const { plan } = understood;
  const narrow: Plan = { ...plan, where: [...plan.where, ...more] };
  return { ...understood, plan: narrow, list: understood.list ?? plan };
}
