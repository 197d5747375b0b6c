// Month sheet of a calendar: record counts with links to each day.
import { recordsOf } from "../../api/client.ts";
import { type Listing, useDocument } from "../../api/document.ts";
import { get } from "../../api/request.ts";
import { today } from "../../api/settings.ts";
import { useResponse } from "../../api/use-response.ts";
import { hrefWith, navigate, useLocation } from "../../app/location.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { addMonths, longDay, monthOf, monthText, weekdayText, weeksOf } from "../../format/day.ts";
import { whole } from "../../format/number.ts";
import { plural } from "../../format/words.ts";
import { Frame } from "../../parts/frame.tsx";
import { Notice } from "../../parts/notice.tsx";
import { ViewSwitch } from "./view-switch.tsx";

type Day = Readonly<Record<string, number | string>>;

/** Heat map levels, relative to the day with the most records. */
const shades = 4;

export function MonthSheet({ listing }: { readonly listing: Listing }) {
  const location = useLocation();
  const requested = location.query.get("month") ?? "";
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(requested)
    ? requested
    : monthOf(location.query.get("date_from") ?? today());
  const weeks = weeksOf(month);
  const days = weeks.flat();
  const request = get(useDocument()?.paths.listDays ?? "", [
    ["parameters[date_from]", days[0] ?? ""],
    ["parameters[date_to]", days.at(-1) ?? ""],
    ["pagesize", String(days.length)],
  ]);
  const { response, failure, refetch } = useResponse(request);
  const counts = new Map(
    recordsOf<Day>(response?.body).map((day) => [String(day.date), Number(day[listing.name] ?? 0)]),
  );
  const inMonth = days.filter((day) => monthOf(day) === month);
  const sum = inMonth.reduce((total, day) => total + (counts.get(day) ?? 0), 0);
  const maxCount = Math.max(1, ...counts.values());
  const monthHref = (by: number): string => hrefWith({ month: addMonths(month, by) }, location);
  useShortcuts([
    { keys: "[", description: "previous month", run: () => navigate(monthHref(-1)) },
    { keys: "]", description: "next month", run: () => navigate(monthHref(1)) },
  ]);
  return (
    <Frame
      title={`${listing.title}, ${monthText(month)}`}
      calls={[{ title: "Counts by day", request, body: response?.body }]}
      about={response === undefined ? undefined : `${plural(sum, "record")} (filters don’t apply)`}
      actions={
        <>
          <nav class="choices" aria-label="Months">
            <a class="button" href={monthHref(-1)} aria-label="Previous month" title="Previous month ([)">
              ‹
            </a>
            <a class="button" href={hrefWith({ month: undefined, date_from: undefined, date_to: undefined }, location)}>
              This month
            </a>
            <a class="button" href={monthHref(1)} aria-label="Next month" title="Next month (])">
              ›
            </a>
          </nav>
          <ViewSwitch now="month" />
        </>
      }
    >
      {failure !== undefined && <Notice failure={failure} refetch={refetch} />}
      <table class="month">
        <caption class="hidden">Records by day, {monthText(month)}</caption>
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
                  day={day}
                  count={counts.get(day)}
                  shade={Math.ceil(((counts.get(day) ?? 0) / maxCount) * shades)}
                  isOfMonth={monthOf(day) === month}
                  href={hrefWith(
                    {
                      view: undefined,
                      month: undefined,
                      date: undefined,
                      date_from: day,
                      date_to: day,
                      page: undefined,
                    },
                    location,
                  )}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Frame>
  );
}

type CellProps = {
  readonly day: string;
  /** Undefined until loaded. */
  readonly count: number | undefined;
  readonly shade: number;
  readonly isOfMonth: boolean;
  readonly href: string;
};

function DayCell({ day, count, shade, isOfMonth, href }: CellProps) {
  const classes = [`shade-${shade}`, isOfMonth ? "" : "other", day === today() ? "today" : ""];
  return (
    <td class={classes.filter((each) => each !== "").join(" ")}>
      <a href={href}>
        <span class="month-day">
          <span class="hidden">{longDay(day)}</span>
          <span aria-hidden="true">{Number(day.slice(8))}</span>
        </span>
        <span class="month-count">
          <span class="hidden">{count === undefined ? "loading" : plural(count, "record")}</span>
          <span aria-hidden="true">{count === undefined ? "" : count === 0 ? "–" : whole(count)}</span>
        </span>
      </a>
    </td>
  );
}
