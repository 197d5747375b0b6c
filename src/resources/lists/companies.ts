// Company search: every ticker of the calendars with its latest name, found by ticker or by words of the name.

import { pageNumber, size } from "../../core/catalog/common-rules.ts";
import { extension, type ListSource, type SourceRecords, standaloneTable } from "../../core/catalog/extension.ts";
import { labels } from "../../core/catalog/list-fields.ts";
import { textParameter } from "../../core/catalog/parameter.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { rule } from "../../core/catalog/rule.ts";
import { day, label, text } from "../../core/catalog/scalar-fields.ts";
import { type Condition, oldestFirst, type Plan } from "../../core/query/plan.ts";
import { compareText, type WireRecord } from "../../core/record/row.ts";
import { normalizeName, normalizeSymbol } from "../../core/text/normalize.ts";
import { tokenize } from "../../core/text/tokenize.ts";
import { catalog } from "../catalog.ts";

const name = "companies";
const order = oldestFirst("ticker");

const sources = catalog.filter(({ fields }) => fields.ticker !== undefined && fields.name !== undefined);

/** Attributes copied from the records of a company. */
const copied = ["exchange", "isin", "name"];

/** Tickers per list; a bound for damaged data. */
const maxTickers = 100_000;

const fields = {
  exchange: text("Exchange of the listing", { example: "NASDAQ" }),
  isin: text("ISIN", { example: "US3078331034" }),
  name: text("Company name", { example: "Apple Inc." }),
  resources: labels("Lists with records of the company", { example: sources.slice(0, 1).map((each) => each.name) }),
  ticker: label("Ticker symbol, in uppercase", { required: true, example: "AAPL" }),
};

const entitlements = { history: "date", delay: "updated", resource: "resource" };

const search = rule(
  {
    search: textParameter("search", "A ticker or words of the name, or their beginnings", "text", normalizeName, {
      valid: ["aapl", "BRK.B", "apple in", "é", "$", "x".repeat(256)],
      invalid: [],
    }),
  },
  ({ search }) => (search === undefined ? {} : { where: [{ op: "eq", column: "search", value: search }] }),
);

export const companies = extension({
  name,
  title: "Companies",
  doc: "Companies with records in a calendar, by ticker, or those that match a search, best match first.",
  path: "/api/v2.1/companies",
  envelope: { key: name },
  fields,
  order,
  table: standaloneTable({
    name,
    fields: { ...fields, date: day("Day of a record"), search: text("What is searched") },
    order,
    entitlements,
  }),
  resources: sources.map((each) => each.name),
  rules: [pageNumber, size("pagesize", 100, 20), search],
  computed: { sources: latestPerTicker, index: companyIndex },
  versions: sources.map((each) => each.name),
  notes: [
    "Matches are ranked: the ticker itself, then tickers that begin with the text, then names that begin with it, then names in which each of its words begins a word; by ticker within each rank. Case and accents don't matter.",
    "Attributes come from the company's latest record in each calendar; if several have a value, the most recently updated one wins.",
    "A key sees the companies of the records that its lists return, under the names that they return.",
  ],
});

/** The latest record of each ticker in every calendar that the key may see. */
function latestPerTicker({ where }: Plan): ListSource[] {
  const licensed = where.find((each) => each.op === "in" && each.column === entitlements.resource);
  return sources
    .filter((each) => licensed?.op !== "in" || licensed.values.includes(each.name))
    .map((resource) => ({
      plan: {
        resource,
        where: where.flatMap((each) => visibilityIn(resource, each)),
        order: resource.order,
        latestPer: { column: "ticker" },
        ranked: false,
        limit: maxTickers,
        offset: 0,
        include: [],
      },
      fields: [...copied, "ticker", "updated"].filter((field) => resource.fields[field] !== undefined),
    }));
}

/** A bound by the key's terms, on the column of the source. */
function visibilityIn(resource: Resource, condition: Condition): Condition[] {
  if (!("column" in condition)) return [];
  const { history, delay } = resource.entitlements;
  if (condition.column === entitlements.history) return [{ ...condition, column: history }];
  return condition.column === entitlements.delay && delay !== undefined ? [{ ...condition, column: delay }] : [];
}

type Company = { readonly ticker: string; readonly words: readonly string[]; readonly record: WireRecord };

function companyIndex(read: readonly SourceRecords[]): (plan: Plan) => readonly WireRecord[] {
  const found = read.flatMap(({ resource, records }) => records.map((record) => ({ resource, record })));
  const byTicker = Map.groupBy(found, ({ record }) => normalizeSymbol(String(record.ticker)));
  const companies = [...byTicker.entries()]
    .map(([ticker, records]): Company => {
      const newestFirst = records.toSorted((a, b) => Number(b.record.updated) - Number(a.record.updated));
      const latest = (field: string) =>
        newestFirst.map(({ record }) => record[field] ?? "").find((value) => value !== "");
      const [exchange, isin, name] = copied.map((field) => latest(field) ?? "");
      const record = { exchange, isin, name, resources: records.map(({ resource }) => resource), ticker } as WireRecord;
      return { ticker, words: tokenize(String(name)), record };
    })
    .sort((a, b) => compareText(a.ticker, b.ticker));
  return ({ where, offset, limit }) => {
    const search = where.find((each) => each.op === "eq" && each.column === "search");
    const matches = search?.op === "eq" ? searchCompanies(companies, String(search.value)) : companies;
    return matches.slice(offset, offset + limit).map(({ record }) => record);
  };
}

/** Best match first; the order of companies within a rank. */
function searchCompanies(companies: readonly Company[], text: string): readonly Company[] {
  const ticker = normalizeSymbol(text);
  const words = tokenize(text);
  const ranks: Company[][] = [[], [], [], []];
  for (const company of companies) ranks[rankOf(company, ticker, words)]?.push(company);
  return ranks.flat();
}

/** 0 is the best; -1 for no match. */
function rankOf(company: Company, ticker: string, words: readonly string[]): number {
  if (company.ticker === ticker) return 0;
  if (company.ticker.startsWith(ticker)) return 1;
  if (words.length === 0) return -1;
  const last = words.length - 1;
  const isStart = words.every((word, at) =>
    at < last ? company.words[at] === word : company.words[at]?.startsWith(word),
  );
  if (isStart) return 2;
  return words.every((word) => company.words.some((each) => each.startsWith(word))) ? 3 : -1;
}
