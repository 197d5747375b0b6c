// Analysts and firms, by the identifiers that ratings can be filtered by.

import { pageNumber, size } from "../../core/catalog/common-rules.ts";
import { type Extension, extension } from "../../core/catalog/extension.ts";
import { fieldOf } from "../../core/catalog/resource.ts";
import { oldestFirst } from "../../core/query/plan.ts";
import type { Row, WireRecord } from "../../core/record/row.ts";
import { ratings } from "../ratings.ts";

type Source = Pick<Extension, "title" | "doc"> & {
  /** Last path segment, and key of the response. */
  readonly key: string;
  /** Attribute → field of the rating. */
  readonly shown: Readonly<Record<"id", string> & Record<string, string>>;
};

/** One entry per identifier, from its latest rating. */
function ratingSources({ key, shown, ...texts }: Source): Extension {
  const names = Object.keys(shown).sort();
  const each = <T>(map: (field: string) => T): Record<string, T> =>
    Object.fromEntries(names.map((name) => [name, map(shown[name] ?? name)]));
  return extension({
    ...texts,
    name: `ratings-${key}`,
    path: `${ratings.path}/${key}`,
    envelope: { key },
    fields: each((name) => fieldOf(ratings, name)),
    order: oldestFirst("id"),
    table: ratings,
    latestPer: { column: shown.id },
    rules: [pageNumber, size("pagesize", 1000, 50)],
    toResponse: (rows) => rows.map((row: Row): WireRecord => each((name) => row[name] ?? "")),
    resources: [ratings.name],
    versions: [ratings.name],
    notes: ["Ratings without the identifier are skipped. Attributes are those of the latest rating."],
  });
}

export const analysts = ratingSources({
  key: "analysts",
  title: "Analysts",
  doc: "Analysts (persons) who issued ratings, by identifier, each with the firm of the newest rating.",
  shown: { firm_id: "firm_id", firm_name: "analyst", id: "analyst_id", name_full: "analyst_name" },
});

export const firms = ratingSources({
  key: "firms",
  title: "Analyst firms",
  doc: "Firms whose analysts issued ratings, by identifier.",
  shown: { id: "firm_id", name: "analyst" },
});
