// One record with all its fields.
import type { Listing } from "../../api/document.ts";
import { columnOf, type Item } from "../table/column.tsx";
import { JsonView } from "./json-view.tsx";

export function RecordPanel({ listing, record }: { readonly listing: Listing; readonly record: Item }) {
  const known = listing.fields.filter(({ name }) => record[name] !== undefined && record[name] !== "");
  return (
    <>
      <dl class="record">
        {known.map((field) => {
          const column = columnOf(field);
          return (
            <div key={field.name} title={field.doc}>
              <dt>{column.label}</dt>
              <dd class={column.align ?? ""}>{column.show(record)}</dd>
            </div>
          );
        })}
      </dl>
      <h3>JSON</h3>
      <JsonView value={record} />
    </>
  );
}
