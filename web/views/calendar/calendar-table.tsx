// The records of a calendar as a table that goes on as one scrolls.
import { useMemo, useState } from "preact/hooks";
import { type Listing, recordText } from "../../api/document.ts";
import { filtersOf, requestOf } from "../../api/filters.ts";
import { identityOf } from "../../api/request.ts";
import { type Pages, usePages } from "../../api/use-pages.ts";
import { changeQuery, hrefWith, usePlace } from "../../app/location.ts";
import { plural } from "../../format/words.ts";
import { FilterForm } from "../../parts/filters/filter-form.tsx";
import { Frame } from "../../parts/frame.tsx";
import { Notice } from "../../parts/notice.tsx";
import { RecordPanel } from "../../parts/record/record-panel.tsx";
import { type Item, textOf } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import { columnsOf } from "./columns.tsx";
import { DayPresets } from "./day-presets.tsx";
import { FormSwitch } from "./form-switch.tsx";
import { sortingsOf } from "./sortings.ts";
import { useChoices } from "./use-choices.ts";

/** Records that are asked for at once. */
const pageSize = 100;

/** The page with which the list of an entry of the history began; the address tells the one in sight. */
const begun = new Map<string, string>();

export function CalendarTable({ listing }: { readonly listing: Listing }) {
  const { display } = listing;
  const nameOf = (record: Item): string => recordText(display.text, record);
  const { query, entry } = usePlace();
  const filters = filtersOf(listing);
  const request = requestOf(listing, query, pageSize);
  const list = `${entry} ${identityOf(request)}`;
  const from = useMemo(() => {
    const page = begun.get(list) ?? query.get("page") ?? "";
    begun.set(list, page);
    return page;
  }, [list]);
  const pages = usePages<Item>(request, from);
  const { records, first, failure, more, again } = pages;
  const [unfolded, setUnfolded] = useState(false);
  const wanted = unfolded || Object.keys(display.choices ?? {}).some((short) => query.has(short));
  const choices = useChoices(listing, filters, records, wanted);
  const openId = query.get("record") ?? undefined;
  const record = openId === undefined ? undefined : records.find(({ id }) => textOf(id) === openId);
  const close = () => changeQuery({ record: undefined }, { replace: true });
  const shows = query.get("columns") === "all";
  return (
    <Frame
      title={listing.title}
      calls={[{ title: listing.title, request, body: first?.body }]}
      about={<About pages={pages} />}
      actions={
        <>
          <DayPresets />
          <button
            type="button"
            aria-pressed={shows}
            onClick={() => changeQuery({ columns: shows ? undefined : "all" }, { replace: true })}
          >
            All columns
          </button>
          <FormSwitch now="table" />
        </>
      }
      aside={
        record === undefined
          ? undefined
          : {
              title: nameOf(record),
              content: <RecordPanel listing={listing} record={record} />,
              onClose: close,
            }
      }
      full
    >
      <FilterForm
        filters={filters}
        first={display.filters}
        suggestions={choices}
        failure={failure}
        onUnfold={() => setUnfolded(true)}
      />
      {failure !== undefined && <Notice failure={failure} again={again} />}
      {Number(from) > 0 && <Earlier from={Number(from)} />}
      <Table
        caption={listing.title}
        columns={columnsOf(listing, query)}
        rows={records}
        idOf={({ id }) => textOf(id)}
        nameOf={nameOf}
        openId={openId}
        onOpen={({ id }) => changeQuery({ record: textOf(id) }, { replace: true })}
        sortings={sortingsOf(listing, query)}
        begins={(row, before) => before !== undefined && row.date !== before.date}
        onEnd={more}
        onTop={(index) => {
          const page = Number(from) + Math.floor(index / pageSize);
          if (records.length > 0 && Number.isFinite(page))
            changeQuery({ page: page === 0 ? undefined : String(page) }, { replace: true });
        }}
        memory={list}
        foot={<Foot pages={pages} />}
        keys
      />
    </Frame>
  );
}

function About({ pages: { records, first, done } }: { readonly pages: Pages<Item> }) {
  if (first === undefined) return null;
  return (
    <>
      {plural(records.length, "record")}
      {done ? "" : " so far"} · answered in {Math.max(1, Math.round(first.milliseconds))} ms
    </>
  );
}

function Foot({ pages: { records, done, loading } }: { readonly pages: Pages<Item> }) {
  if (loading) return <>Loading…</>;
  if (!done) return null;
  return <>{records.length === 0 ? "No records match. Fewer filters or more days may." : "That is all."}</>;
}

/** A link may lead into the middle of a list: this leads out of it. */
function Earlier({ from }: { readonly from: number }) {
  const place = usePlace();
  const page = from - 1;
  return (
    <p class="earlier">
      The list begins at page {from}, counted from 0.{" "}
      <a href={hrefWith({ page: page === 0 ? undefined : String(page), record: undefined }, place)}>Page before</a>{" "}
      <a href={hrefWith({ page: undefined, record: undefined }, place)}>From the beginning</a>
    </p>
  );
}
