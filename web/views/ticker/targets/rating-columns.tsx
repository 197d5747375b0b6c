// Columns of what analysts said: who, what, and how the target has moved.
import { clockText, dayText } from "../../../format/day.ts";
import { changeOf, decimal, signed, type Tone, toneOf } from "../../../format/number.ts";
import { type Column, textOf } from "../../../parts/table/column.tsx";
import { Step } from "../../../parts/table/step.tsx";

const tones: Readonly<Record<string, Tone>> = { Upgrades: "up", Downgrades: "down" };

export const changeColumns: readonly Column[] = [
  { name: "date", label: "Date", show: ({ date }) => dayText(textOf(date)) },
  { name: "time", label: "Time", show: ({ time }) => clockText(time) },
  { name: "analyst", label: "Firm", most: 24, show: ({ analyst }) => textOf(analyst) },
  { name: "analyst_name", label: "Analyst", most: 22, show: ({ analyst_name }) => textOf(analyst_name) },
  {
    name: "action",
    label: "Action",
    arrow: true,
    show: ({ action_company }) => textOf(action_company).replace(/ Coverage On$/, ""),
    tone: ({ action_company }) => tones[textOf(action_company)],
  },
  {
    name: "rating",
    label: "Rating",
    show: ({ rating_prior, rating_current }) => <Step from={textOf(rating_prior)} to={textOf(rating_current)} />,
  },
  {
    name: "target",
    label: "Price target",
    align: "end",
    show: ({ pt_prior, pt_current }) => <Step from={decimal(pt_prior)} to={decimal(pt_current)} />,
  },
  {
    name: "change",
    label: "Change",
    align: "end",
    show: (record) => signed(changeOf(record.pt_current, record.pt_prior), 1, "%"),
    tone: (record) => toneOf(record.pt_current, record.pt_prior),
  },
];
