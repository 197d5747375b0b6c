// Records of a calendar as an infinite table.
import { useMemo, useState } from "preact/hooks";
import { type Listing, recordText } from "../../api/document.ts";
import { filtersOf, requestOf } from "../../api/filters.ts";
import { cacheKeyOf } from "../../api/request.ts";
import { settings } from "../../api/settings.ts";
import { type Pages, usePages } from "../../api/use-pages.ts";
import { changeQuery, closePanel, hrefWith, openPanel, useLocation } from "../../app/location.ts";
import { useSignal } from "../../app/signal.ts";
import { plural } from "../../format/words.ts";
import { cardOf } from "../../parts/columns/columns.ts";
import { EmptyServer } from "../../parts/empty-server.tsx";
import { FilterForm } from "../../parts/filters/filter-form.tsx";
import { Frame } from "../../parts/frame.tsx";
import { Notice } from "../../parts/notice.tsx";
import { PrintButton } from "../../parts/print-button.tsx";
import { RecordPanel } from "../../parts/record/record-panel.tsx";
import { type Item, textOf } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import { ColumnPicker } from "./columns/column-picker.tsx";
import { columnsOf, optionalOf } from "./columns/columns.ts";
import { DayPresets } from "./day-presets.tsx";
import { orderText, sortingsOf } from "./sortings.ts";
import { useChoices } from "./use-choices.ts";
import { ViewSwitch } from "./view-switch.tsx";

const pageSize = 100;

/** First page of each list, by history entry; the URL has the visible one. */
const firstPages = new Map<string, string>();

function useFirstPage(list: string, query: URLSearchParams): string {
  return useMemo(() => {
    const page = firstPages.get(list) ?? query.get("page") ?? "";
    firstPages.set(list, page);
    return page;
  }, [list]);
}

export function CalendarTable({ listing }: { readonly listing: Listing }) {
  const { display } = listing;
  const { query, entry } = useLocation();
  const filters = filtersOf(listing);
  const request = requestOf(listing, query, pageSize);
  const list = `${entry} ${cacheKeyOf(request)}`;
  const from = useFirstPage(list, query);
  const pages = usePages<Item>(request, from);
  const { records, first, failure, more, refetch } = pages;
  const [expanded, setExpanded] = useState(false);
  const isNeeded = expanded || Object.keys(display.choices ?? {}).some((short) => query.has(short));
  const choices = useChoices(listing, filters, records, isNeeded);
  const openId = query.get("record") ?? undefined;
  const record = openId === undefined ? undefined : records.find(({ id }) => textOf(id) === openId);
  return (
    <Frame
      title={listing.title}
      calls={[{ title: listing.title, request, body: first?.body }]}
      about={<About pages={pages} order={orderText(listing, query)} />}
      actions={<Actions listing={listing} pages={pages} />}
      aside={record && asideOf(listing, record)}
      full
    >
      <FilterForm
        filters={filters}
        primary={display.filters}
        suggestions={choices}
        failure={failure}
        onExpand={() => setExpanded(true)}
      />
      {failure !== undefined && <Notice failure={failure} refetch={refetch} />}
      {Number(from) > 0 && <MidListNotice from={Number(from)} />}
      <Table
        caption={listing.title}
        columns={columnsOf(listing, query)}
        optional={optionalOf(listing, query)}
        card={cardOf(listing)}
        isSplit={record !== undefined || query.get("panel") === "api"}
        rows={records}
        idOf={({ id }) => textOf(id)}
        nameOf={(each) => recordText(display.text, each)}
        openId={openId}
        onOpen={({ id }) => openPanel({ record: textOf(id) }, openId !== undefined)}
        sortings={sortingsOf(listing, query)}
        unsorted="The API can’t sort by this column. The agenda can, for up to a month."
        startsGroup={(row, before) => before !== undefined && row.date !== before.date}
        onEnd={more}
        onTop={(index) => records.length > 0 && showPage(Number(from) + Math.floor(index / pageSize))}
        scrollKey={list}
        footer={<Footer pages={pages} name={listing.name} />}
        keys
      />
    </Frame>
  );
}

const asideOf = (listing: Listing, record: Item) => ({
  title: recordText(listing.display.text, record),
  content: <RecordPanel listing={listing} record={record} />,
  onClose: () => closePanel({ record: undefined }),
});

/** In the URL. */
function showPage(page: number): void {
  if (Number.isFinite(page)) changeQuery({ page: page === 0 ? undefined : String(page) }, { replace: true });
}

function Actions({ listing, pages }: { readonly listing: Listing; readonly pages: Pages<Item> }) {
  return (
    <>
      <DayPresets listing={listing} />
      <ColumnPicker listing={listing} />
      <PrintButton pages={pages} />
      <ViewSwitch now="table" />
    </>
  );
}

function About({ pages: { records, first, done }, order }: { readonly pages: Pages<Item>; readonly order: string }) {
  if (first === undefined) return null;
  return (
    <>
      {plural(records.length, "record")}
      {done ? "" : " so far"} · {order} · loaded in {Math.max(1, Math.round(first.milliseconds))} ms
    </>
  );
}

function Footer({ pages, name }: { readonly pages: Pages<Item>; readonly name: string }) {
  const { records, done, loading } = pages;
  const isNew = useSignal(settings).empty === true;
  if (loading) return <>Loading…</>;
  if (!done) return null;
  if (isNew && records.length === 0) return <EmptyServer resource={name} />;
  return <>{records.length === 0 ? "No matching records. Try fewer filters or a wider date range." : "End of list"}</>;
}

/** Links to earlier pages, for a list that doesn't start at the first one. */
function MidListNotice({ from }: { readonly from: number }) {
  const location = useLocation();
  const page = from - 1;
  return (
    <p class="mid-list">
      This list starts at page {from + 1}.{" "}
      <a href={hrefWith({ page: page === 0 ? undefined : String(page), record: undefined }, location)}>Previous page</a>{" "}
      <a href={hrefWith({ page: undefined, record: undefined }, location)}>First page</a>
    </p>
  );
}
