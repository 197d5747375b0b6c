// How lists are served to clients of other implementations: further filters, other orders, keys, and forms of values.

import { anyOf, choice, pageNumber, size } from "../../core/catalog/common-rules.ts";
import { type Extension, extension, type Listing, resourcesOf, tableOf } from "../../core/catalog/extension.ts";
import { integerParameter, p, secondsParameter } from "../../core/catalog/parameter.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { type PlanPart, rule } from "../../core/catalog/rule.ts";
import { integer, label, maxPacked, text, word } from "../../core/catalog/scalar-fields.ts";
import { newestFirst, oldestFirst } from "../../core/query/plan.ts";
import { normalizeName } from "../../core/text/normalize.ts";
import { printInstant } from "../../core/value/time-zone.ts";
import { conferenceCalls } from "../conference-calls.ts";
import { dividendSorts, dividends } from "../dividends.ts";
import { earnings, earningsSorts } from "../earnings.ts";
import { economics } from "../economics.ts";
import { fieldList } from "../field-list.ts";
import { guidance } from "../guidance.ts";
import { newsChannels } from "../lists/news-lists.ts";
import { analysts, firms } from "../lists/ratings-lists.ts";
import { calendarRemoved, newsRemoved } from "../lists/removed.ts";
import { news } from "../news.ts";
import { ids, ratings } from "../ratings.ts";

type Changes = Partial<Omit<Extension, "name" | "path" | "table">>;

/** The list with changes, by a name that sets its responses apart. */
export function variant(listing: Listing, changes: Changes = {}): Extension {
  const { title, doc, path, envelope, formats, fields, rules, order, notes, event, entry } = listing;
  const base = "table" in listing ? listing : { versions: [listing.name] };
  return extension({
    ...{ title, doc, path, envelope, formats, fields, rules, order, notes },
    ...(event === undefined ? {} : { event }),
    ...(entry === undefined ? {} : { entry }),
    ...base,
    name: `compat ${listing.name}`,
    table: tableOf(listing),
    resources: resourcesOf(listing),
    ...changes,
  });
}

const names = (what: string, example: string) => ({ what, normalize: normalizeName, example });

/** By date in either direction, besides the values that the calendar has. */
function sortedCalendar(
  calendar: Resource,
  sorts: Readonly<Record<string, PlanPart>> = {},
  changes: Changes = {},
): Extension {
  const { order = calendar.order } = changes;
  const directions = { asc: { order: oldestFirst(...order.map(({ column }) => column)) }, desc: { order } };
  const dateSort = p("date_sort");
  const others = calendar.rules.filter(
    ({ parameters }) => !Object.values(parameters).some((parameter) => parameter.names.includes(dateSort)),
  );
  return variant(calendar, {
    ...(calendar.fields.cusip === undefined
      ? {}
      : { overrides: cusipAsText, fields: { ...calendar.fields, cusip: textCusip } }),
    ...changes,
    rules: [
      ...others,
      ...(changes.rules ?? []),
      choice(dateSort, "Order by date: asc is oldest first, desc newest first", { ...sorts, ...directions }),
    ],
  });
}

const textCusip = text("CUSIP, always a string of nine characters", { optional: true, example: "307833103" });

/** Text with all its characters, also of a CUSIP with letters. */
const cusipAsText: Extension["overrides"] & {} = ({ cusip }) =>
  cusip === "string" ? undefined : { cusip: (value) => (value === "" ? undefined : value) };

const lastId = rule(
  {
    last: integerParameter(
      "lastId",
      "Items with a greater id, lowest id first unless sort says otherwise",
      0,
      maxPacked,
    ),
  },
  ({ last }) =>
    last === undefined ? {} : { where: [{ op: "gt", column: "id", value: last }], order: oldestFirst("id") },
);

const eventName = anyOf("event_name", "event_name", "Names of events", names("names of events", "CPI YoY"));

const byName = [
  anyOf("analyst_name", "analyst_name", "Analysts (persons) by name", names("analyst names", "Dana Whitlock")),
  anyOf("firm_name", "analyst", "Firms by name", names("firm names", "Harbor & Finch")),
];

const sourceFilters = [
  anyOf("analyst", "analyst_id", "Analysts (persons) by identifier", ids("analyst identifiers")),
  anyOf("firm", "firm_id", "Firms by identifier", ids("firm identifiers")),
  ...byName,
  rule(
    {
      since: secondsParameter(
        p("updated"),
        "Those whose latest rating was updated at or after this time (Unix seconds, UTC)",
      ),
    },
    ({ since }) => (since === undefined ? {} : { where: [{ op: "gte", column: "updated", value: since }] }),
  ),
];

const ratingSources = (listing: Extension, key: string): Extension =>
  variant(listing, {
    envelope: { key },
    rules: [pageNumber, size("pagesize", 1000, 100), ...sourceFilters, fieldList(listing.fields, "id")],
  });

const channels = variant(newsChannels, {
  envelope: { key: "data", members: { ok: true } },
  fields: {
    channel: label("Channel name, as spelled in the newest item", { example: "Earnings" }),
    id: integer("Channel ID; 0 if no item includes it", { example: 17 }),
    parent: integer("Always 0: channels have no hierarchy", { example: 0 }),
    weight: integer("Always 0: channels have no weight", { example: 0 }),
  },
  toResponse: (items) =>
    (newsChannels.toResponse?.(items) ?? []).map(({ id = 0, name = "" }) => ({
      id,
      parent: 0,
      channel: name,
      weight: 0,
    })),
});

const spaced = (name: string): string => name.replaceAll("-", " ");

/** Lists that differ in more than names and values. */
export const variants: readonly (readonly [Listing, Extension])[] = [
  [news, variant(news, { rules: [...news.rules, lastId] })],
  // Recorded responses of other implementations are in this order.
  [ratings, sortedCalendar(ratings, {}, { rules: byName, order: newestFirst("date", "updated", "id") })],
  [dividends, sortedCalendar(dividends, dividendSorts)],
  [guidance, sortedCalendar(guidance)],
  [earnings, sortedCalendar(earnings, earningsSorts)],
  [economics, sortedCalendar(economics, {}, { rules: [eventName] })],
  [
    conferenceCalls,
    sortedCalendar(conferenceCalls, {}, { envelope: { key: conferenceCalls.name, alsoKey: "conference" } }),
  ],
  [analysts, ratingSources(analysts, "analyst_ratings_analyst")],
  [firms, ratingSources(firms, "analyst_ratings_firm")],
  [newsChannels, channels],
  [
    newsRemoved,
    variant(newsRemoved, {
      fields: {
        ...newsRemoved.fields,
        updated: text("When the record was removed, in the service's time zone", {
          example: "Tue, 05 Nov 2024 09:30:00 -0500",
        }),
      },
      overrides: ({ zone }) => ({ updated: (value) => printInstant(zone, Number(value)) }),
    }),
  ],
  [
    calendarRemoved,
    variant(calendarRemoved, {
      fields: {
        ...calendarRemoved.fields,
        type: word("Calendar that held the record", calendarRemoved.resources.map(spaced)),
      },
      overrides: () => ({ type: (value) => spaced(String(value)) }),
    }),
  ],
];
