// The compatibility table: what `--compat` adds to each list, for clients of other implementations of the interface.

import type { Alias, CompatList, CompatPath, CompatTable } from "../../core/catalog/compat.ts";
import { hasPathParameters, type Listing } from "../../core/catalog/extension.ts";
import { catalog } from "../catalog.ts";
import { extensions } from "../lists/extensions.ts";
import { importances, news } from "../news.ts";
import { variant, variants } from "./lists.ts";
import { valueRules } from "./values.ts";

const versions = ["/api/v1", "/api/v2", "/api/v2.1", "/api/v2.2"];

/** Calendars in every version of the interface; those of the catalog also where the web page shows them. */
function pathsOf(listing: Listing): CompatPath[] {
  const calendarPath = /^\/api\/[^/]+(\/calendar\/.+)$/.exec(listing.path)?.[1];
  if (calendarPath === undefined || hasPathParameters(listing)) return [];
  return [
    ...versions.map((version) => ({ path: `${version}${calendarPath}`, isPage: false })),
    { path: calendarPath, isPage: true },
  ].filter(({ path }) => path !== listing.path);
}

/** Names that are no other form of a documented one. */
const aliases = new Map<Listing, readonly Alias[]>([
  [
    news,
    [
      { name: "isins", parameter: "isin" },
      { name: "importanceRank", parameter: "importance", accepts: importances },
    ],
  ],
]);

export const compatTable: CompatTable = new Map(
  [...catalog, ...extensions].map((listing): [Listing, CompatList] => [
    listing,
    {
      listing,
      variant: new Map(variants).get(listing) ?? variant(listing),
      paths: pathsOf(listing),
      aliases: aliases.get(listing) ?? [],
      values: valueRules,
    },
  ]),
);
