// Section of the day view: table, count, and link to the calendar.

import { recordsOf } from "../../api/client.ts";
import { type Listing, recordText } from "../../api/document.ts";
import type { FetchResult } from "../../api/use-response.ts";
import { whole } from "../../format/number.ts";
import { plural } from "../../format/words.ts";
import { cardOf, columnsNamed } from "../../parts/columns/columns.ts";
import { Notice } from "../../parts/notice.tsx";
import type { Item } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import { bySession, inOrder, isChange } from "./day-order.ts";
import { calendarHref, type DayDisplay } from "./day-requests.ts";
import { sessionTitles } from "./sessions.ts";

export type SectionProps = {
  readonly listing: Listing;
  readonly dayDisplay: DayDisplay;
  readonly day: string;
  readonly result: FetchResult;
  readonly onOpen: (name: string, record: Item) => void;
  readonly openId: string | undefined;
  /** Whether its table handles j, k, and Enter. */
  readonly keys: boolean;
};

export function DaySection({ listing, dayDisplay, day, result, onOpen, openId, keys }: SectionProps) {
  const { name, display } = listing;
  const { title, groups: grouping, none } = dayDisplay;
  const records = recordsOf<Item>(result.response?.body);
  const isKnown = result.response !== undefined;
  const columns = columnsNamed(listing, dayDisplay.columns).map(({ narrowWidth, ...column }) =>
    narrowWidth === undefined ? column : { ...column, width: narrowWidth },
  );
  const table = (caption: string, rows: readonly Item[], hasKeys: boolean) => (
    <Table
      caption={caption}
      columns={columns}
      card={cardOf(listing, ["date", dayDisplay.field])}
      rows={rows}
      idOf={({ id }) => String(id)}
      nameOf={(record) => recordText(display.text, record)}
      onOpen={(record) => onOpen(name, record)}
      openId={openId}
      keys={hasKeys}
      {...(grouping === "change"
        ? { startsGroup: (row: Item, before?: Item) => !isChange(row) && before !== undefined && isChange(before) }
        : {})}
    />
  );
  const groups = grouping === "session" ? bySession(records) : [];
  return (
    <div class={`day-section${result.loading && !isKnown ? " waiting" : ""}`}>
      <h2>
        <a href={calendarHref(listing, dayDisplay, day)} title={`${title}: open in the calendar`}>
          {title}
        </a>
        {isKnown && <span class="count">{whole(records.length)}</span>}
        {grouping === "change" && records.length > 0 && (
          <span class="faint about">{changesText(records.filter(isChange).length)}</span>
        )}
        {isKnown && records.length === 0 && <span class="faint about">{none}</span>}
      </h2>
      {result.failure !== undefined && <Notice failure={result.failure} refetch={result.refetch} />}
      {groups.map(({ session, records: some }, at) => (
        <div key={session} class="session">
          <h3>
            {sessionTitles[session]} <span class="count">{some.length}</span>
          </h3>
          {table(`${title}, ${sessionTitles[session].toLowerCase()}`, some, keys && at === 0)}
        </div>
      ))}
      {grouping !== "session" && records.length > 0 && table(title, inOrder(dayDisplay, records), keys)}
    </div>
  );
}

const changesText = (count: number): string => (count === 0 ? "no rating changes" : plural(count, "rating change"));
