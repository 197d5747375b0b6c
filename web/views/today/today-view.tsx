// Day view: the week, events from all calendars, and news.
import { useEffect, useState } from "preact/hooks";
import { recordsOf } from "../../api/client.ts";
import { type Listing, useDocument } from "../../api/document.ts";
import { settings, today } from "../../api/settings.ts";
import { navigate, useLocation } from "../../app/location.ts";
import type { ViewProps } from "../../app/routes.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { useSignal } from "../../app/signal.ts";
import { addDays, isDay, longDay, relativeDay } from "../../format/day.ts";
import { callOf, isSettled, useDataSource } from "../../parts/data-source.ts";
import { EmptyServer } from "../../parts/empty-server.tsx";
import { Frame } from "../../parts/frame.tsx";
import { useOpenRecord } from "../../parts/record/open-record.tsx";
import { useRefresh } from "../../parts/refresh.ts";
import type { Item } from "../../parts/table/column.tsx";
import { countsRequest, dayRequest, newsRequest } from "./day-requests.ts";
import { DaySection, type SectionProps } from "./day-section.tsx";
import { LatestNews } from "./latest-news.tsx";
import { type DayCounts, dayHref, nextBusyDay, WeekStrip } from "./week-strip.tsx";
import "./today.css";

/** Today is refreshed at this interval. */
const refreshMs = 60_000;

export function TodayView({ segments }: ViewProps) {
  const currentDay = useCurrentDay();
  const day = segments.day ?? currentDay;
  if (!isDay(day)) {
    return (
      <Frame title="Invalid date" calls={[]}>
        <p class="empty">
          <code>{day}</code> isn’t a valid date. Expected <code>YYYY-MM-DD</code>. Go to <a href="/">Today</a>.
        </p>
      </Frame>
    );
  }
  return <Day day={day} currentDay={currentDay} />;
}

/** Updates at midnight if the page stays open. */
function useCurrentDay(): string {
  const [currentDay, setCurrentDay] = useState(today);
  useEffect(() => {
    const timer = setInterval(() => setCurrentDay(today()), refreshMs);
    return () => clearInterval(timer);
  }, []);
  return currentDay;
}

function Day({ day, currentDay }: { readonly day: string; readonly currentDay: string }) {
  const document = useDocument();
  const { query } = useLocation();
  const week = useDataSource("Counts by day", countsRequest(document, day));
  const listings = document?.listings ?? [];
  // The document is loaded before any view and never changes, so the hook order is stable.
  const sources = listings.flatMap((listing) => {
    const dayDisplay = listing.display.day;
    return dayDisplay === undefined
      ? []
      : [{ listing, dayDisplay, ...useDataSource(dayDisplay.title, dayRequest(listing, dayDisplay, day, query)) }];
  });
  const news = useDataSource("News", newsRequest(document, day, query));
  const all = [...sources, news, week];
  useRefresh(
    () => {
      for (const { result } of all) result.refetch();
    },
    refreshMs,
    day === currentDay,
  );
  useDayKeys(day, currentDay);
  const { aside, open, openId } = useOpenRecord(document, (name) =>
    recordsOf<Item>(sources.find(({ listing }) => listing.name === name)?.result.response?.body),
  );
  const counts = recordsOf<DayCounts>(week.result.response?.body);
  // One after the other, so that none is moved by another one above it.
  const inColumns = sources.toSorted((a, b) => a.dayDisplay.column - b.dayDisplay.column);
  const first = sources.find(({ result }) => recordsOf(result.response?.body).length > 0)?.listing;
  const pending = inColumns.findIndex((source) => !isSettled(source));
  const isEmpty =
    first === undefined && sources.every(({ result }) => result.response !== undefined && !result.loading);
  return (
    <Frame
      title={day === currentDay ? "Today" : longDay(day)}
      about={day === currentDay ? longDay(day) : relativeDay(day, currentDay)}
      calls={all.flatMap(callOf)}
      aside={aside}
      actions={<DayNavigation day={day} currentDay={currentDay} />}
    >
      <WeekStrip day={day} today={currentDay} counts={counts} listings={listings} />
      {isEmpty && <EmptyDay listings={listings} next={nextBusyDay(day, counts, listings)} currentDay={currentDay} />}
      <div class="day-container">
        <div class={isEmpty ? "day no-events" : "day"}>
          <Events
            sources={pending === -1 ? inColumns : inColumns.slice(0, pending + 1)}
            first={first}
            day={day}
            onOpen={open}
            openId={openId}
          />
          {pending === -1 && <LatestNews day={day} result={news.result} />}
        </div>
      </div>
    </Frame>
  );
}

type EventsProps = Pick<SectionProps, "day" | "onOpen" | "openId"> & {
  readonly sources: readonly Pick<SectionProps, "listing" | "dayDisplay" | "result">[];
  /** The first one with records, which handles the keys. */
  readonly first: Listing | undefined;
};

function Events({ sources, first, ...section }: EventsProps) {
  return (
    <div class="day-events">
      {[0, 1].map((column) => (
        <div key={column} class="day-column">
          {sources
            .filter(({ dayDisplay }) => dayDisplay.column === column)
            .map(({ listing, dayDisplay, result }) => (
              <DaySection
                {...section}
                key={listing.name}
                listing={listing}
                dayDisplay={dayDisplay}
                result={result}
                keys={listing === first}
              />
            ))}
        </div>
      ))}
    </div>
  );
}

type EmptyProps = {
  readonly listings: readonly Listing[];
  readonly next: string | undefined;
  readonly currentDay: string;
};

function EmptyDay({ listings, next, currentDay }: EmptyProps) {
  const isNew = useSignal(settings).empty === true;
  if (isNew) return <EmptyServer resource={listings[0]?.name ?? ""} />;
  return (
    <p class="empty-day">
      No events on this day.
      {next !== undefined && (
        <>
          {" "}
          Next day with events: <a href={dayHref(next, currentDay)}>{longDay(next)}</a>
        </>
      )}
    </p>
  );
}

function DayNavigation({ day, currentDay }: { readonly day: string; readonly currentDay: string }) {
  return (
    <>
      <a class="button" href={dayHref(addDays(day, -1), currentDay)} title="Previous day ([)" aria-label="Previous day">
        ‹
      </a>
      <input
        type="date"
        aria-label="Date"
        value={day}
        onChange={({ currentTarget }) => {
          if (isDay(currentTarget.value)) navigate(dayHref(currentTarget.value, currentDay));
        }}
      />
      <a class="button" href={dayHref(addDays(day, 1), currentDay)} title="Next day (])" aria-label="Next day">
        ›
      </a>
      {day !== currentDay && (
        <a class="button" href="/">
          Today
        </a>
      )}
    </>
  );
}

function useDayKeys(day: string, currentDay: string): void {
  useShortcuts([
    { keys: "[", description: "previous day", run: () => navigate(dayHref(addDays(day, -1), currentDay)) },
    { keys: "]", description: "next day", run: () => navigate(dayHref(addDays(day, 1), currentDay)) },
  ]);
}
