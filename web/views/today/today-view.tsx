// A day at a glance: releases, reports, ratings, dividends and calls, with the news beside them and the week above.
import { useEffect, useState } from "preact/hooks";
import { recordsOf } from "../../api/client.ts";
import { useDocument } from "../../api/document.ts";
import { today } from "../../api/settings.ts";
import { navigate } from "../../app/location.ts";
import type { ViewProps } from "../../app/routes.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { addDays, isDay, longDay } from "../../format/day.ts";
import { Frame } from "../../parts/frame.tsx";
import { callOf, usePart } from "../../parts/part.ts";
import { useOpenRecord } from "../../parts/record/open-record.tsx";
import { useRefresh } from "../../parts/refresh.ts";
import type { Item } from "../../parts/table/column.tsx";
import { countsRequest, dayRequest, newsRequest } from "./day-requests.ts";
import { DaySection } from "./day-section.tsx";
import { LatestNews } from "./latest-news.tsx";
import { type DayCounts, dayHref, nextBusyDay, WeekStrip } from "./week-strip.tsx";
import "./today.css";

/** The present day is asked for again after so long. */
const refreshMs = 60_000;

export function TodayView({ segments }: ViewProps) {
  const present = usePresentDay();
  const day = segments.day ?? present;
  if (!isDay(day)) {
    return (
      <Frame title="No such day" calls={[]}>
        <p class="empty">
          <code>{day}</code> is not a day as <code>YYYY-MM-DD</code>. <a href="/">Today</a>
        </p>
      </Frame>
    );
  }
  return <Day day={day} present={present} />;
}

/** The day that it is now, also when the page stays open over midnight. */
function usePresentDay(): string {
  const [present, setPresent] = useState(today);
  useEffect(() => {
    const timer = setInterval(() => setPresent(today()), refreshMs);
    return () => clearInterval(timer);
  }, []);
  return present;
}

function Day({ day, present }: { readonly day: string; readonly present: string }) {
  const document = useDocument();
  const week = usePart("Counts by day", countsRequest(document, day));
  const listings = document?.listings ?? [];
  // The document is there before any view and never changes, so these hooks are always called in the same order.
  const parts = listings.flatMap((listing) => {
    const shown = listing.display.day;
    return shown === undefined ? [] : [{ listing, shown, ...usePart(shown.title, dayRequest(listing, shown, day)) }];
  });
  const news = usePart("News", newsRequest(document, day));
  const all = [...parts, news, week];
  useRefresh(
    () => {
      for (const { asked } of all) asked.again();
    },
    refreshMs,
    day === present,
  );
  useDayKeys(day, present);
  const { aside, open, openId } = useOpenRecord(document, (name) =>
    recordsOf<Item>(parts.find(({ listing }) => listing.name === name)?.asked.answer?.body),
  );
  const counts = recordsOf<DayCounts>(week.asked.answer?.body);
  const first = parts.find(({ asked }) => recordsOf(asked.answer?.body).length > 0)?.listing;
  const isQuiet = first === undefined && parts.every(({ asked }) => asked.answer !== undefined && !asked.loading);
  return (
    <Frame
      title={day === present ? "Today" : longDay(day)}
      about={day === present ? longDay(day) : undefined}
      calls={all.flatMap(callOf)}
      aside={aside}
      actions={<DayTurns day={day} present={present} />}
    >
      <WeekStrip day={day} today={present} counts={counts} listings={listings} />
      {isQuiet && <Quiet next={nextBusyDay(day, counts, listings)} present={present} />}
      <div class={isQuiet ? "day without-events" : "day"}>
        <div class="day-events">
          {[0, 1].map((column) => (
            <div key={column} class="day-column">
              {parts
                .filter(({ shown }) => shown.column === column)
                .map(({ listing, shown, asked }) => (
                  <DaySection
                    key={listing.name}
                    listing={listing}
                    shown={shown}
                    day={day}
                    asked={asked}
                    onOpen={open}
                    openId={openId}
                    keys={listing === first}
                  />
                ))}
            </div>
          ))}
        </div>
        <LatestNews day={day} asked={news.asked} />
      </div>
    </Frame>
  );
}

/** What is said of a day on which nothing happens. */
function Quiet({ next, present }: { readonly next: string | undefined; readonly present: string }) {
  return (
    <p class="quiet-day">
      Nothing is listed for this day.
      {next !== undefined && (
        <>
          {" "}
          Next comes <a href={dayHref(next, present)}>{longDay(next)}</a>.
        </>
      )}
    </p>
  );
}

function DayTurns({ day, present }: { readonly day: string; readonly present: string }) {
  return (
    <>
      <a
        class="button"
        href={dayHref(addDays(day, -1), present)}
        title="The day before ([)"
        aria-label="The day before"
      >
        ‹
      </a>
      <input
        type="date"
        aria-label="Day"
        value={day}
        onChange={({ currentTarget }) => {
          if (isDay(currentTarget.value)) navigate(dayHref(currentTarget.value, present));
        }}
      />
      <a class="button" href={dayHref(addDays(day, 1), present)} title="The next day (])" aria-label="The next day">
        ›
      </a>
      {day !== present && (
        <a class="button" href="/">
          Today
        </a>
      )}
    </>
  );
}

function useDayKeys(day: string, present: string): void {
  useShortcuts([
    { keys: "[", does: "the day before", run: () => navigate(dayHref(addDays(day, -1), present)) },
    { keys: "]", does: "the next day", run: () => navigate(dayHref(addDays(day, 1), present)) },
  ]);
}
