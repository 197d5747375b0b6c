// Renders single records as a list returns them: all fields, or selected, transformed, and overridden ones.
import type { Overrides, Table } from "../catalog/extension.ts";
import type { Rendering } from "../catalog/field.ts";
import { heavyFields } from "../catalog/resource.ts";
import type { Plan } from "../query/plan.ts";
import type { View } from "../query/planner.ts";
import { emptyHeavyValues, encodeRecord, fullRecord } from "./encoding.ts";
import { projectionOf } from "./projection.ts";
import type { Json, Row, WireRecord } from "./row.ts";

type Stored = { readonly json: string; readonly hidden: string };

/** `json` has the heavy values that the plan includes. */
export function renderStored(
  table: Table,
  stored: Stored,
  view: View,
  rendering: Rendering,
  overrides?: Overrides,
): string {
  if (overrides !== undefined) return JSON.stringify(shape(table, stored, view, rendering, overrides));
  if (view.selectedFields === undefined && view.transforms.length === 0) return stored.json;
  const projection = projectionOf(table, view);
  return projection === undefined || mayContain(stored, projection.derived)
    ? JSON.stringify(shape(table, stored, view, rendering))
    : projection.page(stored.json);
}

export function renderRow(
  { resource, include }: Plan,
  row: Row,
  view: View,
  rendering: Rendering,
  overrides?: Overrides,
): string {
  const { fragments, heavy, hidden } = encodeRecord(resource, row, rendering);
  const names = heavyFields(resource);
  const values = emptyHeavyValues(resource).map((empty, at) => (include.includes(names[at] ?? "") ? heavy[at] : empty));
  const json = fragments.map((fragment, at) => `${fragment}${values[at] ?? ""}`).join("");
  return renderStored(resource, { json, hidden }, view, rendering, overrides);
}

/** Whether the hidden attributes may contain one of the fields; a false positive does no harm. */
const mayContain = ({ hidden }: Stored, fields: readonly string[]): boolean =>
  hidden !== "" && fields.some((name) => hidden.includes(`"${name}":`));

function shape(
  table: Table,
  { json, hidden }: Stored,
  { selectedFields, transforms }: View,
  rendering: Rendering,
  overrides?: Overrides,
): WireRecord {
  const whole = fullRecord(table, json, hidden, rendering, overrides);
  const always = Object.keys(whole).filter((name) => table.fields[name]?.shown === "always");
  const record: Record<string, Json> = { ...selected(whole, selectedFields ?? always) };
  for (const { members } of transforms) {
    for (const [name, change] of Object.entries(members))
      if (record[name] !== undefined) record[name] = change(record[name]);
  }
  return record;
}

export const selected = (record: WireRecord, fields: readonly string[] | undefined): WireRecord =>
  fields === undefined ? record : Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)));
