// Rewrites the query of a lenient client to documented names and values, and reports what was changed.

import { type CompatList, queryParameters, rulesFor, type ValueRule } from "../catalog/compat.ts";
import type { Parameter } from "../catalog/parameter.ts";
import type { Query } from "./query-string.ts";

export type Adjustment = { readonly name: string; readonly value: string };

type RewrittenQuery = {
  readonly query: Query;
  /** Parameters whose value was changed. */
  readonly adjusted: readonly Adjustment[];
  /** Aliases without effect: the parameter was also sent by another name, or the value has no counterpart. */
  readonly ignored: readonly string[];
};

export function rewriteQuery(list: CompatList, sent: Query): RewrittenQuery {
  const { byName, byKey } = namesOf(list);
  const query = new Map<string, readonly string[]>();
  const adjusted: Adjustment[] = [];
  const ignored: string[] = [];
  const rewrite = (name: string, { parameter, rules }: Target, texts: readonly string[]): void => {
    const values = texts.map((text) => rewritten(text, parameter, rules));
    query.set(name, values);
    values.forEach((value, index) => {
      if (value !== texts[index]?.trim()) adjusted.push({ name, value });
    });
  };
  for (const [name, texts] of sent) {
    const target = byName.get(name);
    if (target === undefined) query.set(name, texts);
    else rewrite(name, target, texts);
  }
  // Documented names come first, so that an alias never replaces one.
  for (const [name, texts] of sent) {
    const target = byName.has(name) ? undefined : byKey.get(keyOf(name));
    if (target === undefined) continue;
    query.delete(name);
    const { parameter, accepts } = target;
    const isSent = parameter.names.some((each) => !isBlank(parameter, query.get(each)));
    if (isBlank(parameter, texts)) continue;
    if (isSent || (accepts !== undefined && !texts.every((text) => accepts.includes(text.trim())))) ignored.push(name);
    else rewrite(parameter.names[0], target, texts);
  }
  return { query, adjusted, ignored };
}

/** Values by which clients of other implementations mean something different from what they mean without the switch. */
export function hintsFor(list: CompatList, query: Query): readonly Adjustment[] {
  const { byName } = namesOf(list);
  return [...query].flatMap(([name, texts]) => {
    const { parameter, hints } = byName.get(name) ?? {};
    if (parameter === undefined || hints === undefined || hints.length === 0) return [];
    return texts.flatMap((text) => {
      const value = rewritten(text, parameter, hints);
      return value === text.trim() ? [] : [{ name, value }];
    });
  });
}

type Target = {
  readonly parameter: Parameter<unknown>;
  readonly rules: readonly ValueRule[];
  readonly hints: readonly ValueRule[];
  readonly accepts?: readonly string[];
};

type Names = {
  readonly byName: ReadonlyMap<string, Target>;
  /** Aliases by the form in which names are compared. */
  readonly byKey: ReadonlyMap<string, Target>;
};

const known = new WeakMap<CompatList, Names>();

function namesOf(list: CompatList): Names {
  let names = known.get(list);
  if (names === undefined) {
    names = makeNames(list);
    known.set(list, names);
  }
  return names;
}

function makeNames(list: CompatList): Names {
  const targets = queryParameters(list.variant).map((parameter): Target => {
    const rules = rulesFor(list, parameter);
    return { parameter, rules, hints: rules.filter(({ isHint }) => isHint === true) };
  });
  const byName = new Map(targets.flatMap((each) => each.parameter.names.map((name) => [name, each])));
  const groups = Map.groupBy(byName, ([name]) => keyOf(name));
  const byKey = new Map<string, Target>();
  for (const [key, [first, ...others]] of groups) {
    // A key of two parameters is ambiguous.
    if (first !== undefined && others.every(([, each]) => each === first[1])) byKey.set(key, first[1]);
  }
  for (const { name, parameter, accepts } of list.aliases) {
    const target = byName.get(parameter);
    if (target === undefined) throw new Error(`${list.listing.name} has no parameter ${parameter} for ${name}`);
    byKey.set(keyOf(name), accepts === undefined ? target : { ...target, accepts });
  }
  return { byName, byKey };
}

/** Equal for `page_size`, `pageSize`, and `parameters[pagesize]`. */
const keyOf = (name: string): string =>
  name
    .replace(/^parameters\[(.*)\]$/i, "$1")
    .replace(/[_-]/g, "")
    .toLowerCase();

const isBlank = (parameter: Parameter<unknown>, texts: readonly string[] = []): boolean =>
  texts.every((text) => parameter.isBlank(text.trim()));

const rewritten = (text: string, parameter: Parameter<unknown>, rules: readonly ValueRule[]): string =>
  rules.reduce((value, { rewrite }) => rewrite(value, parameter), text.trim());
