// Agenda of a calendar: a range of days in the order in which they happen, with the present moment.
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Listing, recordText } from "../../api/document.ts";
import { cacheKeyOf } from "../../api/request.ts";
import { now as currentTime, today } from "../../api/settings.ts";
import { pageZone, timeText } from "../../api/time-zone.ts";
import { openPanel, useLocation } from "../../app/location.ts";
import { longDay, shortDay } from "../../format/day.ts";
import { type WallTime, zoneCode } from "../../format/time-zone.ts";
import { cardOf } from "../../parts/columns/columns.ts";
import { type Item, textOf } from "../../parts/table/column.tsx";
import type { Band } from "../../parts/table/row-positions.ts";
import { Table } from "../../parts/table/table.tsx";
import { durationText, isAhead, nextImportant, sorted, sortingIn, sortingsBy, untilRecord } from "./agenda.ts";
import { columnsOf, optionalOf } from "./columns/columns.ts";
import { type DayRange, dayFilters, rangeOf } from "./day-range.ts";
import { RangeFrame } from "./range-frame.tsx";
import { useRange } from "./use-range.ts";

export function AgendaView({ listing }: { readonly listing: Listing }) {
  const { query, entry } = useLocation();
  const range = rangeOf("agenda", listing, query);
  const data = useRange(listing, query, range);
  const now = useNow();
  const { field } = dayFilters(listing);
  const sorting = sortingIn(query);
  const all = columnsOf(listing, query);
  const column = all.find(({ name }) => name === sorting?.name);
  const columns = column === undefined ? all.filter(({ name }) => name !== field) : all;
  const rows = useMemo(
    () => sorted(data.records, column, sorting?.isDescending === true),
    [data.records, column?.name, sorting?.isDescending],
  );
  const { bands, start } = useMemo(
    () => (column === undefined ? bandsOf(data.records, field, range, now) : { bands: undefined, start: 0 }),
    [data.records, field, range.from, range.to, now?.day, now?.clock, column === undefined, pageZone()],
  );
  const openId = query.get("record") ?? undefined;
  const open = ({ id }: Item) => openPanel({ record: textOf(id) }, openId !== undefined);
  const next = now === undefined ? undefined : nextImportant(listing, data.records, field, now);
  return (
    <RangeFrame
      view="agenda"
      listing={listing}
      range={range}
      data={data}
      about={next !== undefined && <Countdown listing={listing} record={next} field={field} onOpen={open} />}
      full
    >
      <Table
        caption={listing.title}
        columns={columns}
        optional={optionalOf(listing, query)}
        card={cardOf(listing, column === undefined ? [field] : [])}
        isSplit={openId !== undefined || query.get("panel") === "api"}
        rows={rows}
        idOf={({ id }) => textOf(id)}
        nameOf={(record) => recordText(listing.display.text, record)}
        openId={openId}
        onOpen={open}
        sortings={sortingsBy(all, query)}
        {...(bands === undefined ? {} : { bands })}
        startAt={start}
        scrollKey={`${entry} ${cacheKeyOf(data.request)} ${query.get("by") ?? ""}`}
        footer={data.isLoaded && rows.length === 0 ? "No matching records on these days." : undefined}
        keys
      />
    </RangeFrame>
  );
}

/** Updated often enough for a countdown in minutes. */
function useNow(): WallTime | undefined {
  const [value, setValue] = useState(currentTime);
  useEffect(() => {
    const timer = setInterval(() => setValue(currentTime()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return value;
}

function bandsOf(records: readonly Item[], field: string, range: DayRange, now: WallTime | undefined) {
  const counts = new Map<string, number>();
  for (const record of records) counts.set(textOf(record[field]), (counts.get(textOf(record[field])) ?? 0) + 1);
  const shows = now !== undefined && records.length > 0 && range.from <= now.day && now.day <= range.to;
  const ahead = shows ? records.findIndex((record) => isAhead(record, field, now)) : -1;
  const start = shows ? (ahead === -1 ? records.length : ahead) : 0;
  const bands = new Map<number, readonly Band[]>();
  for (const [index, record] of records.entries()) {
    const day = textOf(record[field]);
    const isFirst = index === 0 || textOf(records[index - 1]?.[field]) !== day;
    const line = shows && index === start ? [nowBand(now)] : [];
    const name = isFirst ? [dayBand(day, counts.get(day) ?? 0)] : [];
    // After the name of the current day, but before that of a later one.
    const both = day === now?.day ? [...name, ...line] : [...line, ...name];
    if (both.length > 0) bands.set(index, both);
  }
  if (shows && start === records.length) bands.set(start, [nowBand(now)]);
  return { bands, start };
}

const dayBand = (day: string, count: number): Band => ({
  id: day,
  sticks: true,
  content: (
    <>
      {longDay(day)}
      {day === today() ? " · Today" : ""} <span class="faint">{count}</span>
    </>
  ),
});

const nowBand = ({ day, clock }: WallTime): Band => ({
  id: "now",
  class: "now",
  content: `Now · ${timeText(day, clock)} ${zoneCode(pageZone())}`,
});

type CountdownProps = {
  readonly listing: Listing;
  readonly record: Item;
  readonly field: string;
  readonly onOpen: (record: Item) => void;
};

function Countdown({ listing: { display }, record, field, onOpen }: CountdownProps) {
  const left = untilRecord(record, field);
  const day = textOf(record[field]);
  const when =
    left === undefined
      ? `${day === today() ? "today" : shortDay(day)} ${timeText(day, record.time)}`.trim()
      : `in ${durationText(left)}`;
  return (
    <span class="countdown">
      <span>
        · Next <strong>{when}</strong>:
      </span>{" "}
      <button type="button" class="link" onClick={() => onOpen(record)}>
        {recordText(display.text, record).trim()}
      </button>
    </span>
  );
}
