// Which parameters a mirror uses to read all records of a list and to follow later changes, derived from the list's rules.

import type { DaysRule, SinceRule, SizeRule } from "./common-rules.ts";
import type { Rule } from "./rule.ts";

export type Intake = {
  /** Keys under which upstreams send the list, if it is not the whole body. */
  readonly keys: readonly string[];
  readonly size: PageSize;
  /** Inclusive. */
  readonly days: { readonly from: string; readonly to: string; readonly column: string };
  /** At or after a timestamp, oldest first. */
  readonly since: { readonly name: string; readonly column: string };
  /** Parameters and values that return every field and every kind of record. */
  readonly unfiltered: Readonly<Record<string, string>>;
  /** The list of removed records, if the upstream has one; `type` names the resource where several share it. */
  readonly removed: {
    readonly path: string;
    readonly size: PageSize;
    readonly since: string;
    readonly type?: string;
  };
  /** Attributes that are never shown but can be discovered with a filter; with its values if they are a closed set. */
  readonly discoverable: Readonly<Record<string, Discoverable>>;
};

type PageSize = { readonly name: string; readonly max: number };

type Discoverable = { readonly field: string; readonly many: boolean; readonly values?: readonly string[] };

type IntakeRules = {
  readonly keys: readonly string[];
  readonly size: SizeRule;
  readonly days: { readonly rule: DaysRule; readonly column: string };
  readonly since: { readonly rule: SinceRule; readonly column: string };
  readonly whole: readonly UnfilteredBy[];
  readonly removed: RemovalList & { readonly type?: string };
  readonly learnable: readonly (Discoverable & { readonly rule: Rule })[];
};

/** A rule of one parameter, and the value with which it filters nothing. */
export type UnfilteredBy = readonly [rule: Rule, value: string];

export type RemovalList = { readonly path: string; readonly size: SizeRule; readonly since: SinceRule };

export function intakeFrom({ keys, size, days, since, whole, removed, learnable }: IntakeRules): Intake {
  const { from, to } = days.rule.parameters;
  return {
    keys,
    size: pageSize(size),
    days: { from: from.names[0], to: to.names[0], column: days.column },
    since: { name: parameterOf(since.rule), column: since.column },
    unfiltered: Object.fromEntries(whole.map(([rule, value]) => [parameterOf(rule), value])),
    removed: {
      path: removed.path,
      size: pageSize(removed.size),
      since: parameterOf(removed.since),
      ...(removed.type === undefined ? {} : { type: removed.type }),
    },
    discoverable: Object.fromEntries(learnable.map(({ rule, ...attribute }) => [parameterOf(rule), attribute])),
  };
}

const pageSize = (rule: SizeRule): PageSize => ({
  name: parameterOf(rule),
  max: Number(rule.parameters.size.schema.maximum),
});

function parameterOf({ parameters }: Rule): string {
  const [parameter, ...more] = Object.values(parameters);
  if (parameter === undefined || more.length > 0) throw new Error("expected a rule with one parameter");
  return parameter.names[0];
}
