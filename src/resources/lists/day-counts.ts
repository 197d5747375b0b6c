// Number of records per day and resource, for a calendar overview.

import { pageNumber, size } from "../../core/catalog/common-rules.ts";
import { extension, standaloneTable } from "../../core/catalog/extension.ts";
import { day, integer } from "../../core/catalog/scalar-fields.ts";
import { newestFirst } from "../../core/query/plan.ts";
import { byDay } from "../calendar.ts";
import { catalog } from "../catalog.ts";

const name = "days";
const order = newestFirst("date");
const fields = {
  ...Object.fromEntries(
    catalog.map(({ name, title }) => [
      name,
      integer(`${title}: records of the day`, { min: 0, max: Number.MAX_SAFE_INTEGER, example: 12 }),
    ]),
  ),
  date: day("The day", { required: true }),
};

const { from, to } = byDay.parameters;

export const dayCounts = extension({
  name,
  title: "Days",
  doc: "Number of records of each resource per day, newest day first.",
  path: "/api/v2.1/days",
  envelope: { key: name },
  fields,
  order,
  table: standaloneTable({
    name,
    fields,
    order,
    dayCountsOf: catalog,
    entitlements: { history: "date", delay: "seen", resource: "resource" },
  }),
  resources: catalog.map((each) => each.name),
  rules: [pageNumber, size("pagesize", 400, 31), byDay],
  versions: catalog.map(({ name }) => name),
  notes: [
    "A count is the length of the list filtered by day alone: for guidance, only primary guidance; for dividends, by `date`; for news, items published on that day in the service's time zone.",
    "A key with a delay or a history gets the counts of what it can see, and no day before its history.",
    `Days without records are listed too, with zeros. The list begins with \`${to.names[0]}\` and ends with \`${from.names[0]}\`; without them, with the last and the first day that has a record.`,
  ],
});
