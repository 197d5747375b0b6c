// The body of an answer: a page of records in its envelope, as JSON or XML; and the cursor of the page after it.
import { cursorAt } from "../core/cursor.ts";
import type { Rendering } from "../core/field.ts";
import type { Understood, View } from "../core/read.ts";
import { wholeRecord } from "../core/record.ts";
import type { Format, Resource } from "../core/resource.ts";
import type { Json, Served } from "../core/row.ts";
import type { KeptRecord, State, Store } from "../store/store.ts";
import { xmlList } from "./xml.ts";

export const contentTypes: Record<Format, string> = {
  json: "application/json; charset=utf-8",
  xml: "application/xml; charset=utf-8",
};

/** `next` is undefined where the list ends. */
export type Answer = { readonly body: string; readonly next: string | undefined };

/** Stored bytes are sent as they are; only requests that reshape records, or want XML, parse them. */
export async function answer(store: Store, { plan, view }: Understood, format: Format, state: State): Promise<Answer> {
  const { resource } = plan;
  if (format === "json" && view.only === undefined && view.changes.length === 0) {
    const { records, last } = await store.page(plan, state);
    return { body: enclose(resource, records), next: last && cursorAt(plan, last) };
  }
  const { records: kept, last } = await store.records(plan, state);
  const records = kept.map((record) => shape(resource, record, view, state.rendering));
  const body =
    format === "xml"
      ? xmlList("result", records)
      : enclose(resource, records.map((record) => JSON.stringify(record)).join(","));
  return { body, next: last && cursorAt(plan, last) };
}

function shape(
  resource: Resource,
  { json, beside }: KeptRecord,
  { only, changes }: View,
  rendering: Rendering,
): Served {
  let record: Served =
    only === undefined ? (JSON.parse(json) as Served) : picked(wholeRecord(resource, json, beside, rendering), only);
  for (const change of changes) record = change.apply(record);
  return record;
}

function picked(record: Served, only: readonly string[]): Served {
  const out: Record<string, Json> = {};
  for (const name of Object.keys(record)) if (only.includes(name)) out[name] = record[name] as Json;
  return out;
}

type Envelope = { readonly before: string; readonly after: string };

const envelopes = new Map<Resource, Envelope>();

function envelopeOf(resource: Resource): Envelope {
  let envelope = envelopes.get(resource);
  if (envelope === undefined) {
    const key = resource.envelope === "array" ? undefined : resource.envelope.key;
    envelope = {
      before: key === undefined ? "[" : `{${JSON.stringify(key)}:[`,
      after: key === undefined ? "]" : "]}",
    };
    envelopes.set(resource, envelope);
  }
  return envelope;
}

function enclose(resource: Resource, page: string): string {
  const { before, after } = envelopeOf(resource);
  return before + page + after;
}
