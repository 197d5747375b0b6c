// One kind of event on a day: its table, its count, and the way to all of it.

import { recordsOf } from "../../api/client.ts";
import type { Listing } from "../../api/document.ts";
import type { Asked } from "../../api/use-response.ts";
import { whole } from "../../format/number.ts";
import { Notice } from "../../parts/notice.tsx";
import type { Item } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import { dayColumns, plainColumns } from "./day-columns.tsx";
import { bySession, inOrder, isChange } from "./day-order.ts";
import { calendarHref, type ShownDay } from "./day-requests.ts";
import { sessionTitles } from "./sessions.ts";

export type SectionProps = {
  readonly listing: Listing;
  readonly shown: ShownDay;
  readonly day: string;
  readonly asked: Asked;
  readonly onOpen: (name: string, record: Item) => void;
  readonly openId: string | undefined;
  /** Whether its table answers to j, k and Enter. */
  readonly keys: boolean;
};

export function DaySection({ listing, shown, day, asked, onOpen, openId, keys }: SectionProps) {
  const { name } = listing;
  const { title, groups: grouping, none } = shown;
  const records = recordsOf<Item>(asked.answer?.body);
  const isKnown = asked.answer !== undefined;
  const table = (caption: string, rows: readonly Item[], hasKeys: boolean) => (
    <Table
      caption={caption}
      columns={dayColumns[name] ?? plainColumns(listing)}
      rows={rows}
      idOf={({ id }) => String(id)}
      nameOf={(record) => String(record.event_name ?? record.ticker)}
      onOpen={(record) => onOpen(name, record)}
      openId={openId}
      keys={hasKeys}
      {...(grouping === "change"
        ? { begins: (row: Item, before?: Item) => !isChange(row) && before !== undefined && isChange(before) }
        : {})}
    />
  );
  const groups = grouping === "session" ? bySession(records) : [];
  return (
    <div class={`day-section day-${name}${asked.loading && !isKnown ? " waiting" : ""}`}>
      <h2>
        <a href={calendarHref(listing, shown, day)} title={`${title} of the day as a table with all filters`}>
          {title}
        </a>
        {isKnown && <span class="count">{whole(records.length)}</span>}
        {grouping === "change" && records.length > 0 && (
          <span class="faint about">{changesText(records.filter(isChange).length)}</span>
        )}
        {isKnown && records.length === 0 && <span class="faint about">{none}</span>}
      </h2>
      {asked.failure !== undefined && <Notice failure={asked.failure} again={asked.again} />}
      {groups.map(({ session, records: some }, at) => (
        <div key={session} class="session">
          <h3>
            {sessionTitles[session]} <span class="count">{some.length}</span>
          </h3>
          {table(`${title}, ${sessionTitles[session].toLowerCase()}`, some, keys && at === 0)}
        </div>
      ))}
      {grouping !== "session" && records.length > 0 && table(title, inOrder(shown, records), keys)}
    </div>
  );
}

const changesText = (count: number): string =>
  count === 0 ? "none changes a rating" : count === 1 ? "1 changes a rating" : `${count} change a rating`;
