// Upcoming events of a company.
import { dayText, relativeDay, weekdayText } from "../../format/day.ts";
import { type Item, textOf } from "../../parts/table/column.tsx";
import type { Event } from "./next-events.ts";

const maxEvents = 6;

type Props = {
  readonly events: readonly Event[];
  readonly today: string;
  readonly onOpen: (listing: string, record: Item) => void;
};

export function NextStrip({ events, today, onOpen }: Props) {
  if (events.length === 0) return null;
  return (
    <section class="next" aria-labelledby="next">
      <h2 id="next">Upcoming</h2>
      <ol>
        {events.slice(0, maxEvents).map(({ day, title, details, listing, record, isConfirmed }) => (
          <li key={`${title} ${textOf(record.id)}`}>
            <button type="button" onClick={() => onOpen(listing, record)}>
              <strong>{title}</strong>
              <span>
                {weekdayText(day)}, {dayText(day)} {!isConfirmed && <span title="Date not confirmed">(expected)</span>}
              </span>
              <span class="faint">{[relativeDay(day, today), ...details].join(" · ")}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
