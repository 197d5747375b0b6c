// Upcoming events of a company: earnings, conference calls, and dividend dates, soonest first.
import type { timeText as TimeText } from "../../api/time-zone.ts";
import { type Item, textOf } from "../../format/item.ts";
import { decimal } from "../../format/number.ts";
import { periodText } from "./periods.ts";

export type Event = {
  readonly day: string;
  readonly title: string;
  /** Time of day, amount. */
  readonly details: readonly string[];
  readonly listing: string;
  readonly record: Item;
  readonly isConfirmed: boolean;
};

export function nextEvents(
  { earnings, calls, dividends }: Readonly<Record<"earnings" | "calls" | "dividends", readonly Item[]>>,
  today: string,
  timeText: typeof TimeText,
): Event[] {
  const events = [
    ...earnings.map((record) => ({
      day: textOf(record.date),
      title: `Earnings ${periodText(record.period, record.period_year)}`.trim(),
      details: [
        timeText(record.date, record.time),
        decimal(record.eps_est) === "" ? "" : `EPS est. ${decimal(record.eps_est)}`,
      ],
      listing: "earnings",
      record,
      isConfirmed: record.date_confirmed === 1,
    })),
    ...calls.map((record) => ({
      day: textOf(record.date),
      title: "Conference call",
      details: [timeText(record.date, textOf(record.start_time) || record.time)],
      listing: "conference-calls",
      record,
      isConfirmed: record.confirmed !== false,
    })),
    ...dividends.flatMap((record) =>
      dividendDays.map(([field, title]) => ({
        day: textOf(record[field]),
        title,
        details: [decimal(record.dividend)],
        listing: "dividends",
        record,
        isConfirmed: record.confirmed !== false,
      })),
    ),
  ];
  return events
    .filter(({ day }) => day >= today)
    .map((event) => ({ ...event, details: event.details.filter((each) => each !== "") }))
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}

const dividendDays = [
  ["date", "Dividend announcement"],
  ["ex_dividend_date", "Ex-dividend"],
  ["payable_date", "Dividend payment"],
] as const;
