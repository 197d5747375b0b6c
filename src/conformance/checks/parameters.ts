// Values and names of parameters: valid ones are accepted in every spelling, invalid ones are all reported.
import type { Parameter } from "../../core/catalog/parameter.ts";
import type { Context } from "../context.ts";
import { type Pair, queryText } from "../target.ts";
import { parsed, spread } from "../values.ts";
import type { Check } from "./check.ts";

const perParameter = 3;

/** Without those that the key may not be allowed to use. */
const freeParameters = ({ target }: Context): Parameter<unknown>[] =>
  target.parameters.filter(({ license }) => license === undefined);

export const limitsCheck: Check = {
  name: "limits",
  title: "values at the limits are accepted, values beyond them rejected",
  run: async (context) => {
    for (const { names, valid, invalid } of freeParameters(context)) {
      for (const value of [...spread(valid, perParameter), ...spread(invalid, perParameter)])
        await context.verify([names[0], value]);
    }
  },
};

export const errorsCheck: Check = {
  name: "errors",
  title: "every invalid parameter of a request is reported at once",
  run: async (context) => {
    const invalid = freeParameters(context).filter((each) => each.invalid.length > 0);
    for (const at of [0, 2]) {
      const pairs = invalid.map(({ names, invalid }): Pair => [names[0], invalid[at] ?? invalid[0] ?? ""]);
      await context.verifyQuery(queryText(pairs));
    }
    await checkConflicts(context);
    const [repeated] = context.target.parameters;
    const pair: Pair = [repeated?.names[0] ?? "", repeated?.valid[0] ?? ""];
    await context.verifyQuery(queryText([pair, pair]));
  },
};

/** Values that are valid alone but not together. */
async function checkConflicts(context: Context): Promise<void> {
  const { target, universe } = context;
  const pairs = freeParameters(context).map(({ names, valid }): Pair => [names[0], valid[0] ?? ""]);
  const valid = pairs.filter((pair) => parsed(target, universe.zone, pair) !== undefined);
  for (const [at, one] of valid.entries()) {
    for (const other of valid.slice(at + 1)) {
      if (parsed(target, universe.zone, one, other) === undefined) await context.verifyQuery(queryText([one, other]));
    }
  }
}

export const spellingsCheck: Check = {
  name: "spellings",
  title: "parameters are accepted in every spelling, empty and unknown ones ignored",
  run: async (context) => {
    const { target, universe, isStrict } = context;
    const { size, days } = target.resource.intake;
    const small = `${size.name}=6`;
    const day = lastDay(context);
    const sizes = target.parameters.find(({ names }) => names.includes(size.name))?.names ?? [];
    for (const name of sizes) await context.verifyQuery(`${name}=6`);
    await context.verifyQuery(`${encodeURIComponent(days.to)}=${day}&${small}`);
    await context.verifyQuery(`${small}&${days.to}=${day}`);
    await context.verifyQuery(`${size.name}=+6%20`);
    const others = target.parameters.filter(({ names }) => names[0] !== size.name);
    await context.verifyQuery([small, ...others.map(({ names }) => `${encodeURIComponent(names[0])}=`)].join("&"));
    await context.verifyQuery(small, `${target.path}/`);
    for (const path of target.otherPaths) await context.verifyQuery(small, path);
    await checkUnknown(context, small);
    if (isStrict) return;
    // Values that only a lenient server accepts.
    for (const value of ["100000", String(size.max + 1)]) await context.verify([size.name, value]);
    await context.verifyQuery(`${small}&page=-1`);
    if (universe.records.length > 0) await context.verifyQuery(`${small}&${days.to}=${day}T09:30:00Z`);
  },
};

/** A day on or after all known records but the first ones, so that the response is known. */
function lastDay({ target, universe }: Context): string {
  const { days } = target.resource.intake;
  const known = universe.records.at(universe.records.length >> 2)?.wire[days.column];
  return /^\d{4}-\d\d-\d\d$/.test(String(known)) ? String(known) : "2099-12-31";
}

async function checkUnknown(context: Context, small: string): Promise<void> {
  const exchange = await context.verifyQuery(`${small}&no_such_parameter=1`);
  const ignored = exchange.headers.get("x-ignored-parameters");
  if (context.isStrict && exchange.status === 200 && !(ignored ?? "").includes("no_such_parameter"))
    context.report(exchange.request, "an unknown parameter isn't listed in X-Ignored-Parameters", {
      received: ignored ?? "no such header",
    });
}
