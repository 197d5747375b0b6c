// Columns of the table of rating changes.
import { timeText } from "../../../api/time-zone.ts";
import { dayText } from "../../../format/day.ts";
import { changeOf, decimal, signed, type Tone, toneOf } from "../../../format/number.ts";
import { type Column, textOf } from "../../../parts/table/column.tsx";
import { ValueChange } from "../../../parts/table/value-change.tsx";

const tones: Readonly<Record<string, Tone>> = { Upgrades: "up", Downgrades: "down" };

export const changeColumns: readonly Column[] = [
  { name: "date", label: "Date", show: ({ date }) => dayText(textOf(date)) },
  { name: "time", label: "Time", show: ({ date, time }) => timeText(date, time) },
  { name: "analyst", label: "Firm", maxWidth: 24, show: ({ analyst }) => textOf(analyst) },
  { name: "analyst_name", label: "Analyst", maxWidth: 22, show: ({ analyst_name }) => textOf(analyst_name) },
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
    show: ({ rating_prior, rating_current }) => <ValueChange from={textOf(rating_prior)} to={textOf(rating_current)} />,
  },
  {
    name: "target",
    label: "Price target",
    align: "end",
    show: ({ pt_prior, pt_current }) => <ValueChange from={decimal(pt_prior)} to={decimal(pt_current)} />,
  },
  {
    name: "change",
    label: "Change",
    align: "end",
    show: (record) => signed(changeOf(record.pt_current, record.pt_prior), 1, "%"),
    tone: (record) => toneOf(record.pt_current, record.pt_prior),
  },
];
