// A calendar: its records as a table or as a month, with every filter of its endpoint.
import { useDocument } from "../../api/document.ts";
import { usePlace } from "../../app/location.ts";
import type { ViewProps } from "../../app/routes.ts";
import { Frame } from "../../parts/frame.tsx";
import { CalendarTable } from "./calendar-table.tsx";
import { type Meaning, plainMeaning } from "./meaning.tsx";
import { conferenceCalls } from "./meanings/conference-calls.tsx";
import { dividends } from "./meanings/dividends.tsx";
import { earnings } from "./meanings/earnings.tsx";
import { economics } from "./meanings/economics.tsx";
import { guidance } from "./meanings/guidance.tsx";
import { ratings } from "./meanings/ratings.tsx";
import { MonthSheet } from "./month-sheet.tsx";
import "./calendar.css";

const meanings: Readonly<Record<string, Meaning>> = {
  ratings,
  dividends,
  guidance,
  earnings,
  economics,
  "conference-calls": conferenceCalls,
};

export function CalendarView({ segments: { name = "" } }: ViewProps) {
  const document = useDocument();
  const { query } = usePlace();
  if (document === undefined) return <p class="loading">Loading…</p>;
  const listing = document.listings.find((each) => each.isCalendar && each.name === name);
  if (listing === undefined) {
    return (
      <Frame title="No such calendar" calls={[]}>
        <p class="empty">
          This server has no calendar of that name. It has{" "}
          {document.listings
            .filter(({ isCalendar }) => isCalendar)
            .map((each) => each.name)
            .join(", ")}
          .
        </p>
      </Frame>
    );
  }
  const meaning = meanings[name] ?? plainMeaning(listing);
  const Shown = query.get("view") === "month" ? MonthSheet : CalendarTable;
  return <Shown key={name} listing={listing} meaning={meaning} />;
}
