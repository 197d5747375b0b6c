// Calendar view: agenda, week, month, or table.
import { useDocument } from "../../api/document.ts";
import { useLocation } from "../../app/location.ts";
import type { ViewProps } from "../../app/routes.ts";
import { Frame } from "../../parts/frame.tsx";
import { AgendaView } from "./agenda-view.tsx";
import { CalendarTable } from "./calendar-table.tsx";
import { GridView } from "./grid-view.tsx";
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
  const view = query.get("view");
  if (view === "agenda") return <AgendaView key={name} listing={listing} />;
  if (view === "week" || view === "month") return <GridView key={name} listing={listing} view={view} />;
  return <CalendarTable key={name} listing={listing} />;
}
