// Columns of the day view, compact, with actual values next to estimates.
import type { Listing } from "../../api/document.ts";
import { timeText } from "../../api/time-zone.ts";
import { dayText } from "../../format/day.ts";
import { compact, decimal, figure, percent, signedPercent, type Tone, toneOf } from "../../format/number.ts";
import { rangeText, rangeTone } from "../../format/range.ts";
import { type Column, columnOf, ExternalLink, type Item, TickerLink, textOf } from "../../parts/table/column.tsx";
import { figureTone } from "../../parts/table/figure-tone.ts";
import { ValueChange } from "../../parts/table/value-change.tsx";

const blank = (text: string) => (text === "" ? <span class="faint">–</span> : text);

const ticker: Column = {
  name: "ticker",
  label: "Ticker",
  show: ({ ticker, name }) => (
    <span title={textOf(name)}>
      <TickerLink symbol={ticker} />
    </span>
  ),
};
const company: Column = { name: "name", label: "Company", maxWidth: 20, show: ({ name }) => textOf(name) };
const time: Column = { name: "time", label: "Time", show: ({ date, time }) => blank(timeText(date, time)) };
const period: Column = {
  name: "period",
  label: "Period",
  show: ({ period, period_year }) => [textOf(period), yearText(period_year)].filter((each) => each !== "").join(" "),
};

const yearText = (year: unknown): string => (Number(year) > 0 ? `’${String(year).slice(-2)}` : "");

function Importance({ value, of }: { readonly value: unknown; readonly of: number }) {
  const full = Math.min(Math.max(Number(value) || 0, 0), of);
  return (
    <span class="dots" role="img" aria-label={`importance ${full} of ${of}`} title={`Importance ${full} of ${of}`}>
      {"●".repeat(full)}
      <span class="none">{"●".repeat(of - full)}</span>
    </span>
  );
}

/** Common abbreviations, to save space. */
const shortCountries: Readonly<Record<string, string>> = { "United States": "US", "United Kingdom": "UK" };

const economics: Column[] = [
  time,
  {
    name: "importance",
    label: "Imp.",
    doc: "Importance, from 1 to 3",
    show: ({ importance }) => <Importance value={importance} of={3} />,
  },
  {
    name: "country",
    label: "Country",
    maxWidth: 10,
    show: ({ country }) => <span title={textOf(country)}>{shortCountries[textOf(country)] ?? textOf(country)}</span>,
  },
  {
    name: "event",
    label: "Event",
    maxWidth: 23,
    show: ({ event_name, event_period }) => (
      <span title={`${textOf(event_name)} ${textOf(event_period)}`.trim()}>
        {textOf(event_name)} <span class="faint">{textOf(event_period)}</span>
      </span>
    ),
  },
  {
    name: "actual",
    label: "Actual",
    align: "end",
    doc: "Released value, compared with the consensus",
    arrow: true,
    show: ({ actual, actual_t }) => blank(figure(actual_t, actual)),
    tone: (record) => figureTone(record, record.actual, record.consensus),
  },
  {
    name: "consensus",
    label: "Consensus",
    align: "end",
    show: ({ consensus, consensus_t }) => blank(figure(consensus_t, consensus)),
  },
  { name: "prior", label: "Prior", align: "end", show: ({ prior, prior_t }) => blank(figure(prior_t, prior)) },
];

const surprise = (name: string, label: string): Column => ({
  name,
  label,
  align: "end",
  doc: "Difference from the estimate, in percent",
  show: (record) => blank(signedPercent(record[name], 1)),
  tone: (record) => toneOf(record[name], 0),
});

const earnings: Column[] = [
  ticker,
  {
    name: "eps",
    label: "EPS",
    align: "end",
    arrow: true,
    show: ({ eps }) => blank(decimal(eps)),
    tone: ({ eps, eps_est }) => toneOf(eps, eps_est),
  },
  { name: "eps_est", label: "Est.", align: "end", show: ({ eps_est }) => blank(decimal(eps_est)) },
  surprise("eps_surprise_percent", "Surprise"),
  {
    name: "revenue",
    label: "Revenue",
    align: "end",
    arrow: true,
    show: ({ revenue }) => blank(compact(revenue)),
    tone: ({ revenue, revenue_est }) => toneOf(revenue, revenue_est),
  },
  { name: "revenue_est", label: "Est.", align: "end", show: ({ revenue_est }) => blank(compact(revenue_est)) },
  period,
];

const actionTones: Readonly<Record<string, Tone>> = { Upgrades: "up", Downgrades: "down" };

const ratings: Column[] = [
  ticker,
  {
    name: "action",
    label: "Action",
    arrow: true,
    show: ({ action_company }) => textOf(action_company).replace(/ Coverage On$/, ""),
    tone: ({ action_company }) => actionTones[textOf(action_company)],
  },
  { name: "firm", label: "Firm", maxWidth: 16, show: ({ analyst }) => textOf(analyst) },
  {
    name: "rating",
    label: "Rating",
    maxWidth: 24,
    show: ({ rating_prior, rating_current }) => {
      const [from, to] = [textOf(rating_prior), textOf(rating_current)];
      return (
        <span title={from === "" || from === to ? to : `${from} → ${to}`}>
          <ValueChange from={from} to={to} />
        </span>
      );
    },
  },
  {
    name: "target",
    label: "Target",
    doc: "Price target, with the previous one if it has changed",
    align: "end",
    show: ({ pt_prior, pt_current }) => <ValueChange from={decimal(pt_prior, 0)} to={decimal(pt_current, 0)} />,
    tone: ({ pt_prior, pt_current }) => toneOf(pt_current, pt_prior),
  },
];

const dividends: Column[] = [
  ticker,
  company,
  {
    name: "dividend",
    label: "Amount",
    align: "end",
    arrow: true,
    show: ({ dividend }) => blank(decimal(dividend)),
    tone: ({ dividend, dividend_prior }) => toneOf(dividend, dividend_prior),
  },
  {
    name: "yield",
    label: "Yield",
    align: "end",
    show: ({ dividend_yield }) => blank(percent(dividend_yield)),
  },
  { name: "payable", label: "Payable", align: "end", show: ({ payable_date }) => blank(dayText(textOf(payable_date))) },
];

const guidanceColumns = (what: "eps" | "revenue", label: string, print: (value: unknown) => string): Column[] => {
  const value = (record: Item, end: string) => record[`${what}_guidance_${end}`];
  const tone = (record: Item) => rangeTone(value(record, "min"), value(record, "max"), value(record, "est"));
  return [
    {
      name: `${what}_guided`,
      label,
      align: "end",
      doc: "Guided range; the arrow compares its midpoint with the estimate",
      arrow: true,
      show: (record) => blank(rangeText(value(record, "min"), value(record, "max"), print)),
      tone,
    },
    { name: `${what}_est`, label: "Est.", align: "end", show: (record) => blank(print(value(record, "est"))) },
  ];
};

const guidance: Column[] = [
  ticker,
  ...guidanceColumns("eps", "EPS", decimal),
  ...guidanceColumns("revenue", "Revenue", compact),
  period,
];

const calls: Column[] = [
  { ...time, show: ({ date, start_time, time }) => blank(timeText(date, textOf(start_time) || time)) },
  ticker,
  company,
  period,
  {
    name: "webcast",
    label: "Webcast",
    show: ({ webcast_url }) =>
      textOf(webcast_url) === "" ? (
        <span class="faint">–</span>
      ) : (
        <ExternalLink href={textOf(webcast_url)}>Listen</ExternalLink>
      ),
  },
];

/** Default for lists without specific columns: the first fields. */
export const plainColumns = ({ fields, display }: Listing): Column[] =>
  display.columns
    .flatMap((name) => fields.find((field) => field.name === name) ?? [])
    .slice(0, 6)
    .map(columnOf);

export const dayColumns: Readonly<Record<string, readonly Column[]>> = {
  economics,
  earnings,
  ratings,
  dividends,
  guidance,
  "conference-calls": calls,
};
