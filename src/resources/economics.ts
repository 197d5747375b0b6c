// Economic events: statistics and decisions of central banks, by day and country.

import { anyOf } from "../core/catalog/common-rules.ts";
import { type Parameter, textParameter } from "../core/catalog/parameter.ts";
import { rule } from "../core/catalog/rule.ts";
import { label, nameKey, text } from "../core/catalog/scalar-fields.ts";
import { normalizeName } from "../core/text/normalize.ts";
import { countryName, countryOrEuroArea, isCountryCode } from "../core/value/country.ts";
import { calendar, commonFields, importance } from "./calendar.ts";

const countryCode = text(
  "Three-letter country code, or EMU for the euro area (also accepted as EUR); derived from country if absent",
  {
    shown: "never",
    example: "USA",
  },
);

/** ASCII only: some other letters have ASCII uppercase forms. */
const countryCodeOf = (text: string): string | undefined =>
  /^[a-z]{3}$/i.test(text) && isCountryCode(text.toUpperCase()) ? text.toUpperCase() : undefined;

/** Other services code releases of the euro area as EUR. */
const importedCode = (text: string): string | undefined =>
  text.toUpperCase() === "EUR" ? countryOrEuroArea(text) : countryCodeOf(text);

/** A name of an unknown country is stored as it is. An unknown code would be a typo that hides the record. */
const looksLikeCode = /^\s*[a-z]{2,3}\s*$/i;

const countryParameter: Parameter<string> = {
  ...textParameter("country", "Three-letter country code, or EMU for the euro area", "a code", countryCodeOf, {
    valid: ["USA", "usa", "EMU"],
    invalid: ["US", "XXX", "United States", "USAX"],
  }),
  // Any limit of length would be beside the point.
  expected: "a three-letter country code (ISO 3166-1), or EMU",
};

export const economics = calendar({
  name: "economics",
  recordName: "economic event",
  title: "Economic events",
  doc: "Economic releases with their actual, expected, and prior values, newest first.",
  path: "/api/v2.1/calendar/economics",
  display: {
    ...{ label: "Economics", brief: "Econ", unit: ["economic release", "economic releases"], key: "c", rank: 1 },
    ahead: true,
    columns: [
      ...["date", "time", "country", "importance", "event_name", "event_period"],
      ...["actual", "consensus", "prior", "event_category"],
    ],
    optional: ["event_category", "event_period", "importance", "prior"],
    labels: { event_name: "Release", event_period: "Period", event_category: "Category", prior: "Prior" },
    filters: ["date_from", "date_to", "country", "event_category", "importance"],
    text: "{event_name}, {country}",
    history: {
      ...{
        title: "Past releases",
        filters: { country: "country", event_category: "event_category" },
        until: "date_to",
      },
      ...{ same: ["event_name", "country"], period: ["event_period"] },
      figures: [{ label: "Actual", value: "actual", expected: "consensus" }],
    },
    // Whether higher prices and interest rates are good depends on who looks at them.
    polarity: {
      field: "event_name",
      neutral: ["price", "prices", "deflator", "cost", "costs", "inflation", "cpi", "ppi", "rate decision"],
      higherIsWorse: [
        ...["jobless", "unemployment", "unemployed", "job cuts", "layoffs", "bankruptcies", "foreclosures"],
        ...["delinquencies", "delinquency", "misery"],
      ],
      higherIsBetter: [
        ...["payroll", "payrolls", "employment change", "job openings", "participation rate", "personal income"],
        ...["retail sales", "vehicle sales", "home sales", "store sales", "wholesale sales", "personal spending"],
        ...["household spending", "housing starts", "building permits", "construction spending", "housing market"],
        ...["durable goods", "factory orders", "industrial production", "manufacturing production", "capacity"],
        ...["pmi", "gdp", "confidence", "sentiment", "optimism", "climate"],
        ...["manufacturing index", "leading index", "economic index", "exports", "trade balance", "current account"],
      ],
    },
    event: "{event_name}",
    card: {
      ...{ title: ["event_name", "event_period"], when: ["date", "time"] },
      ...{ about: ["country", "importance"], values: ["actual", "consensus", "prior"] },
    },
    day: {
      ...{ title: "Economic releases", column: 0, field: "date", none: "No economic releases.", order: "time" },
      columns: ["time", "importance", "short_country", "event", "actual", "consensus", "prior"],
    },
  },
  event: {
    on: [{ day: "date", summary: ["{country}", ": {event_name}", " {event_period}"] }],
    time: ["time"],
    details: {
      ...{ actual_t: "Actual", consensus_t: "Consensus", prior_t: "Prior", event_category: "Category" },
      ...{ description: "Description", notes: "Notes" },
    },
    revised: "updated",
    color: "darkorange",
  },
  fields: {
    ...commonFields("confirmed", "date", "id", "notes", "period_year", "time", "updated"),
    actual: text("Value as released", { example: "3.2" }),
    actual_t: text("Value as released, abbreviated", { example: "3.2%" }),
    consensus: text("Consensus forecast", { example: "3.1" }),
    consensus_t: text("Consensus forecast, abbreviated", { example: "3.1%" }),
    country: text("English name of the country", { example: "United States" }),
    country_code: {
      ...countryCode,
      validate: (value, reject) => {
        const code = value === "" ? "" : typeof value === "string" ? importedCode(value) : undefined;
        if (code !== undefined) return code;
        reject("a three-letter country code, EMU, or EUR", value);
        return "";
      },
    },
    description: text("What the release measures"),
    event_category: label("Category, such as Inflation", {
      example: "Inflation",
      compareKey: (value) => normalizeName(value as string),
    }),
    event_name: text("Name of the event", { example: "CPI YoY", compareKey: nameKey }),
    event_period: text("Period that the value covers", { example: "Oct" }),
    importance: importance(1, 3),
    prior: text("Value for the previous period", { example: "3.0" }),
    prior_t: text("Value for the previous period, abbreviated", { example: "3.0%" }),
  },
  rules: [
    rule({ country: countryParameter }, ({ country }) =>
      country === undefined ? {} : { where: [{ op: "eq", column: "country_code", value: country }] },
    ),
    anyOf("event_category", "event_category", "Categories", {
      what: "categories",
      normalize: normalizeName,
      example: "Inflation,Central Banks",
    }),
  ],
  fillDefaults: (row) => {
    const country = String(row.country);
    const code = row.country_code === "" ? (countryOrEuroArea(country) ?? "") : String(row.country_code);
    // A known country is always returned by its English name.
    const known = countryOrEuroArea(country) ?? (country === "" ? code : "");
    const name = known === "" ? country : (countryName(known) ?? country);
    return { ...row, country: name, country_code: code };
  },
  validateRow: ({ country, country_code }, reject) => {
    if (country_code === "" && looksLikeCode.test(String(country)))
      reject("a country code (ISO 3166-1), EMU, EUR, or the English name of a country", country, "country");
  },
  indexes: [
    ["date", "time", "id", "importance"],
    ["updated", "id", "importance"],
    ["country_code", "date", "time", "id", "importance"],
    ["event_category", "date", "time", "id", "importance"],
    // For `event_name`, with `--compat`.
    ["event_name", "date", "time", "id", "importance"],
  ],
  lowSelectivity: ["country_code", "event_category"],
  countedBy: ["importance"],
});
