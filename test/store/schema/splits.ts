// A resource that only tests have, before and after a filter is added to it.

import { anyOf } from "../../../src/core/catalog/common-rules.ts";
import { p } from "../../../src/core/catalog/parameter.ts";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import type { Rule } from "../../../src/core/catalog/rule.ts";
import { decimal, text } from "../../../src/core/catalog/scalar-fields.ts";
import { calendar, calendarIndexes, commonFields } from "../../../src/resources/calendar.ts";
import { catalog } from "../../../src/resources/catalog.ts";

export const splitsBy = (...rules: Rule[]): Resource =>
  calendar({
    name: "stock-splits",
    title: "Stock splits",
    doc: "Stock splits by day, newest first.",
    path: "/api/v2.1/calendar/stock-splits",
    fields: {
      ...commonFields("date", "id", "importance", "ticker", "time", "updated"),
      ratio: decimal("New shares for one old share", { example: "4" }),
      venue: text("Where the shares are listed", { example: "XNAS" }),
    },
    rules,
    indexes: calendarIndexes("importance"),
    countedBy: ["importance"],
  });

/** The one line. */
const byVenue = anyOf(p("venue"), "venue", "Venues", {
  what: "venues",
  normalize: (venue) => venue,
  example: "XNAS,XNYS",
});

export const catalogs = {
  plain: [...catalog, splitsBy()],
  filtered: [...catalog, splitsBy(byVenue)],
} as const satisfies Record<string, readonly Resource[]>;
