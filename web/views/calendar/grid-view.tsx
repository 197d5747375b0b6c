// Week or month of a calendar: the most important events of each day by name, with links to the rest.
import { type Listing, recordText } from "../../api/document.ts";
import { today } from "../../api/settings.ts";
import { timeText } from "../../api/time-zone.ts";
import { hrefWith, openPanel, useLocation } from "../../app/location.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { codeOfName } from "../../format/countries.ts";
import { longDay, monthOf, weekdayText, weeksOf } from "../../format/day.ts";
import { whole } from "../../format/number.ts";
import { capitalized, plural } from "../../format/words.ts";
import { type Item, textOf } from "../../parts/table/column.tsx";
import { importantFrom } from "./agenda.ts";
import { dayFilters, daysIn, rangeOf, rangeParams } from "./day-range.ts";
import { RangeFrame } from "./range-frame.tsx";
import { importanceOf, useRange } from "./use-range.ts";

/** Names per day. */
const maxNames = { week: 20, month: 4 };

type Props = { readonly listing: Listing; readonly view: "week" | "month" };

export function GridView({ listing, view }: Props) {
  const { query } = useLocation();
  const range = rangeOf(view, listing, query);
  const weeks = view === "month" ? weeksOf(monthOf(range.from)) : [daysIn(range)];
  const shown = { from: weeks[0]?.[0] ?? range.from, to: weeks.at(-1)?.at(-1) ?? range.to };
  const data = useRange(listing, query, shown);
  const byDay = Map.groupBy(data.records, (record) => textOf(record[dayFilters(listing).field]));
  useNextRecord(data.records, query.get("record"));
  return (
    <RangeFrame view={view} listing={listing} range={range} data={data}>
      <table class={`grid ${view}${data.isLoaded ? "" : " loading-days"}`}>
        <caption class="hidden">Events by day</caption>
        <thead>
          <tr>
            {(weeks[0] ?? []).map((day) => (
              <th key={day} scope="col">
                {weekdayText(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <DayCell
                  key={day}
                  listing={listing}
                  view={view}
                  day={day}
                  records={byDay.get(day) ?? []}
                  isLoaded={data.isLoaded}
                  isOfMonth={view === "week" || monthOf(day) === monthOf(range.from)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </RangeFrame>
  );
}

/** While a record is open, j and k move to the next and the previous one, also to those that aren't named. */
function useNextRecord(records: readonly Item[], openId: string | null): void {
  const at = records.findIndex(({ id }) => textOf(id) === openId);
  const move = (by: number) => {
    const next = records[at + by];
    if (next !== undefined) openPanel({ record: textOf(next.id) }, true);
  };
  useShortcuts(
    at < 0
      ? []
      : [
          { keys: "j", description: "next record", run: () => move(1) },
          { keys: "k", description: "previous record", run: () => move(-1) },
        ],
  );
}

type CellProps = Props & {
  readonly day: string;
  readonly records: readonly Item[];
  readonly isLoaded: boolean;
  readonly isOfMonth: boolean;
};

function DayCell({ listing, view, day, records, isLoaded, isOfMonth }: CellProps) {
  const location = useLocation();
  const agenda = hrefWith({ view: "agenda", ...rangeParams(listing, { from: day, to: day }) }, location);
  const byImportance = records.toSorted((a, b) => importanceOf(b) - importanceOf(a)).slice(0, maxNames[view]);
  // A week is read by time.
  const named = view === "month" ? byImportance : records.filter((record) => byImportance.includes(record));
  const classes = [isOfMonth ? "" : "other", day === today() ? "today" : "", records.length === 0 ? "none" : ""];
  return (
    <td class={classes.filter((each) => each !== "").join(" ")}>
      <a class="grid-day" href={agenda}>
        <span class="hidden">{longDay(day)}</span>
        <span class="grid-number" aria-hidden="true">
          {Number(day.slice(8))}
        </span>
        <span class="grid-weekday" aria-hidden="true">
          {weekdayText(day)}
        </span>
        <span class="hidden">{isLoaded ? plural(records.length, "record") : "loading"}</span>
        <span class="faint" aria-hidden="true">
          {records.length === 0 ? "" : whole(records.length)}
        </span>
      </a>
      {named.length > 0 && (
        <ul>
          {named.flatMap((record, at) => [
            view === "week" && <Session key={`${at} session`} record={record} before={named[at - 1]} />,
            <Event key={textOf(record.id)} listing={listing} record={record} hasTime={view === "week"} />,
          ])}
        </ul>
      )}
      {records.length > named.length && (
        <a class="grid-more" href={agenda}>
          +{whole(records.length - named.length)} more<span class="hidden"> on {longDay(day)}</span>
        </a>
      )}
    </td>
  );
}

const timeOf = ({ date, time, start_time }: Item): string => timeText(date, textOf(start_time) || time);

type SessionProps = { readonly record: Item; readonly before: Item | undefined };

/** `Before open`, above the first record of the session. */
function Session({ record, before }: SessionProps) {
  const text = timeOf(record);
  if (text === "" || isClock(text) || (before !== undefined && timeOf(before) === text)) return null;
  return <li class="grid-session faint">{capitalized(text)}</li>;
}

const isClock = (text: string): boolean => /^\d/.test(text);

type EventProps = { readonly listing: Listing; readonly record: Item; readonly hasTime: boolean };

function Event({ listing, record, hasTime }: EventProps) {
  const { query } = useLocation();
  const { display } = listing;
  const time = timeOf(record);
  const name = recordText(display.event ?? display.text, record).trim();
  // Where the ticker says it all.
  const company = name === textOf(record.ticker) ? textOf(record.name) : "";
  const isImportant = importantFrom(listing) > 0 && importanceOf(record) >= importantFrom(listing);
  const id = textOf(record.id);
  return (
    <li>
      <button
        type="button"
        class={`grid-event${isImportant ? " important" : ""}`}
        aria-pressed={query.get("record") === id}
        title={[recordText(display.text, record), time, isImportant ? "important" : ""].filter(Boolean).join(" · ")}
        onClick={() => openPanel({ record: id }, query.has("record"))}
      >
        {hasTime && isClock(time) && <span class="faint">{time} </span>}
        <span class="faint">{codeOfName(textOf(record.country))}</span> {name}
        {company !== "" && <span class="faint"> {company}</span>}
      </button>
    </li>
  );
}
