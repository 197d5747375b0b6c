// A request's parameters → a plan and a view of its records, or every mistake in them at once.

import { type Listing, tableRead } from "../catalog/extension.ts";
import { cursorInput, type Input } from "../catalog/parameter.ts";
import type { Change, Context, Inputs, Part, Rule, Values } from "../catalog/rule.ts";
import type { Mistake } from "../problem.ts";
import type { Zone } from "../value/time-zone.ts";
import { type Cursor, positionIn } from "./cursor.ts";
import { type Condition, canonicalList, type Plan } from "./plan.ts";
import type { Query } from "./query-string.ts";

/** What is done to records on their way out, beyond what the plan reads. */
export type View = { readonly only?: readonly string[]; readonly changes: readonly Change[] };

export type Understood = {
  /** Whose rules were read, and whose form the answer has. */
  readonly listing: Listing;
  readonly plan: Plan;
  /** The plan as it was asked for, which its cursors belong to, where a key sees less of it. */
  readonly list?: Plan;
  readonly view: View;
  /** Names that mean nothing here, so that a typo is visible. */
  readonly ignored: readonly string[];
  /** What each rule made of the request, for `explain`. */
  readonly parts: readonly ReadPart[];
};

export type Reading = { readonly ok: Understood } | { readonly mistakes: readonly Mistake[] };

export function read(listing: Listing, query: Query, context: Context): Reading {
  const mistakes: Mistake[] = [];
  const parts: ReadPart[] = [];
  const { rules, known } = readerOf(listing);
  const ignored: string[] = [];
  const touched: RuleReader[] = [];
  for (const name of query.keys()) {
    const users = known.get(name);
    if (users === undefined) ignored.push(name);
    else touched.push(...users);
  }
  for (const each of rules) {
    const part = touched.includes(each) ? readRule(each, query, context, mistakes) : untouched(each, context);
    if (part !== undefined) parts.push(part);
  }
  if (mistakes.length > 0) return { mistakes };
  const { plan, view, cursor } = combine(listing, parts);
  if (cursor === undefined) return { ok: { listing, plan, view, ignored, parts } };
  const after = positionIn(plan, cursor);
  if (after !== undefined) return { ok: { listing, plan: { ...plan, after }, view, ignored, parts } };
  const [name] = cursorInput.names;
  return { mistakes: [{ parameter: name, given: told(cursorInput, query.get(name)), expected: cursorInput.expected }] };
}

/** Inputs that make no plan, such as those of an endpoint that writes; values are good only where there is no mistake. */
export function readInputs<I extends Inputs>(
  inputs: I,
  query: Query,
): { readonly values: Values<I>; readonly mistakes: readonly Mistake[]; readonly ignored: readonly string[] } {
  const mistakes: Mistake[] = [];
  const entries = Object.entries(inputs);
  const values = entries.map(([key, input]) => [key, readInput(input, query, mistakes)?.value ?? input.fallback]);
  const known = new Set(entries.flatMap(([, { names }]) => names));
  const ignored = [...query.keys()].filter((name) => !known.has(name));
  return { values: Object.fromEntries(values) as Values<I>, mistakes, ignored };
}

/** Licenses that the parameters of this request need, with the parameter that needs each. */
export function licensesOf(listing: Listing, query: Query): { license: string; parameter: string }[] {
  const needed: { license: string; parameter: string }[] = [];
  for (const { license, names, blank } of readerOf(listing).licensed) {
    const parameter = names.find((name) => query.get(name)?.some((text) => !blank(text.trim())));
    if (parameter !== undefined) needed.push({ license, parameter });
  }
  return needed;
}

type ReadPart = { readonly names: readonly string[]; readonly part: Part };
type Licensed = Input<unknown> & { readonly license: string };

/** What is known of a list's rules before any request comes. */
type Reader = {
  readonly rules: readonly RuleReader[];
  /** Every name that means something, with the rules that it means something to. */
  readonly known: ReadonlyMap<string, readonly RuleReader[]>;
  readonly licensed: readonly Licensed[];
};

type RuleReader = {
  readonly rule: Rule;
  readonly inputs: readonly (readonly [key: string, input: Input<unknown>])[];
  readonly names: readonly string[];
  /** What the rule says when none of its names is used, in the zone it was last asked for. */
  untouched: (ReadPart & { readonly zone: Zone }) | undefined;
};

const readers = new WeakMap<Listing, Reader>();

function readerOf(listing: Listing): Reader {
  let reader = readers.get(listing);
  if (reader === undefined) {
    const rules = listing.rules.map((rule): RuleReader => {
      const inputs = Object.entries(rule.inputs);
      return { rule, inputs, names: inputs.flatMap(([, { names }]) => names), untouched: undefined };
    });
    const inputs = rules.flatMap((rule) => rule.inputs.map(([, input]) => input));
    reader = {
      rules,
      known: new Map(
        rules.flatMap(({ names }) => names.map((name) => [name, rules.filter((rule) => rule.names.includes(name))])),
      ),
      licensed: inputs.filter((input): input is Licensed => input.license !== undefined),
    };
    readers.set(listing, reader);
  }
  return reader;
}

/** Most rules are not touched by a request; each is asked once what that means. */
function untouched(reader: RuleReader, context: Context): ReadPart {
  if (reader.untouched?.zone !== context.zone) {
    const values = Object.fromEntries(reader.inputs.map(([key, { fallback }]) => [key, fallback]));
    reader.untouched = { names: [], part: reader.rule.part(values, context), zone: context.zone };
  }
  return reader.untouched;
}

/** A name as it was used, and what is told of its value when it is refused. */
type Given = { name: string; text: string };

function told(input: Input<unknown>, texts: readonly string[] = []): string {
  const text = texts.join(", ");
  return text.length <= (input.told ?? text.length) ? text : `${text.slice(0, input.told).toWellFormed()}…`;
}

function readRule(
  { rule, inputs }: RuleReader,
  query: Query,
  context: Context,
  mistakes: Mistake[],
): ReadPart | undefined {
  const values: Record<string, unknown> = {};
  const given = new Map<string, Given>();
  const wrong: Mistake[] = [];
  for (const [key, input] of inputs) {
    const found = readInput(input, query, wrong);
    values[key] = found?.value ?? input.fallback;
    if (found !== undefined) given.set(key, found.given);
  }
  // What is wrong with the values hides nothing that is wrong with their company.
  const clashes = rule.clashes(given);
  const part = wrong.length === 0 && clashes.length === 0 ? rule.part(values, context) : {};
  for (const { input, expected } of [...clashes, ...(part.conflicts ?? [])]) {
    const { name, text } = given.get(input) ?? { name: input, text: "" };
    if (!wrong.some(({ parameter }) => parameter === name)) wrong.push({ parameter: name, given: text, expected });
  }
  mistakes.push(...wrong);
  return wrong.length > 0 ? undefined : { names: [...given.values()].map(({ name }) => name), part };
}

function readInput(
  input: Input<unknown>,
  query: Query,
  mistakes: Mistake[],
): { value: unknown; given: Given } | undefined {
  const found: { value: unknown; given: Given }[] = [];
  let present: Given | undefined;
  for (const name of input.names) {
    const texts = query.get(name);
    const [text] = texts ?? [];
    if (texts === undefined || text === undefined) continue;
    if (texts.length > 1) {
      mistakes.push({ parameter: name, given: told(input, texts), expected: "to be given once" });
      continue;
    }
    const trimmed = text.trim();
    if (input.blank(trimmed)) continue;
    const given = { name, text: told(input, texts) };
    present ??= given;
    const value = input.decode(trimmed);
    if (value === undefined) mistakes.push({ parameter: name, given: given.text, expected: input.expected });
    else found.push({ value, given });
  }
  const [first, second] = found;
  if (first !== undefined && second !== undefined && first.value !== second.value) {
    for (const [one, other] of [
      [first.given, second.given],
      [second.given, first.given],
    ] as const) {
      mistakes.push({
        parameter: one.name,
        given: one.text,
        expected: `the same value as ${other.name}, or only one of them`,
      });
    }
  }
  // A value that is not understood is there all the same.
  return first ?? (present === undefined ? undefined : { value: undefined, given: present });
}

/** The first part that says something decides, save that all conditions hold and all changes are made. */
function combine(listing: Listing, parts: readonly ReadPart[]): { plan: Plan; view: View; cursor?: Cursor } {
  const where: Condition[] = [];
  const filled: string[] = [];
  const changes: Change[] = [];
  let { order, page, size, only, cursor }: Part = {};
  for (const { part } of parts) {
    if (part.where !== undefined) where.push(...part.where);
    if (part.fill !== undefined) filled.push(...part.fill);
    if (part.change !== undefined) changes.push(part.change);
    order ??= part.order;
    page ??= part.page;
    size ??= part.size;
    only ??= part.only;
    cursor ??= part.cursor;
  }
  const newestOf = "newestOf" in listing ? listing.newestOf : undefined;
  const plan: Plan = {
    resource: tableRead(listing),
    where,
    order: order ?? listing.order,
    ...(newestOf === undefined ? {} : { newestOf }),
    ranked: order === undefined && where.some(({ op }) => op === "search"),
    limit: size ?? 1,
    offset: (page ?? 0) * (size ?? 1),
    filled,
  };
  const view = only === undefined ? { changes } : { only, changes };
  return cursor === undefined ? { plan, view } : { plan, view, cursor };
}

/** The same for two requests exactly when they must be answered alike from the same data. */
export function canonical({ listing, plan, list, view }: Understood, format: string): string {
  const { limit, offset, after = 0, filled } = plan;
  const changes = view.changes.map(({ name }) => name);
  const asked = list === undefined ? "" : canonicalList(list);
  return (
    listing.name +
    asked +
    canonicalList(plan) +
    JSON.stringify([limit, offset, after, filled, view.only ?? 0, changes, format])
  );
}
