// Analyst ratings and price targets, by day of publication.

import { anyOf } from "../core/catalog/common-rules.ts";
import { object } from "../core/catalog/list-fields.ts";
import { booleanParameter, nameParameter, p } from "../core/catalog/parameter.ts";
import { rule } from "../core/catalog/rule.ts";
import { decimal, label, nameKey, text, word } from "../core/catalog/scalar-fields.ts";
import { normalizeName } from "../core/text/normalize.ts";
import { percentChange } from "../core/value/decimal.ts";
import { calendar, calendarIndexes, commonFields } from "./calendar.ts";
import { fieldList } from "./field-list.ts";
import { simplifyRatings, standardRatings } from "./simplify.ts";

const actions = [
  "Downgrades",
  "Maintains",
  "Reinstates",
  "Reiterates",
  "Upgrades",
  "Assumes",
  "Initiates Coverage On",
  "Terminates Coverage On",
  "Removes",
  "Suspends",
  "Firm Dissolved",
];

const fields = {
  ...commonFields(
    "currency",
    "cusip",
    "date",
    "exchange",
    "id",
    "importance",
    "isin",
    "name",
    "notes",
    "ticker",
    "time",
    "updated",
  ),
  action_company: word("What the firm did", actions, { example: "Upgrades" }),
  action_pt: text("What happened to the price target, such as Raises or Lowers", { example: "Raises" }),
  adjusted_pt_current: decimal("Price target, adjusted for splits", { example: "260.00" }),
  adjusted_pt_prior: decimal("Previous price target, adjusted for splits", { example: "230.00" }),
  analyst: text("Name of the firm", { example: "Harbor & Finch", compareKey: nameKey }),
  analyst_id: label("Identifier of the analyst (person)", { example: "5f0a1b2c3d4e5f6071829304" }),
  analyst_name: text("Name of the analyst (person)", { example: "Dana Whitlock", compareKey: nameKey }),
  firm_id: label("Identifier of the firm", { example: "4e0a1b2c3d4e5f6071829304" }),
  pt_current: decimal("Price target", { example: "260.00" }),
  pt_pct_change: decimal("Change of the price target in percent, with a sign; computed when not imported", {
    shown: "on request",
    derive: {
      from: ["pt_prior", "pt_current"],
      compute: (prior, current) => percentChange(prior as string, current as string),
    },
    example: "+13.04",
  }),
  pt_prior: decimal("Previous price target", { example: "230.00" }),
  rating_current: text("Rating, in the firm's own words", { example: "Outperform" }),
  rating_prior: text("Previous rating", { example: "Hold" }),
  ratings_accuracy: object("Track record of the analyst", { shown: "with *", example: { smart_score: "71.20" } }),
  url: text("URL of the record", { example: "https://example.com/ratings/1" }),
  url_calendar: text("URL of the calendar page", { example: "https://example.com/calendar" }),
  url_news: text("URL of the news item", { example: "https://example.com/news/1" }),
};

const chosenFields = fieldList(fields, "id,ticker,pt_pct_change");

export const ids = (what: string) => ({ what, normalize: (id: string) => id, example: "5f0a1b2c3d4e5f6071829304" });

export const ratings = calendar({
  name: "ratings",
  recordName: "rating",
  title: "Analyst ratings",
  doc: "Analyst upgrades, downgrades, and price targets, newest first.",
  path: "/api/v2.1/calendar/ratings",
  display: {
    ...{ label: "Ratings", brief: "Rate", unit: ["rating", "ratings"], key: "r", rank: 3 },
    columns: [
      ...["ticker", "date", "time", "name", "action_company", "rating", "pt_prior", "pt_current", "pt_change"],
      ...["analyst", "importance", "analyst_name"],
    ],
    optional: ["analyst_name", "importance", "pt_change", "time", "pt_prior", "name"],
    labels: {
      ...{ action_company: "Action", pt_prior: "Prior target", pt_current: "Target" },
      ...{ analyst: "Firm", analyst_name: "Analyst" },
    },
    filters: ["tickers", "date_from", "date_to", "action", "importance"],
    choices: {
      analyst_id: { path: "analysts", text: "{name_full}, {firm_name}" },
      analyst: { path: "analysts", text: "{name_full}, {firm_name}" },
      firm_id: { path: "firms", text: "{name}" },
      firm: { path: "firms", text: "{name}" },
    },
    text: "{ticker} by {analyst}",
    distribution: {
      ...{ title: "Ratings over time", filters: { tickers: "ticker" }, until: "date_to" },
      ...{ grouping: "simplify", field: "rating_current", groups: Object.keys(standardRatings) },
      ...{ source: ["firm_id", "analyst"], days: 365 },
      ends: {
        field: "action_company",
        values: ["Terminates Coverage On", "Suspends", "Removes", "Firm Dissolved"],
      },
    },
    event: "{ticker} {action_company}",
    card: {
      ...{ title: ["ticker", "name"], when: ["date", "time"] },
      ...{ about: ["action_company", "analyst"], values: ["rating", "target"] },
    },
    day: {
      ...{ title: "Ratings", column: 0, field: "date", none: "No ratings.", groups: "change", order: "weight" },
      columns: ["ticker", "action_company", "analyst", "rating", "target"],
    },
  },
  event: {
    on: [{ day: "date", summary: ["{ticker}", ": {action_company}", " {rating_current}", " ({analyst})"] }],
    time: ["time"],
    details: {
      ...{ name: "Company", analyst: "Firm", analyst_name: "Analyst", rating_current: "Rating", rating_prior: "Prior" },
      ...{ pt_current: "Target", pt_prior: "Prior target", notes: "Notes" },
    },
    url: "url",
    revised: "updated",
    color: "crimson",
  },
  fields,
  rules: [
    chosenFields,
    anyOf(p("analyst_id"), "analyst_id", "Analyst identifiers, as in analyst_id", ids("analyst identifiers")),
    anyOf(p("firm_id"), "firm_id", "Firm identifiers, as in firm_id", ids("firm identifiers")),
    rule({ action: nameParameter(p("action"), "What the firm did, as in action_company", actions) }, ({ action }) =>
      action === undefined ? {} : { where: [{ op: "eq", column: "action_company", value: normalizeName(action) }] },
    ),
    anyOf("analyst", "analyst_id", "Analysts (persons) by identifier; default all", ids("analyst identifiers")),
    anyOf("firm", "firm_id", "Analyst firms by identifier; default all", ids("firm identifiers")),
    rule({ simplify: booleanParameter("simplify", "Reduce ratings to Buy, Hold, and Sell", false) }, ({ simplify }) =>
      simplify ? { transform: simplifyRatings } : {},
    ),
  ],
  transforms: [simplifyRatings],
  unfiltered: [[chosenFields, "*"]],
  indexes: [
    ...calendarIndexes("importance"),
    ["analyst_id", "date", "time", "id"],
    ["firm_id", "date", "time", "id"],
    ["action_company", "date", "time", "id"],
    // For filters by name, with `--compat`.
    ["analyst_name", "date", "time", "id"],
    ["analyst", "date", "time", "id"],
  ],
  lowSelectivity: ["action_company"],
  countedBy: ["importance"],
  notes: [
    "`simplify=true` maps the terms of `rating_current` and `rating_prior`, regardless of case, hyphens, and blanks; a term that is not listed stays as it is:",
    ...Object.entries(standardRatings).map(([standard, terms]) => `- **${standard}**: ${terms.join(", ")}`),
  ],
});
