// Formatting of columns by the name of their field, and computed columns.
import { today } from "../../api/settings.ts";
import { timeText } from "../../api/time-zone.ts";
import { dayText, shortDay } from "../../format/day.ts";
import {
  changeOf,
  compact,
  decimal,
  figure,
  numberOf,
  percent,
  signed,
  signedPercent,
  type Tone,
  toneOf,
} from "../../format/number.ts";
import { rangeText, rangeTone } from "../../format/range.ts";
import { capitalized, frequencyText } from "../../format/words.ts";
import { type Column, ExternalLink, type Item, TickerLink, textOf } from "../table/column.tsx";
import { figureTone } from "../table/figure-tone.ts";
import { ValueChange } from "../table/value-change.tsx";

/** What differs from the column of the field's kind; everything, for a computed column. */
type Formats = Readonly<Record<string, Partial<Column>>>;

function Importance({ level }: { readonly level: number }) {
  if (!(level > 0)) return null;
  return (
    <span class="dots" role="img" aria-label={`Importance ${level}`}>
      {"●".repeat(level)}
    </span>
  );
}

/** With the year instead of the weekday, unless it is the current year. */
const briefDay = (day: string): string => (day.slice(0, 4) === today().slice(0, 4) ? shortDay(day) : dayText(day));

const dayColumn = (name: string): Partial<Column> => ({
  width: 11,
  show: (record) => briefDay(textOf(record[name])),
});
const periodOf = ({ period, period_year }: Item): string =>
  `${textOf(period)} ${Number(period_year) > 0 ? textOf(period_year) : ""}`.trim();
const periodKey = ({ period, period_year }: Item): string => `${textOf(period_year)} ${textOf(period)}`;

const tones: Readonly<Record<string, Tone>> = { Upgrades: "up", Raises: "up", Downgrades: "down", Lowers: "down" };

const surprise = (name: string): Partial<Column> => ({
  width: 9,
  show: (record) => signedPercent(record[name], 1),
  tone: (record) => toneOf(record[name], 0),
});

/** A value with an arrow that compares it with another. */
const compared = (name: string, against: string, text: (value: unknown) => string): Partial<Column> => ({
  ...{ arrow: true, width: 9 },
  show: (record) => text(record[name]),
  tone: (record) => toneOf(record[name], record[against]),
});

const compactly = (...names: string[]): Formats =>
  Object.fromEntries(names.map((name) => [name, { width: 9, show: (record: Item) => compact(record[name]) }]));

/** Ranges compared with estimates, and their ends. */
function guidanceColumns(what: "eps" | "revenue", label: string, text: (value: unknown) => string): Formats {
  const field = (record: Item, end: string): unknown => record[`${what}_guidance_${end}`];
  const width = what === "eps" ? 15 : 16;
  return {
    [`${what}_range`]: {
      ...{ label, width, align: "end", arrow: true },
      of: [`${what}_guidance_min`, `${what}_guidance_max`],
      doc: "Guided range, colored by how its midpoint compares with the estimate.",
      show: (record) => rangeText(field(record, "min"), field(record, "max"), text),
      tone: (record) => rangeTone(field(record, "min"), field(record, "max"), field(record, "est")),
      sortedBy: (record) => field(record, "min"),
    },
    [`${what}_prior_range`]: {
      ...{ label: `Prior ${what === "eps" ? label : "revenue"}`, width, align: "end" },
      of: [`${what}_guidance_prior_min`, `${what}_guidance_prior_max`],
      doc: "Previously guided range.",
      show: (record) => rangeText(field(record, "prior_min"), field(record, "prior_max"), text),
      sortedBy: (record) => field(record, "prior_min"),
    },
    ...Object.fromEntries(
      ["est", "min", "max", "prior_min", "prior_max"].map((end) => [
        `${what}_guidance_${end}`,
        { width: 8, show: (record: Item) => text(field(record, end)) },
      ]),
    ),
  };
}

/** Common abbreviations, to save space. */
const shortCountries: Readonly<Record<string, string>> = { "United States": "US", "United Kingdom": "UK" };

const actionColumn: Partial<Column> = {
  ...{ label: "Action", width: 12, arrow: true },
  show: ({ action_company }) => textOf(action_company).replace(/ Coverage On$/, ""),
  tone: ({ action_company }) => tones[textOf(action_company)],
};

/** `21.50`, but `24`. */
const price = (value: unknown): string => decimal(value, Number.isInteger(numberOf(value)) ? 0 : 2);

/** By field name. */
export const formats: Formats = {
  ticker: {
    width: 7,
    show: ({ ticker, name }) => (
      <span title={textOf(name)}>
        <TickerLink symbol={ticker} />
      </span>
    ),
  },
  date: {
    width: 12,
    show: ({ date, date_confirmed }) =>
      date_confirmed === 0 ? (
        <>
          {briefDay(textOf(date))} <abbr title="Not confirmed by the company">?</abbr>
        </>
      ) : (
        briefDay(textOf(date))
      ),
  },
  date_confirmed: { width: 10, show: ({ date_confirmed }) => (date_confirmed === 1 ? "yes" : "no") },
  time: { label: "Time", narrowWidth: 7 },
  name: { label: "Company", width: 13, grow: true },
  importance: {
    ...{ label: "Imp.", width: 6, narrowWidth: 4, align: "start" },
    show: ({ importance }) => <Importance level={Number(importance)} />,
  },
  period: { width: 8, show: periodOf },
  for: {
    label: "Period",
    doc: "Fiscal period.",
    width: 8,
    show: periodOf,
    sortedBy: periodKey,
    of: ["period", "period_year"],
  },

  action_company: actionColumn,
  action_pt: { width: 11, tone: ({ action_pt }) => tones[textOf(action_pt)] },
  rating: {
    ...{ label: "Rating", width: 24 },
    doc: "Rating in the firm’s terms, with the previous one if it has changed.",
    show: ({ rating_current, rating_prior }) => <ValueChange from={textOf(rating_prior)} to={textOf(rating_current)} />,
    sortedBy: ({ rating_current }) => rating_current,
    of: ["rating_current", "rating_prior"],
  },
  pt_prior: { width: 11 },
  pt_current: compared("pt_current", "pt_prior", decimal),
  pt_change: {
    ...{ label: "Change", align: "end", width: 8 },
    doc: "Change in the price target, in percent.",
    show: ({ pt_current, pt_prior }) => signed(changeOf(pt_current, pt_prior), 1, "%"),
    tone: ({ pt_current, pt_prior }) => toneOf(pt_current, pt_prior),
    sortedBy: ({ pt_current, pt_prior }) => changeOf(pt_current, pt_prior),
  },
  target: {
    ...{ label: "Target", align: "end", width: 13, arrow: true },
    doc: "Price target, with the previous one if it has changed.",
    show: ({ pt_prior, pt_current }) => <ValueChange from={price(pt_prior)} to={price(pt_current)} />,
    tone: ({ pt_prior, pt_current }) => toneOf(pt_current, pt_prior),
    sortedBy: ({ pt_current }) => pt_current,
  },
  pt_pct_change: { width: 9, show: ({ pt_pct_change }) => signed(pt_pct_change, 2, "%") },
  analyst: { width: 18, narrowWidth: 10, grow: true },
  analyst_name: { width: 15, grow: true },

  dividend: compared("dividend", "dividend_prior", decimal),
  dividend_yield: { width: 8, show: ({ dividend_yield }) => percent(dividend_yield) },
  frequency: { width: 11, align: "start", show: ({ frequency }) => capitalized(frequencyText(frequency)) },
  ex_dividend_date: dayColumn("ex_dividend_date"),
  record_date: dayColumn("record_date"),
  payable_date: dayColumn("payable_date"),

  eps: compared("eps", "eps_est", decimal),
  eps_est: { width: 8 },
  eps_surprise_percent: surprise("eps_surprise_percent"),
  revenue: compared("revenue", "revenue_est", compact),
  revenue_est: { label: "Rev. est.", width: 9, show: ({ revenue_est }) => compact(revenue_est) },
  ...compactly("revenue_prior", "revenue_surprise"),
  revenue_surprise_percent: surprise("revenue_surprise_percent"),
  ...guidanceColumns("eps", "EPS", decimal),
  ...guidanceColumns("revenue", "Revenue", compact),

  country: { width: 15 },
  short_country: {
    ...{ label: "Country", width: 8 },
    show: ({ country }) => <span title={textOf(country)}>{shortCountries[textOf(country)] ?? textOf(country)}</span>,
    sortedBy: ({ country }) => country,
  },
  event_name: { width: 26, grow: true },
  event: {
    ...{ label: "Event", width: 17, grow: true },
    show: ({ event_name, event_period }) => (
      <span title={`${textOf(event_name)} ${textOf(event_period)}`.trim()}>
        {textOf(event_name)} <span class="faint">{textOf(event_period)}</span>
      </span>
    ),
    sortedBy: ({ event_name }) => event_name,
  },
  event_category: { width: 14 },
  actual: {
    ...{ align: "end", width: 9, arrow: true },
    doc: "Actual value; the arrow shows whether it is above or below the consensus, the color whether that is good or bad news.",
    show: ({ actual, actual_t }) => figure(actual_t, actual),
    tone: (record) => figureTone(record, record.actual, record.consensus),
  },
  consensus: { align: "end", width: 9, show: ({ consensus, consensus_t }) => figure(consensus_t, consensus) },
  prior: { align: "end", width: 8, show: ({ prior, prior_t }) => figure(prior_t, prior) },

  start_time: { width: 8, show: ({ date, start_time, time }) => timeText(date, textOf(start_time) || time) },
  webcast_url: {
    width: 9,
    show: ({ webcast_url }) => (webcast_url ? <ExternalLink href={textOf(webcast_url)}>Listen</ExternalLink> : ""),
  },
};
