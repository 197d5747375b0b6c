// Rules: one or more request parameters that together contribute one part of a plan.

import type { Cursor } from "../query/cursor.ts";
import type { Condition, Order } from "../query/plan.ts";
import type { Json } from "../record/row.ts";
import type { Zone } from "../value/time-zone.ts";
import type { Parameter } from "./parameter.ts";

/** Converts some members of every record in the response. The name is part of the cache key. */
export type Transform = {
  readonly name: string;
  readonly members: Readonly<Record<string, (value: Json) => Json>>;
};

export type PlanPart = {
  readonly where?: readonly Condition[];
  /** The first rule that specifies an order wins: rules are listed in order of precedence. */
  readonly order?: readonly Order[];
  readonly page?: number;
  readonly size?: number;
  /** Records of an export, which takes the place of a page. */
  readonly exportSize?: number;
  /** Checked against the plan once all rules have been applied. */
  readonly cursor?: Cursor;
  /** The only fields to return. */
  readonly selectedFields?: readonly string[];
  /** Heavy fields to load. */
  readonly include?: readonly string[];
  readonly transform?: Transform;
  /** When calendar apps alert. */
  readonly alarmMinutes?: number;
  /** Values that are valid alone but not together, one entry for each parameter concerned. */
  readonly conflicts?: readonly { readonly parameter: string; readonly expected: string }[];
};

export type Context = { readonly zone: Zone };

// Parameter values are typed where a rule is defined and erased here.
// biome-ignore lint/suspicious/noExplicitAny: a Parameter<T> is invariant in T, and every T must fit.
export type ParameterMap = { readonly [key: string]: Parameter<any> };

export type Values<P extends ParameterMap> = {
  [K in keyof P]: P[K] extends Parameter<infer T> ? (P[K] extends { fallback: T } ? T : T | undefined) : never;
};

/** Conflicts that follow from which parameters are present, whatever their values. */
type PresenceConflicts = (present: Pick<ReadonlySet<string>, "has">) => PlanPart["conflicts"] & {};

export type Rule<P extends ParameterMap = ParameterMap> = {
  readonly parameters: P;
  readonly presenceConflicts: PresenceConflicts;
  readonly part: (values: { readonly [key: string]: unknown }, context: Context) => PlanPart;
};

/**
 * A rule of one or more parameters. A parameter with a fallback is never undefined.
 *
 *     rule({ page: integerParameter("page", "Page number", 0, 100_000, 0) }, ({ page }) => ({ page }))
 */
export function rule<P extends ParameterMap>(
  parameters: P,
  part: (values: Values<P>, context: Context) => PlanPart,
  presenceConflicts: PresenceConflicts = () => [],
): Rule<P> {
  return { parameters, presenceConflicts, part: (values, context) => part(values as Values<P>, context) };
}
