// What a server must return for a request, computed from the records that are known.
import { evaluate, isTrue, matches } from "../core/query/evaluate.ts";
import type { Condition, Plan } from "../core/query/plan.ts";
import type { ParsedQuery, View } from "../core/query/planner.ts";
import type { Json, WireRecord } from "../core/record/row.ts";
import type { Target } from "./target.ts";
import { type Known, scopeCondition, type Universe } from "./universe.ts";

/** The records of a page, in order; undefined if there may be others that aren't known. */
export function expectedRecords(
  target: Target,
  universe: Universe,
  { plan, view }: ParsedQuery,
): readonly WireRecord[] | undefined {
  return isCovered(target, universe, plan)
    ? knownRecords(universe, plan).map((each) => viewed(target, each, plan, view))
    : undefined;
}

function knownRecords({ records }: Universe, plan: Plan): readonly Known[] {
  const byRow = new Map(records.map((each) => [each.row, each]));
  return evaluate(plan, [...byRow.keys()]).flatMap((row) => byRow.get(row) ?? []);
}

/** Whether the page can't have other records than the known ones. */
export function isCovered(target: Target, universe: Universe, plan: Plan): boolean {
  if (universe.isComplete) return true;
  const scope = scopeCondition(target, universe);
  if (scope !== undefined && plan.where.some((each) => implies(each, scope))) return true;
  // The known records are the beginning of the list.
  const isDefault = !plan.ranked && JSON.stringify(plan.order) === JSON.stringify(target.order);
  const matching = universe.records.filter(({ row }) => matches(plan, row)).length;
  return isDefault && matching >= plan.offset + plan.limit;
}

/** Whether a record that meets one condition meets the other, which is a lower bound. */
function implies(one: Condition, bound: Condition): boolean {
  if (!("value" in one) || !("value" in bound) || one.column !== bound.column) return false;
  return ["eq", "gte", "gt"].includes(one.op) && isTrue("gte", one.value, bound.value);
}

/** A record that was read with every field, as a request shows it. */
export function viewed({ resource }: Target, { wire }: Known, { include }: Plan, view: View): WireRecord {
  const shown: Record<string, Json> = {};
  for (const [name, value] of Object.entries(wire)) {
    const field = resource.fields[name];
    const isShown = view.selectedFields?.includes(name) ?? (field === undefined || field.shown === "always");
    if (isShown) shown[name] = field?.heavy && !include.includes(name) ? field.empty : value;
  }
  for (const { members } of view.transforms)
    for (const [name, change] of Object.entries(members))
      if (shown[name] !== undefined) shown[name] = change(shown[name]);
  return shown;
}
