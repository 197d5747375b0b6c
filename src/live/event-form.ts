// The text of an event: one line of JSON, with the record as the list returns it.
import type { Rendering } from "../core/catalog/field.ts";
import { fieldOf, type Resource } from "../core/catalog/resource.ts";
import type { ParsedQuery } from "../core/query/planner.ts";
import { renderRow } from "../core/record/render.ts";
import type { Row } from "../core/record/row.ts";
import type { EventForm } from "./entry-events.ts";

/** Records as the list returns them; forms with the same key return the same. */
export type RestForm = { readonly key: string; readonly render: (row: Row) => string };

export function restForm({ listing, plan, view }: ParsedQuery, rendering: Rendering): RestForm {
  const transforms = view.transforms.map(({ name }) => name);
  const overrides = "overrides" in listing ? listing.overrides?.(rendering) : undefined;
  return {
    key: JSON.stringify([plan.include, view.selectedFields, transforms, overrides && listing.name]),
    render: (row) => renderRow(plan, row, view, rendering, overrides),
  };
}

export function eventForm(resource: Resource, { key, render }: RestForm): EventForm {
  const idField = fieldOf(resource, "id");
  return {
    key,
    text: (action, { id, at, after }) => {
      const head = JSON.stringify({ action, id: idField.fromCsv(id), resource: resource.name, at });
      return action === "removed" || after === undefined ? head : `${head.slice(0, -1)},"record":${render(after)}}`;
    },
  };
}
