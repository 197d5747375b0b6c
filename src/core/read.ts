// A request's parameters → a plan and a view of its records, or every mistake in them at once.
import type { Input } from "./input.ts";
import type { Condition, Order, Plan } from "./plan.ts";
import type { Mistake } from "./problem.ts";
import type { Query } from "./query.ts";
import type { Resource } from "./resource.ts";
import type { Change, Context, Part, Rule } from "./rule.ts";

/** What is done to records on their way out, beyond what the plan reads. */
export type View = { readonly only?: readonly string[]; readonly changes: readonly Change[] };

export type Understood = {
  readonly plan: Plan;
  readonly view: View;
  /** Names that mean nothing here, so that a typo is visible. */
  readonly ignored: readonly string[];
  /** What each rule made of the request, for `explain`. */
  readonly parts: readonly { readonly names: readonly string[]; readonly part: Part }[];
};

export type Reading = { readonly ok: Understood } | { readonly mistakes: readonly Mistake[] };

export function read(resource: Resource, query: Query, context: Context): Reading {
  const mistakes: Mistake[] = [];
  const parts: { names: readonly string[]; part: Part }[] = [];
  const known = new Set<string>();
  for (const rule of resource.rules) {
    for (const input of Object.values(rule.inputs)) for (const name of input.names) known.add(name);
    const part = readRule(rule, query, context, mistakes);
    if (part !== undefined) parts.push(part);
  }
  if (mistakes.length > 0) return { mistakes };
  const ignored = [...query.keys()].filter((name) => !known.has(name));
  const { plan, view } = combine(
    resource,
    parts.map(({ part }) => part),
  );
  return { ok: { plan, view, ignored, parts } };
}

/** Licenses that the parameters of this request need, with the parameter that needs each. */
export function licensesOf(resource: Resource, query: Query): { license: string; parameter: string }[] {
  return resource.rules
    .flatMap((rule) => Object.values(rule.inputs))
    .flatMap(({ license, names, blank }) => {
      const used = names.find((name) => query.get(name)?.some((text) => !blank(text.trim())));
      return license === undefined || used === undefined ? [] : [{ license, parameter: used }];
    });
}

type Given = { name: string; text: string };

function readRule(rule: Rule, query: Query, context: Context, mistakes: Mistake[]) {
  const values: Record<string, unknown> = {};
  const given = new Map<string, Given>();
  const wrong: Mistake[] = [];
  for (const [key, input] of Object.entries(rule.inputs)) {
    const found = readInput(input, query, wrong);
    values[key] = found?.value ?? input.fallback;
    if (found !== undefined) given.set(key, found.given);
  }
  // What is wrong with the values hides nothing that is wrong with their company.
  const clashes = rule.clashes(new Set(given.keys()));
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
      mistakes.push({ parameter: name, given: texts.join(", "), expected: "to be given once" });
      continue;
    }
    const trimmed = text.trim();
    if (input.blank(trimmed)) continue;
    present ??= { name, text };
    const value = input.decode(trimmed);
    if (value === undefined) mistakes.push({ parameter: name, given: text, expected: input.expected });
    else found.push({ value, given: { name, text } });
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

function combine(resource: Resource, parts: readonly Part[]): { plan: Plan; view: View } {
  const where: Condition[] = parts.flatMap((part) => part.where ?? []);
  const order: readonly Order[] | undefined = parts.find((part) => part.order !== undefined)?.order;
  const page = parts.find((part) => part.page !== undefined)?.page ?? 0;
  const size = parts.find((part) => part.size !== undefined)?.size ?? 1;
  const only = parts.find((part) => part.only !== undefined)?.only;
  const plan: Plan = {
    resource,
    where,
    order: order ?? resource.order,
    ranked: order === undefined && where.some(({ op }) => op === "search"),
    limit: size,
    offset: page * size,
    filled: parts.flatMap((part) => part.fill ?? []),
  };
  const changes = parts.flatMap((part) => (part.change === undefined ? [] : [part.change]));
  return { plan, view: only === undefined ? { changes } : { only, changes } };
}

/** The same for two requests exactly when they must be answered alike from the same data. */
export function canonical({ plan, view }: Pick<Understood, "plan" | "view">, format: string): string {
  const { resource, where, order, ranked, limit, offset, filled } = plan;
  const changes = view.changes.map(({ name }) => name);
  return JSON.stringify([resource.name, where, order, ranked, limit, offset, filled, view.only ?? 0, changes, format]);
}
