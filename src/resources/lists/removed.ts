// Lists of removed records, for clients that maintain a copy: one of news, and one of all calendars.

import { choice, page } from "../../core/catalog/common-rules.ts";
import { type Extension, extension, standaloneTable } from "../../core/catalog/extension.ts";
import { fieldOf } from "../../core/catalog/resource.ts";
import type { Rule } from "../../core/catalog/rule.ts";
import { stamp, word } from "../../core/catalog/scalar-fields.ts";
import { defaultChangeDays } from "../../core/feed.ts";
import { newestFirst } from "../../core/query/plan.ts";
import { catalog } from "../catalog.ts";
import { news } from "../news.ts";
import { ratings } from "../ratings.ts";
import { calendarRemovals, newsRemovals, type OrderedRemovals } from "../removal-lists.ts";

const calendars = catalog.filter((resource) => resource !== news).map(({ name }) => name);

/** The version that changes when removals expire. */
const expiry = "removals";

type Removed = Pick<Extension, "name" | "title" | "doc" | "fields" | "resources"> & {
  readonly list: OrderedRemovals;
  /** The column with the resource's name, if there are several. */
  readonly of?: string;
  readonly rules?: readonly Rule[];
};

function removed({ list, of, rules = [], ...description }: Removed): Extension {
  const fields = {
    ...description.fields,
    updated: stamp("When the record was removed, Unix seconds in UTC", { required: true }),
  };
  const order = newestFirst("updated", ...list.ties);
  const entitlements = { history: "updated", delay: "updated", ...(of === undefined ? {} : { resource: of }) };
  return extension({
    ...description,
    path: list.path,
    envelope: { key: "removed" },
    fields,
    order,
    table: standaloneTable({ name: description.name, fields, order, entitlements }),
    versions: [...description.resources, expiry],
    rules: [page, list.size, list.since, ...rules],
    notes: [
      `A record that is written again disappears from the list. Removals are retained as long as the change log, for \`change-days\` (default ${defaultChangeDays}). A client that was offline for longer must compare its copy with the lists.`,
    ],
  });
}

export const newsRemoved = removed({
  name: "news-removed",
  title: "Removed news",
  doc: "News items that were removed, newest removal first.",
  list: newsRemovals,
  fields: { id: fieldOf(news, "id") },
  resources: [news.name],
});

export const calendarRemoved = removed({
  name: "calendar-removed",
  title: "Removed calendar records",
  doc: "Records of the calendars that were removed, newest removal first.",
  list: calendarRemovals,
  fields: {
    id: fieldOf(ratings, "id"),
    type: word("Calendar that held the record", calendars, { required: true }),
  },
  rules: [
    choice(
      "type",
      "Only removals from this calendar; default all",
      Object.fromEntries(
        calendars.map((name) => [name, { where: [{ op: "eq" as const, column: "type", value: name }] }]),
      ),
    ),
  ],
  resources: calendars,
  of: "type",
});
