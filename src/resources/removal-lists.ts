// Paths and rules of the lists of removed records, for the lists and for mirrors that follow them.

import { since, size } from "../core/catalog/common-rules.ts";
import type { RemovalList } from "../core/catalog/intake.ts";
import { type Names, p } from "../core/catalog/parameter.ts";

export type OrderedRemovals = RemovalList & {
  /** Order of records that were removed in the same second. */
  readonly ties: readonly string[];
};

const removals = (path: string, names: Names, ties: readonly string[]): OrderedRemovals => ({
  path,
  size: size("pageSize", 1000, 100),
  since: since(
    names,
    "updated",
    "Records removed at or after this time (Unix seconds, UTC), oldest removal first",
    ties,
  ),
  ties,
});

export const newsRemovals = removals("/api/v2/news-removed", "updatedSince", ["id"]);

export const calendarRemovals = removals("/api/v2.1/calendar-removed", [p("updated"), "updated"], ["type", "id"]);
