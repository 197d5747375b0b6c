// A page as a calendar: an event per record, and canceled events for records that were removed.
import { type CalendarEvent, eventOf } from "../../../core/output/calendar-event.ts";
import { icalendar } from "../../../core/output/icalendar.ts";
import { matches } from "../../../core/query/evaluate.ts";
import type { ParsedQuery } from "../../../core/query/planner.ts";
import { renderRow } from "../../../core/record/render.ts";
import type { WireRecord } from "../../../core/record/row.ts";
import type { Store, StoreState } from "../../../store/store.ts";

/** Removals to look through. */
const maxRemovals = 1000;

export async function calendarPage(
  store: Store,
  parsedQuery: ParsedQuery,
  state: StoreState,
  records: readonly WireRecord[],
): Promise<string> {
  const { listing, plan, alarmMinutes } = parsedQuery;
  const toEvent = (record: WireRecord): CalendarEvent =>
    eventOf(record, describedBy(parsedQuery), state.rendering.zone);
  const isFirstPage = plan.offset === 0 && plan.after === undefined;
  return icalendar({
    name: describedBy(parsedQuery).calendar ?? listing.title,
    kind: plan.resource.name,
    color: describedBy(parsedQuery).color,
    events: records.map(toEvent),
    canceled: isFirstPage ? (await removedRecords(store, parsedQuery, state)).map(toEvent) : [],
    alarmMinutes,
  });
}

function describedBy({ listing }: ParsedQuery) {
  if (listing.event === undefined) throw new Error(`records of ${listing.name} are no events`);
  return listing.event;
}

/** Records that would match if they had been changed rather than removed. */
async function removedRecords(store: Store, parsedQuery: ParsedQuery, state: StoreState): Promise<WireRecord[]> {
  const { listing, plan, view } = parsedQuery;
  const { revised } = describedBy(parsedQuery);
  const overrides = "overrides" in listing ? listing.overrides?.(state.rendering) : undefined;
  const removed = await store.removedRecords(plan.resource, maxRemovals, state);
  return removed
    .filter(({ row, at }) => matches(plan, { ...row, [revised]: at }))
    .map(({ row, at }) => {
      const last = { ...row, [revised]: Math.max(at, Number(row[revised])) };
      return JSON.parse(renderRow(plan, last, view, state.rendering, overrides)) as WireRecord;
    });
}
