// Parameters that change what is shown of a record, not which records there are.
import type { Context } from "../context.ts";
import { effectOf, parsed, spread } from "../values.ts";
import type { Check } from "./check.ts";

export const viewsCheck: Check = {
  name: "views",
  title: "records are shown as requested",
  run: async (context) => {
    const { target, universe } = context;
    const usual = parsed(target, universe.zone);
    for (const { names, valid } of target.parameters) {
      const values = [...new Set([...valid, ...fieldNames(context)])].filter((value) => {
        const query = parsed(target, universe.zone, [names[0], value]);
        return query !== undefined && usual !== undefined && effectOf(query, usual) === "view";
      });
      for (const value of spread(values, 8)) await context.verify([names[0], value], ...full(context, names[0]));
    }
  },
};

/** With everything shown, so that a transformation has something to transform. */
const full = ({ target }: Context, except: string): [string, string][] =>
  Object.entries(target.resource.intake.unfiltered).filter(([name]) => name !== except);

/** For parameters that select fields. */
const fieldNames = ({ target }: Context): string[] => [
  "*",
  ...Object.keys(target.resource.fields).filter((name) => target.resource.fields[name]?.shown !== "never"),
];
