// One kind of event on a day: its table, its count, and the way to all of it.

import { recordsOf } from "../../api/client.ts";
import type { Asked } from "../../api/use-response.ts";
import { whole } from "../../format/number.ts";
import { Notice } from "../../parts/notice.tsx";
import type { Item } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import { dayColumns } from "./day-columns.tsx";
import { bySession, inOrder, isChange } from "./day-order.ts";
import { calendarHref } from "./day-requests.ts";
import { sessionTitles } from "./sessions.ts";

export type SectionProps = {
  readonly name: string;
  readonly title: string;
  readonly day: string;
  readonly asked: Asked;
  readonly onOpen: (name: string, record: Item) => void;
  readonly openId: string | undefined;
  /** Whether its table answers to j, k and Enter. */
  readonly keys: boolean;
};

/** What is said where there is none. */
const none: Readonly<Record<string, string>> = {
  economics: "No economic releases.",
  earnings: "No company reports.",
  ratings: "No ratings.",
  dividends: "No share goes ex-dividend.",
  guidance: "No company gives guidance.",
  "conference-calls": "No calls.",
};

export function DaySection({ name, title, day, asked, onOpen, openId, keys }: SectionProps) {
  const records = recordsOf<Item>(asked.answer?.body);
  const isKnown = asked.answer !== undefined;
  const table = (caption: string, rows: readonly Item[], hasKeys: boolean) => (
    <Table
      caption={caption}
      columns={dayColumns[name] ?? []}
      rows={rows}
      idOf={({ id }) => String(id)}
      nameOf={(record) => String(record.event_name ?? record.ticker)}
      onOpen={(record) => onOpen(name, record)}
      openId={openId}
      keys={hasKeys}
      {...(name === "ratings"
        ? { begins: (row: Item, before?: Item) => !isChange(row) && before !== undefined && isChange(before) }
        : {})}
    />
  );
  const groups = name === "earnings" ? bySession(records) : [];
  return (
    <div class={`day-section day-${name}${asked.loading && !isKnown ? " waiting" : ""}`}>
      <h2>
        <a href={calendarHref(name, day)} title={`${title} of the day as a table with all filters`}>
          {title}
        </a>
        {isKnown && <span class="count">{whole(records.length)}</span>}
        {name === "ratings" && records.length > 0 && (
          <span class="faint about">{changesText(records.filter(isChange).length)}</span>
        )}
        {isKnown && records.length === 0 && <span class="faint about">{none[name] ?? "None."}</span>}
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
      {name !== "earnings" && records.length > 0 && table(title, inOrder(name, records), keys)}
    </div>
  );
}

const changesText = (count: number): string =>
  count === 0 ? "none changes a rating" : count === 1 ? "1 changes a rating" : `${count} change a rating`;
