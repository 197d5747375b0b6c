// What is to come for a company: reports, calls and the days of dividends, the next one first.
import { clockText } from "../../format/day.ts";
import { type Item, textOf } from "../../format/item.ts";
import { decimal } from "../../format/number.ts";
import { periodText } from "./periods.ts";

export type Event = {
  readonly day: string;
  readonly what: string;
  /** More of it: when on that day, how much. */
  readonly more: readonly string[];
  readonly listing: string;
  readonly record: Item;
  readonly isSure: boolean;
};

export function nextEvents(
  { earnings, calls, dividends }: Readonly<Record<"earnings" | "calls" | "dividends", readonly Item[]>>,
  today: string,
): Event[] {
  const events = [
    ...earnings.map((record) => ({
      day: textOf(record.date),
      what: `Earnings ${periodText(record.period, record.period_year)}`.trim(),
      more: [clockText(record.time), decimal(record.eps_est) === "" ? "" : `EPS est. ${decimal(record.eps_est)}`],
      listing: "earnings",
      record,
      isSure: record.date_confirmed === 1,
    })),
    ...calls.map((record) => ({
      day: textOf(record.date),
      what: "Conference call",
      more: [clockText(textOf(record.start_time) || record.time)],
      listing: "conference-calls",
      record,
      isSure: record.confirmed !== false,
    })),
    ...dividends.flatMap((record) =>
      dividendDays.map(([field, what]) => ({
        day: textOf(record[field]),
        what,
        more: [decimal(record.dividend)],
        listing: "dividends",
        record,
        isSure: record.confirmed !== false,
      })),
    ),
  ];
  return events
    .filter(({ day }) => day >= today)
    .map((event) => ({ ...event, more: event.more.filter((each) => each !== "") }))
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}

const dividendDays = [
  ["date", "Dividend announced"],
  ["ex_dividend_date", "Ex-dividend"],
  ["payable_date", "Dividend paid"],
] as const;

/** `in 42 days`. */
export function distance(day: string, today: string): string {
  const days = Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);
  return days === 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`;
}
