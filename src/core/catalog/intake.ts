// How a reader takes in every record of a list and learns what became of it later, by the rules that the list itself has.

import type { DaysRule, SinceRule, SizeRule } from "./common-rules.ts";
import type { Rule } from "./rule.ts";

/** The parameters by which a reader takes in every record of a list, and learns what became of it later. */
export type Intake = {
  readonly size: PageSize;
  /** Both ends included; `column` is what the days are of. */
  readonly days: { readonly from: string; readonly to: string; readonly column: string };
  /** At or after a stamp, oldest first. */
  readonly since: { readonly name: string; readonly column: string };
  /** Parameters that leave nothing out: every field, every kind of record. */
  readonly whole: Readonly<Record<string, string>>;
  /** The list of removed records, if the upstream has one; `type` names the resource where several share it. */
  readonly removed: {
    readonly path: string;
    readonly size: PageSize;
    readonly since: string;
    readonly type?: string;
  };
  /** Attributes that are never shown but can be asked by: one filter each, with its values where they are a closed set. */
  readonly learnable: Readonly<Record<string, Learnable>>;
};

type PageSize = { readonly name: string; readonly most: number };

export type Learnable = { readonly field: string; readonly many: boolean; readonly values?: readonly string[] };

/** The same by rules, which know their parameters. */
export type IntakeRules = {
  readonly size: SizeRule;
  readonly days: { readonly rule: DaysRule; readonly column: string };
  readonly since: { readonly rule: SinceRule; readonly column: string };
  readonly whole: readonly WholeBy[];
  readonly removed: RemovalList & { readonly type?: string };
  readonly learnable: readonly (Learnable & { readonly rule: Rule })[];
};

/** A rule of one parameter, and the value with which it leaves nothing out. */
export type WholeBy = readonly [rule: Rule, value: string];

/** Where removed records are listed, and by which rules. */
export type RemovalList = { readonly path: string; readonly size: SizeRule; readonly since: SinceRule };

export function intakeBy({ size, days, since, whole, removed, learnable }: IntakeRules): Intake {
  const { from, to } = days.rule.inputs;
  return {
    size: pageSize(size),
    days: { from: from.names[0], to: to.names[0], column: days.column },
    since: { name: parameterOf(since.rule), column: since.column },
    whole: Object.fromEntries(whole.map(([rule, value]) => [parameterOf(rule), value])),
    removed: {
      path: removed.path,
      size: pageSize(removed.size),
      since: parameterOf(removed.since),
      ...(removed.type === undefined ? {} : { type: removed.type }),
    },
    learnable: Object.fromEntries(learnable.map(({ rule, ...attribute }) => [parameterOf(rule), attribute])),
  };
}

const pageSize = (rule: SizeRule): PageSize => ({
  name: parameterOf(rule),
  most: Number(rule.inputs.size.schema.maximum),
});

/** The wire name of a rule with one input. */
function parameterOf({ inputs }: Rule): string {
  const [input, ...more] = Object.values(inputs);
  if (input === undefined || more.length > 0) throw new Error("a rule of one parameter is expected here");
  return input.names[0];
}
