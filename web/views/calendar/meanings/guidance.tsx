// Guidance: the range that a company gives, against what was expected of it.
import { compact, decimal } from "../../../format/number.ts";
import { rangeText, rangeTone } from "../../../format/range.ts";
import { type Item, TickerLink, textOf } from "../../../parts/table/column.tsx";
import { type Meaning, shared } from "../meaning.tsx";

function guided(what: "eps" | "revenue", label: string, text: (value: unknown) => string) {
  const field = (record: Item, end: string): unknown => record[`${what}_guidance_${end}`];
  return {
    [`${what}_range`]: {
      label: `${label} guided`,
      doc: "The guided range; coloured by where its middle lies to the estimate.",
      align: "end" as const,
      arrow: true as const,
      show: (record: Item) => rangeText(field(record, "min"), field(record, "max"), text),
      tone: (record: Item) => rangeTone(field(record, "min"), field(record, "max"), field(record, "est")),
    },
    [`${what}_prior_range`]: {
      label: "Before",
      doc: "The range that was guided before.",
      align: "end" as const,
      show: (record: Item) => rangeText(field(record, "prior_min"), field(record, "prior_max"), text),
    },
    ...Object.fromEntries(
      ["est", "min", "max", "prior_min", "prior_max"].map((end) => [
        `${what}_guidance_${end}`,
        { ...(end === "est" ? { label: `${label} est.` } : {}), show: (record: Item) => text(field(record, end)) },
      ]),
    ),
  };
}

export const guidance: Meaning = {
  columns: [
    "ticker",
    "date",
    "time",
    "name",
    "for",
    "eps_range",
    "eps_guidance_est",
    "eps_prior_range",
    "revenue_range",
    "revenue_guidance_est",
    "revenue_prior_range",
    "importance",
  ],
  own: {
    ...shared,
    ticker: { show: ({ ticker }) => <TickerLink symbol={ticker} /> },
    for: {
      label: "For",
      doc: "Fiscal period that the guidance is for.",
      show: ({ period, period_year }) => `${textOf(period)} ${textOf(period_year)}`,
    },
    ...guided("eps", "EPS", decimal),
    ...guided("revenue", "Revenue", compact),
  },
  filters: ["tickers", "date_from", "date_to", "importance", "is_primary"],
  nameOf: ({ ticker, period, period_year }) => `${textOf(ticker)} for ${textOf(period)} ${textOf(period_year)}`,
};
