// One record with all its fields.
import type { Listing } from "../../api/document.ts";
import { LazyHistory } from "../history/lazy-history.tsx";
import type { Item } from "../table/column.tsx";
import { JsonView } from "./json-view.tsx";
import { recordColumns } from "./record-fields.ts";

export function RecordPanel({ listing, record }: { readonly listing: Listing; readonly record: Item }) {
  return (
    <>
      <LazyHistory key={String(record.id)} listing={listing} record={record} />
      <dl class="record">
        {recordColumns(listing, record).map(({ name, label, doc, align, show }) => (
          <div key={name} title={doc}>
            <dt>{label}</dt>
            <dd class={align ?? ""}>{show(record)}</dd>
          </div>
        ))}
      </dl>
      <h3>JSON</h3>
      <JsonView value={record} />
    </>
  );
}
