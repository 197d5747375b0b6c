// One record with all its fields.
import type { Listing } from "../../api/document.ts";
import type { Item } from "../table/column.tsx";
import { JsonView } from "./json-view.tsx";
import { recordColumns } from "./record-fields.ts";

export function RecordPanel({ listing, record }: { readonly listing: Listing; readonly record: Item }) {
  return (
    <>
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
