// The record in the URL, `record=earnings:ID`, shown in the side panel.
import type { ApiDocument } from "../../api/document.ts";
import { closePanel, openPanel, useLocation } from "../../app/location.ts";
import type { Aside } from "../frame.tsx";
import { type Item, textOf } from "../table/column.tsx";
import { RecordPanel } from "./record-panel.tsx";

export type OpenRecord = {
  readonly aside: Aside | undefined;
  readonly open: (listing: string, record: Item) => void;
  readonly openId: string | undefined;
};

/** `recordsIn` returns the records of a list that the view shows. */
export function useOpenRecord(
  document: ApiDocument | undefined,
  recordsIn: (listing: string) => readonly Item[],
): OpenRecord {
  const { query } = useLocation();
  const [name = "", id] = (query.get("record") ?? "").split(":", 2);
  const listing = document?.listings.find((each) => each.name === name);
  const record = recordsIn(name).find((each) => textOf(each.id) === id);
  return {
    open: (of, { id: selected }) => openPanel({ record: `${of}:${selected}` }, query.has("record")),
    openId: id,
    aside:
      listing === undefined || record === undefined
        ? undefined
        : {
            title: textOf(record.event_name ?? record.name ?? record.ticker ?? listing.title),
            content: <RecordPanel listing={listing} record={record} />,
            onClose: () => closePanel({ record: undefined }),
          },
  };
}
