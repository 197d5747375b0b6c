// Company guidance on earnings and revenue, by day of publication.

import { choice } from "../core/catalog/common-rules.ts";
import { p } from "../core/catalog/parameter.ts";
import { decimal, text } from "../core/catalog/scalar-fields.ts";
import { calendar, calendarIndexes, commonFields } from "./calendar.ts";

/** These values count as primary, all others as secondary. */
const primaryWords = new Set(["true", "y", "yes", "1"]);

const isPrimary = choice(
  p("is_primary"),
  "Primary guidance (Y), secondary (N), or both (All)",
  {
    Y: { where: [{ op: "eq", column: "is_primary", value: 1 }] },
    N: { where: [{ op: "eq", column: "is_primary", value: 0 }] },
    All: {},
  },
  "Y",
);

export const guidance = calendar({
  name: "guidance",
  title: "Guidance",
  doc: "Company guidance on earnings and revenue, newest first.",
  path: "/api/v2.1/calendar/guidance",
  display: {
    ...{ label: "Guidance", brief: "Guide", unit: ["guidance update", "guidance updates"], key: "u", rank: 4 },
    columns: [
      ...["ticker", "date", "time", "name", "for", "eps_range", "eps_guidance_est", "eps_prior_range"],
      ...["revenue_range", "revenue_guidance_est", "revenue_prior_range", "importance"],
    ],
    optional: ["importance", "time", "revenue_prior_range", "eps_prior_range", "name"],
    labels: { eps_guidance_est: "EPS est.", revenue_guidance_est: "Rev. est." },
    filters: ["tickers", "date_from", "date_to", "importance", "is_primary"],
    text: "{ticker} for {period} {period_year}",
    event: "{ticker} {period}",
    card: {
      ...{ title: ["ticker", "name"], when: ["date", "time"] },
      ...{ about: ["for"], values: ["eps_range", "eps_guidance_est", "revenue_range", "revenue_guidance_est"] },
    },
    day: {
      ...{ title: "Guidance", column: 1, field: "date", none: "No guidance." },
      columns: ["ticker", "eps_range", "eps_guidance_est", "revenue_range", "revenue_guidance_est"],
    },
  },
  event: {
    on: [{ day: "date", summary: ["{ticker}", " guidance", " {period}", " {period_year}"] }],
    time: ["time"],
    details: {
      ...{
        name: "Company",
        eps_guidance_min: "EPS from",
        eps_guidance_max: "EPS to",
        eps_guidance_est: "EPS estimate",
      },
      ...{ revenue_guidance_min: "Revenue from", revenue_guidance_max: "Revenue to" },
      ...{ revenue_guidance_est: "Revenue estimate", notes: "Notes" },
    },
    revised: "updated",
    color: "purple",
  },
  fields: {
    ...commonFields(
      "confirmed",
      "currency",
      "cusip",
      "date",
      "exchange",
      "id",
      "importance",
      "name",
      "notes",
      "period",
      "period_year",
      "ticker",
      "time",
      "updated",
    ),
    eps_guidance_est: decimal("Estimated earnings per share", { example: "1.50" }),
    eps_guidance_max: decimal("Upper end of the guided earnings per share", { example: "1.60" }),
    eps_guidance_min: decimal("Lower end of the guided earnings per share", { example: "1.45" }),
    eps_guidance_prior_max: decimal("Upper end of the previous guidance", { example: "1.55" }),
    eps_guidance_prior_min: decimal("Lower end of the previous guidance", { example: "1.40" }),
    eps_type: text("Basis of earnings per share, such as Adj or GAAP", { example: "Adj" }),
    is_primary: text(
      "Whether this is the company's primary guidance, as a boolean word: true, y, yes, and 1 mean that it is",
      {
        example: "true",
        column: "integer",
        compareKeys: [0, 1],
        compareKey: (value) => (primaryWords.has((value as string).trim().toLowerCase()) ? 1 : 0),
      },
    ),
    prelim: text("Whether the guidance is preliminary, as a boolean word", { example: "false" }),
    revenue_guidance_est: decimal("Estimated revenue", { example: "1500000000.000" }),
    revenue_guidance_max: decimal("Upper end of the guided revenue", { example: "1600000000.000" }),
    revenue_guidance_min: decimal("Lower end of the guided revenue", { example: "1450000000.000" }),
    revenue_guidance_prior_max: decimal("Upper end of the previous guidance", { example: "1550000000.000" }),
    revenue_guidance_prior_min: decimal("Lower end of the previous guidance", { example: "1400000000.000" }),
    revenue_type: text("Basis of revenue, such as Adj or GAAP", { example: "GAAP" }),
  },
  rules: [isPrimary],
  unfiltered: [[isPrimary, "All"]],
  indexes: calendarIndexes("importance", "is_primary"),
  lowSelectivity: ["is_primary"],
  countedBy: ["importance", "is_primary"],
});
