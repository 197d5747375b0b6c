// A filtered list is the filter applied to the whole list.
import type { Parameter } from "../../core/catalog/parameter.ts";
import type { Rule } from "../../core/catalog/rule.ts";
import type { WireRecord } from "../../core/record/row.ts";
import { canonical } from "../compare.ts";
import type { Context } from "../context.ts";
import { isVisible } from "../hidden.ts";
import { type Pair, recordsIn } from "../target.ts";
import { candidates, effectOf, isList, parsed, spread, valuesInRecords } from "../values.ts";
import type { Check } from "./check.ts";

export const filtersCheck: Check = {
  name: "filters",
  title: "a filtered list is the filter applied to the whole list",
  run: async (context) => {
    const { target, universe } = context;
    const among = candidates(universe);
    const found: Pair[] = [];
    for (const parameter of target.parameters) {
      const [name] = parameter.names;
      if (!(await isUsable(context, parameter))) continue;
      const values = valuesInRecords(target, universe, parameter, among);
      for (const value of values) await context.verify([name, value]);
      const [first, second] = values;
      if (first !== undefined)
        found.push([name, isList(parameter) && second !== undefined ? `${first},${second}` : first]);
      await checkForms(context, parameter, values);
      if (values.length === 0) await checkOthers(context, parameter);
      await checkNothing(context, parameter);
    }
    await checkTogether(context, found);
    for (const rule of target.rules) await checkRule(context, rule, found);
  },
};

/** Filters that need a license are checked if the key has it. */
async function isUsable({ session, target }: Context, { license, names, valid }: Parameter<unknown>): Promise<boolean> {
  if (license === undefined) return true;
  const { status } = await session.send({ url: `${target.path}?${names[0]}=${encodeURIComponent(valid[0] ?? "")}` });
  return status !== 403;
}

/** Other forms of the same values: several in a list, in another case, with spaces. */
async function checkForms(context: Context, parameter: Parameter<unknown>, values: readonly string[]): Promise<void> {
  const { target, universe } = context;
  const [name] = parameter.names;
  const [value] = values;
  if (value === undefined) return;
  if (isList(parameter)) await context.verify([name, ` ${values.join(" , ")},,${value}`]);
  const plain = parsed(target, universe.zone, [name, value]);
  const other = value === value.toLowerCase() ? value.toUpperCase() : value.toLowerCase();
  const same = other === value ? undefined : parsed(target, universe.zone, [name, other]);
  if (JSON.stringify(same?.plan.where) === JSON.stringify(plain?.plan.where)) await context.verify([name, other]);
}

const fewWords = 12;

/** A name that nothing has. */
const nobody = "Nobody 7Q";

async function checkNothing(context: Context, parameter: Parameter<unknown>): Promise<void> {
  const { target, universe } = context;
  const pair: Pair = [parameter.names[0], nobody];
  const [query, usual] = [parsed(target, universe.zone, pair), parsed(target, universe.zone)];
  if (query !== undefined && usual !== undefined && effectOf(query, usual) === "records")
    await context.verifyNothing(pair);
}

/**
 * Values that aren't in the known records, because no response shows them or because no record has them. Of a closed set
 * of hidden values, no record may have two.
 */
async function checkOthers(context: Context, parameter: Parameter<unknown>): Promise<void> {
  const { target, universe } = context;
  const [name] = parameter.names;
  const usual = parsed(target, universe.zone);
  const words = (parameter.schema.enum ?? []) as readonly string[];
  const values = words.length > 0 && words.length <= fewWords ? words : parameter.valid.slice(0, 1);
  const seen = new Map<string, string>();
  for (const value of values) {
    const query = parsed(target, universe.zone, [name, value]);
    if (query === undefined || usual === undefined || effectOf(query, usual) !== "records") continue;
    const mayOverlap = words.length === 0 || isVisible(target.resource, query.plan, universe.records);
    const size: Pair = [target.resource.intake.size.name, "100"];
    const exchange = await context.verify([name, value], size);
    for (const record of recordsIn(target.envelope, exchange.json) ?? []) {
      const other = mayOverlap ? undefined : seen.get(idOf(record));
      seen.set(idOf(record), value);
      if (other === undefined || other === value) continue;
      return context.report(exchange.request, `record ${idOf(record)} matches both ${other} and ${value}`);
    }
  }
}

const idOf = (record: WireRecord): string => canonical(record.id);

/** Two filters at once, each with the next. */
async function checkTogether(context: Context, found: readonly Pair[]): Promise<void> {
  for (const [at, pair] of found.entries()) {
    const next = found[(at + 1) % found.length];
    if (next !== undefined && next[0] !== pair[0]) await context.verify(pair, next);
  }
}

/** Parameters that mean something only together, such as a bound and how it is compared. */
async function checkRule(context: Context, { parameters }: Rule, found: readonly Pair[]): Promise<void> {
  const all: Parameter<unknown>[] = Object.values(parameters);
  const pair = found.find(([name]) => all.some(({ names }) => names[0] === name));
  if (pair === undefined) return;
  for (const { names, schema } of all) {
    const words = (schema.enum ?? []) as readonly string[];
    if (names[0] === pair[0]) continue;
    for (const word of spread(words, fewWords)) await context.verify(pair, [names[0], word]);
  }
}
