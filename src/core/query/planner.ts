// Request parameters → a plan and a view of its records, or all parameter errors at once.

import { type Listing, tableOf } from "../catalog/extension.ts";
import type { Parameter } from "../catalog/parameter.ts";
import type { Context, ParameterMap, PlanPart, Rule, Transform, Values } from "../catalog/rule.ts";
import { type Format, formatOf, isUnknownIn } from "../output/format.ts";
import type { ParameterError } from "../problem.ts";
import type { Zone } from "../value/time-zone.ts";
import { type Cursor, cursorParameter, positionIn } from "./cursor.ts";
import { echo, formatErrors, sizeErrors } from "./parameter-errors.ts";
import { type Condition, listKey, type Plan } from "./plan.ts";
import type { Query } from "./query-string.ts";

/** How records are rendered, beyond what the plan reads. */
export type View = { readonly selectedFields?: readonly string[]; readonly transforms: readonly Transform[] };

export type ParsedQuery = {
  /** Its rules were applied, and the response has its form. */
  readonly listing: Listing;
  readonly plan: Plan;
  /** The plan before the key's visibility restricted it. Cursors belong to it. */
  readonly requested?: Plan;
  readonly view: View;
  readonly format: Format;
  readonly alarmMinutes?: number;
  /** Whether the plan is for an export, which is streamed. */
  readonly isExport: boolean;
  /** Unknown parameter names, reported so that typos are visible. */
  readonly ignored: readonly string[];
  /** For `explain`. */
  readonly parts: readonly AppliedRule[];
};

type QueryResult =
  | { readonly ok: ParsedQuery }
  | { readonly errors: readonly ParameterError[]; readonly ignored: ParsedQuery["ignored"] };

/** `accepted` is the format if no parameter selects one. */
export function parseListQuery(
  listing: Listing,
  query: Query,
  context: Context,
  accepted: Format = "json",
): QueryResult {
  const errors: ParameterError[] = [];
  const parts: AppliedRule[] = [];
  const { rules, byName } = compiledRules(listing);
  const ignored: string[] = [];
  const used: CompiledRule[] = [];
  const format = formatOf(query, listing, accepted);
  for (const name of query.keys()) {
    const users = byName
      .get(name)
      ?.filter(({ parameters }) => !parameters.every(([, each]) => isUnknownIn(format, each)));
    if (users === undefined || users.length === 0) ignored.push(name);
    else used.push(...users);
  }
  for (const each of rules) {
    const part = used.includes(each) ? applyRule(each, query, context, errors) : defaultPart(each, context);
    if (part !== undefined) parts.push(part);
  }
  const { cursor, plan, ...combined } = combine(listing, parts, format);
  const parameters = used.flatMap((each) => each.parameters.map(([, parameter]) => parameter));
  errors.push(...formatErrors(parameters, query, format, errors), ...sizeErrors(parts, query));
  if (errors.length > 0) return { errors, ignored };
  const after = cursor && positionIn(plan, cursor);
  if (cursor === undefined || after !== undefined) {
    const continued = after === undefined ? plan : { ...plan, after };
    return { ok: { listing, plan: continued, ...combined, ignored, parts } };
  }
  const { names, expected } = cursorParameter;
  return { errors: [{ parameter: names[0], given: echo(cursorParameter, query.get(names[0])), expected }], ignored };
}

/** Parameters of endpoints without a plan. The values are valid only if there are no errors. */
export function parseParameters<P extends ParameterMap>(
  parameters: P,
  query: Query,
): { readonly values: Values<P>; readonly errors: readonly ParameterError[]; readonly ignored: readonly string[] } {
  const errors: ParameterError[] = [];
  const entries = Object.entries(parameters);
  const values = entries.map(([key, each]) => [key, parseParameter(each, query, errors)?.value ?? each.fallback]);
  const known = new Set(entries.flatMap(([, { names }]) => names));
  const ignored = [...query.keys()].filter((name) => !known.has(name));
  return { values: Object.fromEntries(values) as Values<P>, errors, ignored };
}

/** Licenses that this request needs, each with the parameter that requires it. */
export function licensesOf(listing: Listing, query: Query): { license: string; parameter: string }[] {
  const needed: { license: string; parameter: string }[] = [];
  for (const { license, names, isBlank } of compiledRules(listing).licensed) {
    const parameter = names.find((name) => query.get(name)?.some((text) => !isBlank(text.trim())));
    if (parameter !== undefined) needed.push({ license, parameter });
  }
  return needed;
}

export type AppliedRule = { readonly names: readonly string[]; readonly part: PlanPart };
type Licensed = Parameter<unknown> & { readonly license: string };

/** What is known about the rules of a list before any request. */
type CompiledRules = {
  readonly rules: readonly CompiledRule[];
  /** Every known parameter name, with the rules that use it. */
  readonly byName: ReadonlyMap<string, readonly CompiledRule[]>;
  readonly licensed: readonly Licensed[];
};

type CompiledRule = {
  readonly rule: Rule;
  readonly parameters: readonly (readonly [key: string, parameter: Parameter<unknown>])[];
  readonly names: readonly string[];
  /** The result of the rule without parameters, for the last time zone used. */
  defaultPart: (AppliedRule & { readonly zone: Zone }) | undefined;
};

const compiled = new WeakMap<Listing, CompiledRules>();

function compiledRules(listing: Listing): CompiledRules {
  const known = compiled.get(listing);
  if (known !== undefined) return known;
  const rules = listing.rules.map((rule): CompiledRule => {
    const parameters = Object.entries(rule.parameters);
    return { rule, parameters, names: parameters.flatMap(([, { names }]) => names), defaultPart: undefined };
  });
  const parameters = rules.flatMap((rule) => rule.parameters.map(([, parameter]) => parameter));
  const result: CompiledRules = {
    rules,
    byName: new Map(
      rules.flatMap(({ names }) => names.map((name) => [name, rules.filter((rule) => rule.names.includes(name))])),
    ),
    licensed: parameters.filter((parameter): parameter is Licensed => parameter.license !== undefined),
  };
  compiled.set(listing, result);
  return result;
}

/** A request uses few of the rules; the result of the others is cached. */
function defaultPart(compiled: CompiledRule, context: Context): AppliedRule {
  if (compiled.defaultPart?.zone !== context.zone) {
    const values = Object.fromEntries(compiled.parameters.map(([key, { fallback }]) => [key, fallback]));
    compiled.defaultPart = { names: [], part: compiled.rule.part(values, context), zone: context.zone };
  }
  return compiled.defaultPart;
}

/** A parameter name as it was sent, and its value as errors echo it. */
type Received = { name: string; text: string };

function applyRule(
  { rule, parameters }: CompiledRule,
  query: Query,
  context: Context,
  errors: ParameterError[],
): AppliedRule | undefined {
  const values: Record<string, unknown> = {};
  const received = new Map<string, Received>();
  const own: ParameterError[] = [];
  for (const [key, parameter] of parameters) {
    const found = parseParameter(parameter, query, own);
    values[key] = found?.value ?? parameter.fallback;
    if (found !== undefined) received.set(key, found.received);
  }
  // Conflicts are reported even if values are invalid.
  const conflicts = rule.presenceConflicts(received);
  const part = own.length === 0 && conflicts.length === 0 ? rule.part(values, context) : {};
  for (const { parameter, expected } of [...conflicts, ...(part.conflicts ?? [])]) {
    const { name, text } = received.get(parameter) ?? { name: parameter, text: "" };
    if (!own.some((error) => error.parameter === name)) own.push({ parameter: name, given: text, expected });
  }
  errors.push(...own);
  return own.length > 0 ? undefined : { names: [...received.values()].map(({ name }) => name), part };
}

function parseParameter(
  parameter: Parameter<unknown>,
  query: Query,
  errors: ParameterError[],
): { value: unknown; received: Received } | undefined {
  const found: { value: unknown; received: Received }[] = [];
  let present: Received | undefined;
  for (const name of parameter.names) {
    const texts = query.get(name);
    const [text] = texts ?? [];
    if (texts === undefined || text === undefined) continue;
    if (texts.length > 1) {
      errors.push({ parameter: name, given: echo(parameter, texts), expected: "to be sent once" });
      continue;
    }
    const trimmed = text.trim();
    if (parameter.isBlank(trimmed)) continue;
    const received = { name, text: echo(parameter, texts) };
    present ??= received;
    const value = parameter.parse(trimmed);
    if (value === undefined) errors.push({ parameter: name, given: received.text, expected: parameter.expected });
    else found.push({ value, received });
  }
  const [first, second] = found;
  if (first !== undefined && second !== undefined && first.value !== second.value) {
    for (const [{ received }, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const expected = `the same value as ${other.received.name}, or only one of them`;
      errors.push({ parameter: received.name, given: received.text, expected });
    }
  }
  // An invalid value still counts as present.
  return first ?? (present === undefined ? undefined : { value: undefined, received: present });
}

type Combined = Pick<ParsedQuery, "plan" | "view" | "format" | "alarmMinutes" | "isExport"> & {
  readonly cursor?: Cursor;
};

/** All conditions and transforms apply; of everything else, the first part that specifies it wins. */
function combine(listing: Listing, parts: readonly AppliedRule[], format: Format): Combined {
  const where: Condition[] = [];
  const include: string[] = [];
  const transforms: Transform[] = [];
  let { order, page, size, selectedFields, cursor, alarmMinutes, exportSize }: PlanPart = {};
  for (const { part } of parts) {
    if (part.where !== undefined) where.push(...part.where);
    if (part.include !== undefined) include.push(...part.include);
    if (part.transform !== undefined) transforms.push(part.transform);
    order ??= part.order;
    page ??= part.page;
    size ??= part.size;
    selectedFields ??= part.selectedFields;
    cursor ??= part.cursor;
    alarmMinutes ??= part.alarmMinutes;
    exportSize ??= part.exportSize;
  }
  const latestPer = "latestPer" in listing ? listing.latestPer : undefined;
  const limit = exportSize ?? size ?? 1;
  const plan: Plan = {
    resource: tableOf(listing),
    where: latestPer === undefined ? where : [],
    order: order ?? listing.order,
    ...(latestPer === undefined ? {} : { latestPer }),
    ...(latestPer === undefined || where.length === 0 ? {} : { having: where }),
    ranked: order === undefined && where.some(({ op }) => op === "search"),
    limit,
    offset: (page ?? 0) * limit,
    include,
  };
  const view = selectedFields === undefined ? { transforms } : { selectedFields, transforms };
  return {
    plan,
    view,
    format,
    isExport: exportSize !== undefined,
    ...(cursor === undefined ? {} : { cursor }),
    ...(alarmMinutes === undefined ? {} : { alarmMinutes }),
  };
}

/** Equal for two requests if and only if they have the same response for the same data. */
export function canonicalKey({ listing, plan, requested, view, format, alarmMinutes }: ParsedQuery): string {
  const { limit, offset, after = 0, include } = plan;
  const transforms = view.transforms.map(({ name }) => name);
  return (
    listing.name +
    (requested === undefined ? "" : listKey(requested)) +
    listKey(plan) +
    JSON.stringify([limit, offset, after, include, view.selectedFields ?? 0, transforms, format, alarmMinutes])
  );
}
