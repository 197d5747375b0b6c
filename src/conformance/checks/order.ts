// Lists are in the specified order, in every order that can be requested.
import type { Context } from "../context.ts";
import { effectOf, parsed } from "../values.ts";
import type { Check } from "./check.ts";

export const orderCheck: Check = {
  name: "order",
  title: "lists are in the specified order",
  run: async (context) => {
    const { target, universe } = context;
    await context.verify();
    const usual = parsed(target, universe.zone);
    for (const { names, valid } of target.parameters) {
      for (const value of valid) {
        const query = parsed(target, universe.zone, [names[0], value]);
        if (query === undefined || usual === undefined || effectOf(query, usual) !== "order") continue;
        await context.verify([names[0], value]);
        await context.verify([names[0], value], ...smallPage(context));
      }
    }
  },
};

/** A page from the middle of the list. */
const smallPage = ({ target }: Context): [string, string][] => [
  [target.resource.intake.size.name, "7"],
  ["page", "2"],
];
