// Lists of changes since a timestamp: at or after it, oldest first, whatever else is requested.
import type { Parameter } from "../../core/catalog/parameter.ts";
import type { Context } from "../context.ts";
import type { Pair } from "../target.ts";
import { effectOf, parsed, spread } from "../values.ts";
import type { Check } from "./check.ts";

export const deltasCheck: Check = {
  name: "deltas",
  title: "changes since a timestamp are complete and oldest first",
  run: async (context) => {
    const { target, universe } = context;
    const { since, size } = target.resource.intake;
    const times = universe.records.map(({ row }) => Number(row[since.column])).sort((a, b) => a - b);
    const parameters = target.parameters.filter((parameter) => isSince(context, parameter));
    for (const { names } of parameters) {
      for (const time of spread([...new Set(times)], 3)) {
        await context.verify([names[0], String(time)]);
        await context.verify([names[0], String(time + 1)], [size.name, "9"]);
      }
      const middle = times[times.length >> 1];
      if (middle === undefined) continue;
      for (const order of orders(context)) await context.verify([names[0], String(middle)], order);
      for (const page of ["0", "1", "2"])
        await context.verify([names[0], String(middle)], [size.name, "5"], ["page", page]);
    }
  },
};

/** A lower bound of a timestamp that also orders by it. */
function isSince({ target, universe: { zone } }: Context, { names, schema }: Parameter<unknown>): boolean {
  if (schema.maximum !== Number.MAX_SAFE_INTEGER) return false;
  const query = parsed(target, zone, [names[0], "1"]);
  return query?.plan.where.some((each) => each.op === "gte" && each.column === query.plan.order[0]?.column) === true;
}

/** The last value of each parameter that changes the order of a list. */
function orders({ target, universe: { zone } }: Context): Pair[] {
  const usual = parsed(target, zone);
  return target.parameters.flatMap(({ names, valid }): Pair[] => {
    const value = valid.findLast((each) => {
      const query = parsed(target, zone, [names[0], each]);
      return query !== undefined && usual !== undefined && effectOf(query, usual) === "order";
    });
    return value === undefined ? [] : [[names[0], value]];
  });
}
