// Who stands behind the ratings: analysts and firms, each by the identifier that ratings are asked by.

import { pageNumber, size } from "../../core/catalog/common-rules.ts";
import { type Extension, extension } from "../../core/catalog/extension.ts";
import { fieldOf } from "../../core/catalog/resource.ts";
import { oldestFirst } from "../../core/query/plan.ts";
import type { Row, WireRecord } from "../../core/record/row.ts";
import { ratings } from "../ratings.ts";

type Behind = Pick<Extension, "title" | "doc"> & {
  /** The last segment of the path, and the key of the answer. */
  readonly key: string;
  /** For each attribute, the rating's own that it is told by; the identifier is called id. */
  readonly shown: Readonly<Record<"id", string> & Record<string, string>>;
};

/** One line for each identifier, as the newest rating that has it tells. */
function behindRatings({ key, shown, ...words }: Behind): Extension {
  const names = Object.keys(shown).sort();
  const each = <T>(tell: (field: string) => T): Record<string, T> =>
    Object.fromEntries(names.map((name) => [name, tell(shown[name] ?? name)]));
  return extension({
    ...words,
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
    notes: ["Ratings without the identifier name nobody and are left out. Of several ratings the newest is believed."],
  });
}

export const analysts = behindRatings({
  key: "analysts",
  title: "Analysts",
  doc: "Analysts (persons) who gave ratings, by identifier, each with the firm of the newest rating.",
  shown: { firm_id: "firm_id", firm_name: "analyst", id: "analyst_id", name_full: "analyst_name" },
});

export const firms = behindRatings({
  key: "firms",
  title: "Analyst firms",
  doc: "Firms whose analysts gave ratings, by identifier.",
  shown: { id: "firm_id", name: "analyst" },
});
