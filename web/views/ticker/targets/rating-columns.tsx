// Columns of the table of rating changes.
import { timeText } from "../../../api/time-zone.ts";
import { dayText } from "../../../format/day.ts";
import { changeOf, decimal, signed, type Tone, toneOf } from "../../../format/number.ts";
import { cardOf } from "../../../parts/table/card.tsx";
import { type Column, textOf } from "../../../parts/table/column.tsx";
import { ValueChange } from "../../../parts/table/value-change.tsx";

const tones: Readonly<Record<string, Tone>> = { Upgrades: "up", Downgrades: "down" };

export const changeColumns: readonly Column[] = [
  { name: "date", label: "Date", width: 12, show: ({ date }) => dayText(textOf(date)) },
  { name: "time", label: "Time", width: 8, show: ({ date, time }) => timeText(date, time) },
  { name: "analyst", label: "Firm", width: 15, grow: true, show: ({ analyst }) => textOf(analyst) },
  { name: "analyst_name", label: "Analyst", width: 14, grow: true, show: ({ analyst_name }) => textOf(analyst_name) },
  {
    name: "action",
    ...{ label: "Action", width: 12, arrow: true },
    show: ({ action_company }) => textOf(action_company).replace(/ Coverage On$/, ""),
    tone: ({ action_company }) => tones[textOf(action_company)],
  },
  {
    name: "rating",
    ...{ label: "Rating", width: 22, grow: true },
    show: ({ rating_prior, rating_current }) => <ValueChange from={textOf(rating_prior)} to={textOf(rating_current)} />,
  },
  {
    name: "target",
    ...{ label: "Target", align: "end", width: 19 },
    show: ({ pt_prior, pt_current }) => <ValueChange from={decimal(pt_prior)} to={decimal(pt_current)} />,
  },
  {
    name: "change",
    ...{ label: "Change", align: "end", width: 8 },
    show: (record) => signed(changeOf(record.pt_current, record.pt_prior), 1, "%"),
    tone: (record) => toneOf(record.pt_current, record.pt_prior),
  },
];

export const changeCard = cardOf(changeColumns, {
  ...{ title: ["analyst"], when: ["date", "time"] },
  ...{ about: ["action", "analyst_name"], values: ["rating", "target"] },
});
