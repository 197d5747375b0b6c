// Week strip: a link for each day, with counts by list.
import type { Listing } from "../../api/document.ts";
import { addDays, mondayOf, shortDay, weekdayText } from "../../format/day.ts";
import { whole } from "../../format/number.ts";
import { plural } from "../../format/words.ts";

/** Counts of a day, by list. */
export type DayCounts = { readonly date: string } & Readonly<Record<string, number | string>>;

/** The next day with records in a calendar. */
export const nextBusyDay = (
  day: string,
  counts: readonly DayCounts[],
  listings: readonly Listing[],
): string | undefined =>
  counts
    .filter(({ date }) => date > day)
    .toSorted((left, right) => (left.date < right.date ? -1 : 1))
    .find((each) => listings.some(({ name, isCalendar }) => isCalendar && Number(each[name]) > 0))?.date;

type Props = {
  readonly day: string;
  readonly today: string;
  readonly counts: readonly DayCounts[];
  readonly listings: readonly Listing[];
};

export function WeekStrip({ day, today, counts, listings }: Props) {
  const monday = mondayOf(day);
  const days = Array.from({ length: 7 }, (_, at) => addDays(monday, at));
  return (
    <nav class="week" aria-label="Week">
      <a class="week-turn" href={dayHref(addDays(day, -7), today)} aria-label="Previous week" title="Previous week">
        ‹
      </a>
      <ol>
        {days.map((each) => (
          <li key={each}>
            <Day {...{ each, day, today, listings }} counts={counts.find(({ date }) => date === each)} />
          </li>
        ))}
      </ol>
      <a class="week-turn" href={dayHref(addDays(day, 7), today)} aria-label="Next week" title="Next week">
        ›
      </a>
    </nav>
  );
}

type DayProps = Omit<Props, "counts"> & { readonly each: string; readonly counts: DayCounts | undefined };

function Day({ each, day, today, counts, listings }: DayProps) {
  const totals = listings.map(({ name, display }) => ({ name, ...display, count: Number(counts?.[name] ?? 0) }));
  const words = totals.filter(({ count }) => count > 0).map(({ count, unit: [one, many] }) => plural(count, one, many));
  const summary = counts === undefined ? "" : words.length === 0 ? "no events" : words.join(", ");
  return (
    <a
      href={dayHref(each, today)}
      class={each === today ? "week-day is-today" : "week-day"}
      title={[shortDay(each), summary].filter((text) => text !== "").join(": ")}
      {...(each === day ? { "aria-current": "date" as const } : {})}
    >
      <span class="week-name">
        {weekdayText(each)} <strong>{Number(each.slice(8))}</strong>
      </span>
      <span class="hidden">
        {each === today ? " (today)" : ""}: {summary}
      </span>
      <span class="week-counts" aria-hidden="true">
        {totals.map(({ name, brief, count }) => (
          <span key={name} class={count === 0 ? "none" : ""}>
            {brief} <b>{counts === undefined ? "·" : whole(count)}</b>
          </span>
        ))}
      </span>
    </a>
  );
}

export const dayHref = (day: string, today: string): string => (day === today ? "/" : `/day/${day}`);
