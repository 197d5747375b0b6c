// A calendar: its records as a table or as a month, with every filter of its endpoint.
import { useDocument } from "../../api/document.ts";
import { usePlace } from "../../app/location.ts";
import type { ViewProps } from "../../app/routes.ts";
import { Frame } from "../../parts/frame.tsx";
import { CalendarTable } from "./calendar-table.tsx";
import { MonthSheet } from "./month-sheet.tsx";
import "./calendar.css";

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
  const Shown = query.get("view") === "month" ? MonthSheet : CalendarTable;
  return <Shown key={name} listing={listing} />;
}
