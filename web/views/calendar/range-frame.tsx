// Frame of a view that shows all records of a range of days: navigation, filters, and the open record.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Listing, recordText } from "../../api/document.ts";
import { settings } from "../../api/settings.ts";
import { closePanel, hrefWith, navigate, useLocation } from "../../app/location.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { useSignal } from "../../app/signal.ts";
import { dayRangeText, monthOf, monthText } from "../../format/day.ts";
import { whole } from "../../format/number.ts";
import { labelOf, plural } from "../../format/words.ts";
import { EmptyServer } from "../../parts/empty-server.tsx";
import { FilterForm } from "../../parts/filters/filter-form.tsx";
import { Frame } from "../../parts/frame.tsx";
import { Notice } from "../../parts/notice.tsx";
import { RecordPanel } from "../../parts/record/record-panel.tsx";
import { textOf } from "../../parts/table/column.tsx";
import { DayPresets } from "./day-presets.tsx";
import { type DayRange, dayFilters, moved, type RangeView, rangeParams } from "./day-range.ts";
import { useChoices } from "./use-choices.ts";
import { type RangeRecords, rangeFilters } from "./use-range.ts";
import { ViewSwitch } from "./view-switch.tsx";

type Props = {
  readonly view: RangeView;
  readonly listing: Listing;
  readonly range: DayRange;
  readonly data: RangeRecords;
  /** Next to the number of records. */
  readonly about?: ComponentChildren;
  /** The content scrolls instead of the page. */
  readonly full?: boolean;
  readonly children: ComponentChildren;
};

export function RangeFrame({ view, listing, range, data, about, full = false, children }: Props) {
  const { query } = useLocation();
  const { request, pages, records, isLoaded, isCut } = data;
  const { field } = dayFilters(listing);
  const filters = rangeFilters(listing);
  const [expanded, setExpanded] = useState(false);
  const isNeeded = expanded || Object.keys(listing.display.choices ?? {}).some((short) => query.has(short));
  const choices = useChoices(listing, filters, records, isNeeded);
  const isNew = useSignal(settings).empty === true;
  const record = records.find(({ id }) => textOf(id) === query.get("record"));
  return (
    <Frame
      title={`${listing.title}, ${rangeText(view, range)}`}
      calls={[{ title: listing.title, request, body: pages.first?.body }]}
      about={
        <>
          {isLoaded ? plural(records.length, "record") : pages.failure === undefined && "Loading…"}
          {isLoaded && field !== "date" && ` by ${(listing.display.labels?.[field] ?? labelOf(field)).toLowerCase()}`}
          {about}
        </>
      }
      actions={
        <>
          <RangeNavigation view={view} listing={listing} range={range} />
          <ViewSwitch now={view} />
        </>
      }
      aside={
        record === undefined
          ? undefined
          : {
              title: recordText(listing.display.text, record),
              content: <RecordPanel listing={listing} record={record} />,
              onClose: () => closePanel({ record: undefined }),
            }
      }
      full={full}
    >
      <FilterForm
        filters={filters}
        primary={listing.display.filters}
        suggestions={choices}
        failure={pages.failure}
        onExpand={() => setExpanded(true)}
      />
      {pages.failure !== undefined && <Notice failure={pages.failure} refetch={pages.refetch} />}
      {isCut && (
        <p class="range-cut" role="status">
          These days have more than {whole(records.length)} records, so the first days are incomplete. Add a filter, or
          choose fewer days.
        </p>
      )}
      {isLoaded && records.length === 0 && isNew ? <EmptyServer resource={listing.name} /> : children}
    </Frame>
  );
}

const rangeText = (view: RangeView, { from, to }: DayRange): string =>
  view === "month" ? monthText(monthOf(from)) : dayRangeText(from, to);

const unitOf: Readonly<Record<RangeView, string>> = { agenda: "days", week: "week", month: "month" };

type NavigationProps = { readonly view: RangeView; readonly listing: Listing; readonly range: DayRange };

function RangeNavigation({ view, listing, range }: NavigationProps) {
  const location = useLocation();
  const hrefBy = (by: 1 | -1): string => hrefWith(rangeParams(listing, moved(view, range, by)), location);
  const unit = view === "agenda" && range.from === range.to ? "day" : unitOf[view];
  useShortcuts([
    { keys: "[", description: `previous ${unit}`, run: () => navigate(hrefBy(-1)) },
    { keys: "]", description: `next ${unit}`, run: () => navigate(hrefBy(1)) },
  ]);
  return (
    <>
      <nav class="choices" aria-label="Range">
        <a class="button" href={hrefBy(-1)} aria-label={`Previous ${unit}`} title={`Previous ${unit} ([)`}>
          ‹
        </a>
        <a class="button" href={hrefBy(1)} aria-label={`Next ${unit}`} title={`Next ${unit} (])`}>
          ›
        </a>
      </nav>
      <DayPresets listing={listing} view={view} range={range} />
    </>
  );
}
