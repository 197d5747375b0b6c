// Calendar view: table or month.
import { useDocument } from "../../api/document.ts";
import { useLocation } from "../../app/location.ts";
import type { ViewProps } from "../../app/routes.ts";
import { Frame } from "../../parts/frame.tsx";
import { CalendarTable } from "./calendar-table.tsx";
import { MonthSheet } from "./month-sheet.tsx";
import "./calendar.css";

export function CalendarView({ segments: { name = "" } }: ViewProps) {
  const document = useDocument();
  const { query } = useLocation();
  if (document === undefined) return <p class="loading">Loading…</p>;
  const listing = document.listings.find((each) => each.isCalendar && each.name === name);
  if (listing === undefined) {
    return (
      <Frame title="Calendar not found" calls={[]}>
        <p class="empty">
          There is no calendar with this name. Available calendars:{" "}
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
