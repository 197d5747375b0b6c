// Economic releases: actual against consensus. Above is not always good news: colours say above and below, no more.
import { toneOf } from "../../../format/number.ts";
import { textOf } from "../../../parts/table/column.tsx";
import { type Meaning, shared } from "../meaning.tsx";

/** The abbreviated value where there is one. */
const figure = (short: unknown, long: unknown): string => (textOf(short) || textOf(long)).replace(/^-/, "−");

export const economics: Meaning = {
  columns: [
    "event_name",
    "date",
    "time",
    "country",
    "importance",
    "event_period",
    "actual",
    "consensus",
    "prior",
    "event_category",
  ],
  own: {
    ...shared,
    event_name: { label: "Release", most: 36 },
    event_period: { label: "For" },
    event_category: { label: "Category" },
    actual: {
      doc: "Value as released; coloured by whether it is above or below the consensus.",
      align: "end",
      arrow: true,
      show: ({ actual, actual_t }) => figure(actual_t, actual),
      tone: ({ actual, consensus }) => toneOf(actual, consensus),
    },
    consensus: { align: "end", show: ({ consensus, consensus_t }) => figure(consensus_t, consensus) },
    prior: { label: "Before", align: "end", show: ({ prior, prior_t }) => figure(prior_t, prior) },
  },
  filters: ["date_from", "date_to", "country", "event_category", "importance"],
  nameOf: ({ event_name, country }) => `${textOf(event_name)}, ${textOf(country)}`,
};
