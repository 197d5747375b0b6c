// Columns of a calendar: selected by the OpenAPI document, with formatting by field name.
import type { Listing } from "../../api/document.ts";
import { today } from "../../api/settings.ts";
import { timeText } from "../../api/time-zone.ts";
import { shortDay } from "../../format/day.ts";
import {
  changeOf,
  compact,
  decimal,
  figure,
  percent,
  signed,
  signedPercent,
  type Tone,
  toneOf,
} from "../../format/number.ts";
import { rangeText, rangeTone } from "../../format/range.ts";
import { frequencyText } from "../../format/words.ts";
import { type Column, columnOf, ExternalLink, type Item, TickerLink, textOf } from "../../parts/table/column.tsx";
import { figureTone } from "../../parts/table/figure-tone.ts";
import { ValueChange } from "../../parts/table/value-change.tsx";

type ColumnOverrides = Readonly<Record<string, Partial<Column>>>;

/** Columns selected in the URL, all, or the defaults of the OpenAPI document. */
export function columnsOf({ fields, display }: Listing, query: URLSearchParams): Column[] {
  const selected = (query.get("fields") ?? "").split(",").filter((name) => name !== "");
  const all = [...new Set([...display.columns, ...fields.map(({ name }) => name)])];
  const showsAll = selected.length > 0 ? selected.includes("*") : query.get("columns") === "all";
  const names = showsAll ? all : selected.length > 0 ? selected.map((name) => name.trim()) : display.columns;
  return names.flatMap((name) => {
    const field = fields.find((each) => each.name === name);
    if (field === undefined && overrides[name] === undefined) return [];
    const base = field === undefined ? { name, label: name, show: () => "" } : columnOf(field);
    const label = display.labels?.[name];
    return [{ ...base, ...overrides[name], ...(label === undefined ? {} : { label }) }];
  });
}

function Importance({ level }: { readonly level: number }) {
  if (!(level > 0)) return null;
  return (
    <span class="dots" role="img" aria-label={`Importance ${level}`}>
      {"●".repeat(level)}
    </span>
  );
}

/** With the year, unless it is the current one. */
const dayWithYear = (day: string): string =>
  day.slice(0, 4) === today().slice(0, 4) || day === "" ? shortDay(day) : `${shortDay(day)}, ${day.slice(0, 4)}`;

const dayColumn = (name: string): Partial<Column> => ({ show: (record) => dayWithYear(textOf(record[name])) });
const periodOf = ({ period, period_year }: Item): string => `${textOf(period)} ${textOf(period_year)}`.trim();

const tones: Readonly<Record<string, Tone>> = { Upgrades: "up", Raises: "up", Downgrades: "down", Lowers: "down" };

const surprise = (name: string): Partial<Column> => ({
  show: (record) => signedPercent(record[name], 1),
  tone: (record) => toneOf(record[name], 0),
});

/** A value with an arrow that compares it with another. */
const compared = (name: string, against: string, text: (value: unknown) => string): Partial<Column> => ({
  arrow: true,
  show: (record) => text(record[name]),
  tone: (record) => toneOf(record[name], record[against]),
});

const compactly = (...names: string[]): ColumnOverrides =>
  Object.fromEntries(names.map((name) => [name, { show: (record: Item) => compact(record[name]) }]));

/** Ranges compared with estimates, and their ends. */
function guidanceColumns(what: "eps" | "revenue", label: string, text: (value: unknown) => string): ColumnOverrides {
  const field = (record: Item, end: string): unknown => record[`${what}_guidance_${end}`];
  return {
    [`${what}_range`]: {
      label: `${label} guidance`,
      doc: "Guided range, colored by how its midpoint compares with the estimate.",
      align: "end",
      arrow: true,
      show: (record) => rangeText(field(record, "min"), field(record, "max"), text),
      tone: (record) => rangeTone(field(record, "min"), field(record, "max"), field(record, "est")),
    },
    [`${what}_prior_range`]: {
      label: "Prior",
      doc: "Previously guided range.",
      align: "end",
      show: (record) => rangeText(field(record, "prior_min"), field(record, "prior_max"), text),
    },
    ...Object.fromEntries(
      ["est", "min", "max", "prior_min", "prior_max"].map((end) => [
        `${what}_guidance_${end}`,
        { show: (record: Item) => text(field(record, end)) },
      ]),
    ),
  };
}

/** By field name. */
const overrides: ColumnOverrides = {
  ticker: { show: ({ ticker }) => <TickerLink symbol={ticker} /> },
  date: { show: ({ date, date_confirmed }) => `${dayWithYear(textOf(date))}${date_confirmed === 0 ? " ?" : ""}` },
  time: { label: "Time", show: ({ date, time }) => timeText(date, time) },
  name: { label: "Company", maxWidth: 26 },
  importance: { label: "Imp.", align: "start", show: ({ importance }) => <Importance level={Number(importance)} /> },
  period: { show: periodOf },
  for: { label: "Period", doc: "Fiscal period.", show: periodOf },

  action_company: { tone: ({ action_company }) => tones[textOf(action_company)] },
  action_pt: { tone: ({ action_pt }) => tones[textOf(action_pt)] },
  rating: {
    label: "Rating",
    doc: "Rating in the firm’s terms, with the previous one if it has changed.",
    show: ({ rating_current, rating_prior }) => <ValueChange from={textOf(rating_prior)} to={textOf(rating_current)} />,
  },
  pt_current: compared("pt_current", "pt_prior", decimal),
  pt_change: {
    label: "Change",
    doc: "Change in the price target, in percent.",
    align: "end",
    show: ({ pt_current, pt_prior }) => signed(changeOf(pt_current, pt_prior), 1, "%"),
    tone: ({ pt_current, pt_prior }) => toneOf(pt_current, pt_prior),
  },
  analyst: { maxWidth: 26 },
  analyst_name: { maxWidth: 22 },

  dividend: compared("dividend", "dividend_prior", decimal),
  dividend_yield: { show: ({ dividend_yield }) => percent(dividend_yield) },
  frequency: { align: "start", show: ({ frequency }) => frequencyText(frequency) },
  ex_dividend_date: dayColumn("ex_dividend_date"),
  record_date: dayColumn("record_date"),
  payable_date: dayColumn("payable_date"),

  eps: compared("eps", "eps_est", decimal),
  eps_surprise_percent: surprise("eps_surprise_percent"),
  revenue: compared("revenue", "revenue_est", compact),
  ...compactly("revenue_est", "revenue_prior", "revenue_surprise"),
  revenue_surprise_percent: surprise("revenue_surprise_percent"),
  ...guidanceColumns("eps", "EPS", decimal),
  ...guidanceColumns("revenue", "Revenue", compact),

  event_name: { maxWidth: 36 },
  actual: {
    doc: "Released value; the arrow compares it with the consensus, in color if that is good or bad news.",
    align: "end",
    arrow: true,
    show: ({ actual, actual_t }) => figure(actual_t, actual),
    tone: (record) => figureTone(record, record.actual, record.consensus),
  },
  consensus: { align: "end", show: ({ consensus, consensus_t }) => figure(consensus_t, consensus) },
  prior: { align: "end", show: ({ prior, prior_t }) => figure(prior_t, prior) },

  start_time: { show: ({ date, start_time, time }) => timeText(date, textOf(start_time) || time) },
  webcast_url: {
    show: ({ webcast_url }) => (webcast_url ? <ExternalLink href={textOf(webcast_url)}>Listen</ExternalLink> : ""),
  },
};
