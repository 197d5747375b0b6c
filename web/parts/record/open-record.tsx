// The record that the address names, `record=earnings:ID`, shown whole beside the view.
import type { ApiDocument } from "../../api/document.ts";
import { changeQuery, usePlace } from "../../app/location.ts";
import type { Aside } from "../frame.tsx";
import { type Item, textOf } from "../table/column.tsx";
import { RecordPanel } from "./record-panel.tsx";

export type OpenRecord = {
  readonly aside: Aside | undefined;
  readonly open: (listing: string, record: Item) => void;
  readonly openId: string | undefined;
};

/** `shownOf` gives what the view shows of a list. */
export function useOpenRecord(
  document: ApiDocument | undefined,
  shownOf: (listing: string) => readonly Item[],
): OpenRecord {
  const { query } = usePlace();
  const [name = "", id] = (query.get("record") ?? "").split(":", 2);
  const listing = document?.listings.find((each) => each.name === name);
  const record = shownOf(name).find((each) => textOf(each.id) === id);
  return {
    open: (of, { id: chosen }) => changeQuery({ record: `${of}:${chosen}` }, { replace: query.has("record") }),
    openId: id,
    aside:
      listing === undefined || record === undefined
        ? undefined
        : {
            title: textOf(record.event_name ?? record.name ?? record.ticker ?? listing.title),
            content: <RecordPanel listing={listing} record={record} />,
            onClose: () => changeQuery({ record: undefined }, { replace: true }),
          },
  };
}
