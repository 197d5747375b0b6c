// The next events of a company, side by side.
import { dayText, weekdayText } from "../../format/day.ts";
import { type Item, textOf } from "../../parts/table/column.tsx";
import { distance, type Event } from "./next-events.ts";

/** Shown of what is planned. */
const most = 6;

type Props = {
  readonly events: readonly Event[];
  readonly today: string;
  readonly onOpen: (listing: string, record: Item) => void;
};

export function NextStrip({ events, today, onOpen }: Props) {
  if (events.length === 0) return null;
  return (
    <section class="next" aria-labelledby="next">
      <h2 id="next">Next</h2>
      <ol>
        {events.slice(0, most).map(({ day, what, more, listing, record, isSure }) => (
          <li key={`${what} ${textOf(record.id)}`}>
            <button type="button" onClick={() => onOpen(listing, record)}>
              <strong>{what}</strong>
              <span>
                {weekdayText(day)}, {dayText(day)} {!isSure && <span title="The day is not confirmed">(expected)</span>}
              </span>
              <span class="faint">{[distance(day, today), ...more].join(" · ")}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
