// What the six calendars share: fields, parameters, and indexes.

import { anyOf, atLeast, days, page, since, size, symbols } from "../core/catalog/common-rules.ts";
import type { Field } from "../core/catalog/field.ts";
import { intakeFrom, type UnfilteredBy } from "../core/catalog/intake.ts";
import { p } from "../core/catalog/parameter.ts";
import { type Resource, type ResourceDefinition, resource } from "../core/catalog/resource.ts";
import type { Rule } from "../core/catalog/rule.ts";
import {
  annotation,
  calendarCusip,
  clock,
  day,
  flag,
  integer,
  label,
  stamp,
  text,
  textId,
} from "../core/catalog/scalar-fields.ts";
import { newestFirst, type Order } from "../core/query/plan.ts";
import { normalizeSymbol } from "../core/text/normalize.ts";
import { calendarRemovals } from "./removal-lists.ts";

export const importance = (min: number, max: number): Field =>
  integer(`Importance, from ${min} to ${max}; 0 when unknown`, { min, max, example: max });

/** Fields of several calendars. */
const common = {
  confirmed: flag("Whether the event is confirmed"),
  currency: text("Currency code", { example: "USD" }),
  cusip: calendarCusip(
    "CUSIP, as an integer; omitted if it is unknown or has letters. The setting BELLWIRE_CALENDAR_CUSIP=string returns the text instead",
  ),
  date: day("Day of the event", { required: true }),
  exchange: text("Exchange of the listing", { example: "NASDAQ" }),
  id: textId("Record identifier"),
  importance: importance(0, 5),
  isin: text("ISIN", { example: "US3078331034" }),
  name: text("Company name", { example: "Apple Inc." }),
  notes: text("Free text"),
  period: text("Fiscal period label, such as Q1 or FY", { example: "Q3" }),
  period_year: integer("Fiscal year of the period", { example: 2024 }),
  ticker: label("Ticker symbol", { example: "AAPL", compareKey: (value) => normalizeSymbol(value as string) }),
  time: clock("Clock time of the event, New York"),
  updated: stamp("Last update, Unix seconds in UTC"),
} satisfies Record<string, Field>;

/** Attributes of records elsewhere that this API doesn't have. */
const importanceRank = annotation("Importance by another scale, stored only", { example: "3" });
const companyAnnotations = {
  gics: annotation("GICS classification of the company, stored only", { example: "45202030" }),
  sector: annotation("Sector of the company, stored only", { example: "Technology" }),
};

type Common = keyof typeof common;

export const commonFields = (...names: Common[]): Record<string, Field> =>
  Object.fromEntries(names.map((name) => [name, common[name]]));

/** Records with a day in a range. */
export const within =
  (column: string) =>
  ({ from, to }: { from?: string; to?: string }) => ({
    where: [
      ...(from === undefined ? [] : [{ op: "gte" as const, column, value: from }]),
      ...(to === undefined ? [] : [{ op: "lte" as const, column, value: to }]),
    ],
  });

/** A day, or a range of days. */
export const byDay = days({ on: p("date"), from: p("date_from"), to: p("date_to") }, "day", within("date"));

const pageSize = size("pagesize", 1000, 50);

const updatedSince = since(
  p("updated"),
  "updated",
  "Records updated at or after this time (Unix seconds, UTC), oldest update first",
);

type Calendar = Omit<ResourceDefinition, "envelope" | "order" | "rules" | "entitlements" | "intake"> & {
  rules?: readonly Rule[];
  /** Rules that hide records or fields by default. */
  unfiltered?: readonly UnfilteredBy[];
  order?: readonly Order[];
  /** False if records can't be filtered by importance. */
  byImportance?: boolean;
  /** Other keys under which upstreams send the list. */
  otherKeys?: readonly string[];
};

/** A calendar: newest first, with the conventional parameters for the fields that it has. */
export function calendar({ byImportance = true, unfiltered = [], otherKeys = [], ...description }: Calendar): Resource {
  const fields: Record<string, Field> = {
    ...description.fields,
    ...(description.fields.ticker ? companyAnnotations : {}),
    importance_rank: importanceRank,
  };
  return resource({
    order: newestFirst("date", ...(fields.time ? ["time"] : []), "id"),
    ...(fields.ticker ? { clusteredBy: "ticker" } : {}),
    ...description,
    fields,
    stampedOnImport: true,
    envelope: { key: description.name },
    messages: {
      path: `/api/v2.1/calendar/${description.name}/stream`,
      kind: `data/v2.1/calendar/${description.name}`,
      rules: fields.isin ? [anyOf("isins", "isin", "ISINs", symbols("ISINs", "US3078331034"))] : [],
    },
    entitlements: { history: "date", delay: "updated" },
    intake: intakeFrom({
      keys: [description.name, ...otherKeys],
      size: pageSize,
      days: { rule: byDay, column: "date" },
      since: { rule: updatedSince, column: "updated" },
      whole: unfiltered,
      removed: { ...calendarRemovals, type: description.name },
      learnable: [],
    }),
    rules: [
      page,
      pageSize,
      byDay,
      // Its order takes precedence over those of the resource's rules, as specified.
      updatedSince,
      ...(byImportance && fields.importance?.range
        ? [atLeast(p("importance"), "importance", fields.importance.range)]
        : []),
      ...(fields.ticker
        ? [anyOf(p("tickers"), "ticker", "Ticker symbols", symbols("ticker symbols", "AAPL,BRK.B"))]
        : []),
      ...(description.rules ?? []),
    ],
  });
}

/** Indexes by day, ticker, and update. `tested` columns are filtered inside the index. */
export function calendarIndexes(...tested: string[]): string[][] {
  return [
    ["date", "time", "id", ...tested],
    ["ticker", "date", "time", "id", ...tested],
    ["updated", "id", ...tested],
  ];
}
