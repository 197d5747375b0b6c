// Analyst ratings: what a firm said of a company, and where it sees the price.
import { changeOf, decimal, signed, type Tone, toneOf } from "../../../format/number.ts";
import { type Item, TickerLink, textOf } from "../../../parts/table/column.tsx";
import { Step } from "../../../parts/table/step.tsx";
import { type Meaning, shared } from "../meaning.tsx";

const analysts = "/api/v2.1/calendar/ratings/analysts";
const firms = "/api/v2.1/calendar/ratings/firms";

const tones: Readonly<Record<string, Tone>> = { Upgrades: "up", Raises: "up", Downgrades: "down", Lowers: "down" };

const byName = {
  path: analysts,
  label: ({ name_full, firm_name }: Item) => `${textOf(name_full)}, ${textOf(firm_name)}`,
};
const byFirm = { path: firms, label: ({ name }: Item) => textOf(name) };

export const ratings: Meaning = {
  columns: [
    "ticker",
    "date",
    "time",
    "name",
    "action_company",
    "rating",
    "pt_prior",
    "pt_current",
    "pt_change",
    "analyst",
    "importance",
    "analyst_name",
  ],
  own: {
    ...shared,
    ticker: { show: ({ ticker }) => <TickerLink symbol={ticker} /> },
    action_company: { label: "Action", tone: ({ action_company }) => tones[textOf(action_company)] },
    action_pt: { tone: ({ action_pt }) => tones[textOf(action_pt)] },
    rating: {
      label: "Rating",
      doc: "Rating in the firm's own words; what it was before, where that differs.",
      show: ({ rating_current, rating_prior }) => <Step from={textOf(rating_prior)} to={textOf(rating_current)} />,
    },
    pt_prior: { label: "Target before" },
    pt_current: {
      label: "Target",
      arrow: true,
      tone: ({ pt_current, pt_prior }) => toneOf(pt_current, pt_prior),
      show: ({ pt_current }) => decimal(pt_current),
    },
    pt_change: {
      label: "Change",
      doc: "Change of the price target in percent.",
      align: "end",
      show: (record) => signed(changeOf(record.pt_current, record.pt_prior), 1, "%"),
      tone: (record) => toneOf(record.pt_current, record.pt_prior),
    },
    analyst: { label: "Firm", most: 26 },
    analyst_name: { label: "Analyst", most: 22 },
  },
  filters: ["tickers", "date_from", "date_to", "action", "importance"],
  choices: { analyst_id: byName, analyst: byName, firm_id: byFirm, firm: byFirm },
  nameOf: ({ ticker, analyst }) => `${textOf(ticker)} by ${textOf(analyst)}`,
};
