// News: headlines, teasers, and full text, with filters by day, instrument, channel, topic, author, type, and region.

import { choice, days, linkedTo, page, since, size, symbols } from "../core/catalog/common-rules.ts";
import { intakeFrom } from "../core/catalog/intake.ts";
import { labels, list } from "../core/catalog/list-fields.ts";
import { csvParameter, enumParameter, textParameter } from "../core/catalog/parameter.ts";
import { resource } from "../core/catalog/resource.ts";
import { rule, type Transform } from "../core/catalog/rule.ts";
import {
  annotation,
  cusipLabel,
  flag,
  instant,
  integer,
  label,
  maxPacked,
  text,
  word,
} from "../core/catalog/scalar-fields.ts";
import { newestFirst, type Order, oldestFirst } from "../core/query/plan.ts";
import type { Json, Row } from "../core/record/row.ts";
import { plainText, textBlocks } from "../core/text/html-text.ts";
import { normalizeName, normalizeSymbol } from "../core/text/normalize.ts";
import { tokenize } from "../core/text/tokenize.ts";
import { region } from "../core/value/country.ts";
import { dayBounds } from "../core/value/time-zone.ts";
import { newsRemovals } from "./removal-lists.ts";

export const importances = ["low", "medium", "high"];

const fields = {
  author: label("Author", { example: "Dana Whitlock" }),
  body: text("Full text, HTML; filled when displayOutput is full", { heavy: true, example: "<p>Full text</p>" }),
  channels: list("Channels of the item", {
    id: integer("Channel ID, for the channels filter", { shown: "never", min: 1, max: Number.MAX_SAFE_INTEGER }),
    name: label("Channel name", { required: true, example: "Earnings" }),
  }),
  content_type: label("Content type, for the content_types filter", { shown: "never", example: "story" }),
  created: instant("When the item was published, in the service's time zone", { required: true }),
  gics: annotation("GICS classification, stored only", { example: "45202030" }),
  id: integer("Item identifier", { required: true, min: 1, max: maxPacked, example: 41_234_567 }),
  image: list(
    "Images",
    {
      alt: text("Alternative text, stored only", { shown: "never", example: "A chart" }),
      size: text("Size, such as thumb, small, or large", { example: "thumb" }),
      url: text("URL of the image", { example: "https://example.com/image.png" }),
    },
    { mainMember: "url" },
  ),
  importance: word("Level, for the importance filter", importances, { shown: "never", example: "medium" }),
  importance_rank: annotation("Importance by another scale, stored only", { example: "3" }),
  original_id: integer("Identifier of the item this one is derived from; omitted if there is none", {
    optional: true,
    example: 41_234_500,
  }),
  regions: labels("Country codes or names of regions, for the region filter", { shown: "never", example: ["USA"] }),
  sector: annotation("Sector, stored only", { example: "Technology" }),
  stocks: list("Instruments the item is about", {
    cusip: cusipLabel("CUSIP", { optional: true, example: "307833103" }),
    exchange: text("Exchange", { optional: true, example: "NASDAQ" }),
    gics: annotation("GICS classification, stored only", { example: "45202030" }),
    isin: label("ISIN", { optional: true, example: "US3078331034" }),
    name: label("Ticker symbol", { required: true, example: "AAPL" }),
    primary: flag("Whether the item is mainly about this one, for primaryTickers", { shown: "never" }),
    sector: annotation("Sector, stored only", { example: "Technology" }),
  }),
  tags: list("Tags", { name: text("Tag", { required: true, example: "iPhone" }) }),
  teaser: text("Teaser; filled when displayOutput is abstract or full", { heavy: true, example: "First lines" }),
  title: text("Headline, plain text", { required: true, example: "Apple reports third quarter" }),
  updated: instant("When the item was last updated, in the service's time zone"),
  url: text("Absolute URL of the item", { example: "https://example.com/news/41234567" }),
};

const rows = (value: Json | undefined): readonly Row[] => (value ?? []) as readonly Row[];
const member = (row: Row, field: string, name: string): string[] =>
  rows(row[field]).flatMap((item) => (item[name] === undefined ? [] : [String(item[name])]));
const names = (what: string, example: string) => ({ what, normalize: normalizeName, example });
const both = (sort: "created" | "updated"): Record<"asc" | "desc", { order: Order[] }> => ({
  asc: { order: oldestFirst(sort, "id") },
  desc: { order: newestFirst(sort, "id") },
});

export const displayOutput = choice(
  "displayOutput",
  "headline: headline only; abstract: headline and teaser; full: headline, teaser, and full body",
  { headline: {}, abstract: { include: ["teaser"] }, full: { include: ["body", "teaser"] } },
  "headline",
);

const textsAsText: Transform = { name: "text", members: { body: asText, teaser: asText } };

export const asPlainText = choice("format", "text: body and teaser as plain text", {
  text: { transform: textsAsText },
});

const pageSize = size("pageSize", 100, 15);

const byDay = days(
  { on: "date", from: "dateFrom", to: "dateTo" },
  "day of publication, in the service's time zone",
  ({ from, to }, { zone }) => ({
    where: [
      ...(from === undefined ? [] : [{ op: "gte" as const, column: "created", value: dayBounds(zone, from).from }]),
      ...(to === undefined ? [] : [{ op: "lt" as const, column: "created", value: dayBounds(zone, to).before }]),
    ],
  }),
);

const updatedSince = since(
  "updatedSince",
  "updated",
  "Items updated at or after this time (Unix seconds, UTC), oldest update first",
);

const byContentType = linkedTo("content type", "content_types", "Content types", names("content types", "story"));

const byImportance = choice(
  "importance",
  "Items of exactly this level",
  Object.fromEntries(
    importances.map((level) => [level, { where: [{ op: "linked" as const, kind: "importance", values: [level] }] }]),
  ),
);

const byRegion = rule(
  {
    region: textParameter(
      "region",
      "Country code or English name of a region: ca, CAN, and Canada are equivalent",
      "a country code or the name of a region",
      region,
      {
        valid: ["US", "USA", "Canada", "Europe"],
        invalid: [],
      },
    ),
  },
  ({ region }) => (region === undefined ? {} : { where: [{ op: "linked", kind: "region", values: [region] }] }),
);

export const news = resource({
  name: "news",
  recordName: "news item",
  title: "News",
  doc: "News items, newest first.",
  path: "/api/v2/news",
  display: {
    ...{ label: "News", brief: "News", unit: ["news item", "news items"], key: "n", rank: 7 },
    columns: ["created", "title", "author"],
    filters: ["topics", "tickers", "channels", "dateFrom", "dateTo"],
    text: "{title}",
  },
  envelope: "array",
  formats: ["json", "xml"],
  entry: {
    ...{ title: "title", author: "author", url: "url", summary: "teaser", content: "body", categories: "channels" },
    ...{ updated: "updated", published: "created", plainWith: textsAsText.name },
  },
  fields,
  aliases: { tickers: "stocks" },
  order: newestFirst("created", "id"),
  packedKey: ["created", "id"],
  indexes: [["updated", "id"]],
  countedBy: [],
  transforms: [textsAsText],
  rules: [
    page,
    pageSize,
    displayOutput,
    byDay,
    // An explicit sort takes precedence over the since-filters, and updatedSince over publishedSince.
    choice("sort", "Field and direction; default created:desc", {
      "id:asc": { order: oldestFirst("id") },
      "id:desc": { order: newestFirst("id") },
      "created:asc": both("created").asc,
      "created:desc": both("created").desc,
      "updated:asc": both("updated").asc,
      "updated:desc": both("updated").desc,
    }),
    updatedSince,
    since("publishedSince", "created", "Items published at or after this time (Unix seconds, UTC), oldest first"),
    linkedTo("isin", "isin", "ISINs of the item's stocks", symbols("ISINs", "US3078331034")),
    linkedTo("cusip", "cusips", "CUSIPs of the item's stocks", {
      ...symbols("CUSIPs", "307833103"),
      license: "cusip",
    }),
    linkedTo("ticker", "tickers", "Ticker symbols of the item's stocks", symbols("ticker symbols", "AAPL,BRK.B")),
    linkedTo(
      "primary",
      "primaryTickers",
      "Ticker symbols, matched only against stocks marked as primary",
      symbols("ticker symbols", "AAPL"),
    ),
    linkedTo("channel", "channels", "Channel names or IDs", names("channel names or IDs", "Earnings,M&A")),
    rule(
      {
        topics: csvParameter(
          "topics",
          "Words or phrases, searched for in title, tags, and body, in that order of priority",
          {
            what: "words or phrases with a letter or digit in each",
            // Our own limits: every word of a phrase costs a lookup, and common words are slow.
            max: 100,
            wordLimits: { count: (topic) => topic.split(" ").length, perMember: 16, total: 64 },
            normalize: (topic) => tokenize(topic).join(" ") || undefined,
            example: "earnings call,merger",
          },
        ),
        combine: enumParameter("topic_group_by", "and: all topics required; or: any topic", ["and", "or"], "or"),
      },
      ({ topics, combine }) =>
        topics === undefined
          ? {}
          : { where: [{ op: "search", phrases: topics.map((topic) => topic.split(" ")), combine }] },
    ),
    linkedTo("author", "authors", "Author names", names("author names", "Dana Whitlock")),
    byContentType,
    asPlainText,
    byImportance,
    byRegion,
  ],
  links: {
    isin: (row) => member(row, "stocks", "isin").map(normalizeSymbol),
    cusip: (row) => member(row, "stocks", "cusip").map(normalizeSymbol),
    ticker: (row) => member(row, "stocks", "name").map(normalizeSymbol),
    primary: (row) =>
      rows(row.stocks)
        .filter((stock) => stock.primary === true)
        .map((stock) => normalizeSymbol(String(stock.name))),
    channel: (row) => [...member(row, "channels", "name").map(normalizeName), ...member(row, "channels", "id")],
    author: (row) => [normalizeName(String(row.author))].filter((author) => author !== ""),
    "content type": (row) => [normalizeName(String(row.content_type))].filter((type) => type !== ""),
    importance: (row) => (row.importance === "" ? [] : [String(row.importance).toLowerCase()]),
    region: (row) => ((row.regions ?? []) as readonly string[]).map(region),
  },
  searchFields: {
    title: (row) => [String(row.title)],
    tags: (row) => member(row, "tags", "name"),
    body: (row) => textBlocks(String(row.body)),
  },
  entitlements: { history: "created", delay: "created", pollColumn: "updated" },
  intake: intakeFrom({
    keys: [],
    size: pageSize,
    days: { rule: byDay, column: "created" },
    since: { rule: updatedSince, column: "updated" },
    whole: [[displayOutput, "full"]],
    removed: newsRemovals,
    learnable: [
      { rule: byImportance, field: "importance", many: false, values: importances },
      { rule: byContentType, field: "content_type", many: false },
      { rule: byRegion, field: "regions", many: true },
    ],
  }),
  messages: {
    path: "/api/v1/news/stream",
    kind: "news",
    rules: [linkedTo("isin", "isins", "ISINs of the item's stocks", symbols("ISINs", "US3078331034"))],
    story: { kind: "News/v1", content: asStory },
  },
  fillDefaults: (row) => (row.updated === 0 ? { ...row, updated: row.created ?? 0 } : row),
  notes: [
    "Titles and tags are plain text; bodies and teasers may contain HTML. Topics match whole words, regardless of case and accents; a phrase matches within the title, within a single tag, or within one block of the body.",
    "With `topics`, title matches come first, then tag matches, then body matches, newest first within each, unless `sort`, `updatedSince`, or `publishedSince` determines the order.",
    "`sort` takes precedence over the order implied by `updatedSince` or `publishedSince`. With both of these, an item must match both, and `updatedSince` determines the order.",
  ],
});

function asText(html: Json): string {
  return plainText(String(html));
}

function asStory(row: Row, revision: number): Json {
  const iso = (seconds: Json | undefined): string => new Date(Number(seconds) * 1000).toISOString();
  const { id = null, title = "", body = "", teaser = "", url = "", content_type: type = "" } = row;
  return {
    ...{ id, revision_id: revision, type, title, body, teaser, url },
    authors: [String(row.author)].filter((author) => author !== ""),
    tags: member(row, "tags", "name"),
    channels: member(row, "channels", "name"),
    securities: rows(row.stocks).map(({ name = "", exchange = "", primary = false }) => ({
      ...{ symbol: name, exchange, primary },
    })),
    image: member(row, "image", "url")[0] ?? null,
    created_at: iso(row.created),
    updated_at: iso(row.updated),
  };
}
