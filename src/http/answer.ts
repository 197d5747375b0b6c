// The body of an answer: a page of records in its envelope, as JSON or XML; and the cursor of the page after it.
import { cursorAt } from "../core/cursor.ts";
import type { Listing, Table } from "../core/extension.ts";
import type { Rendering } from "../core/field.ts";
import type { Position } from "../core/plan.ts";
import type { Understood, View } from "../core/read.ts";
import { recall, wholeRecord } from "../core/record.ts";
import type { Format } from "../core/resource.ts";
import type { Json, Served } from "../core/row.ts";
import { page } from "../core/rules.ts";
import type { KeptRecord, State, Store } from "../store/store.ts";
import { xmlList } from "./xml.ts";

export const contentTypes: Record<Format, string> = {
  json: "application/json; charset=utf-8",
  xml: "application/xml; charset=utf-8",
};

/** `next` is undefined where the list ends. */
export type Answer = { readonly body: string; readonly next: string | undefined };

/** Stored bytes are sent as they are; only requests that reshape records, or want XML, parse them. */
export async function answer(store: Store, understood: Understood, format: Format, state: State): Promise<Answer> {
  const { listing, plan, view } = understood;
  const { resource } = plan;
  const shows = "shows" in listing ? listing.shows : undefined;
  if (format === "json" && view.only === undefined && view.changes.length === 0 && shows === undefined) {
    const { records, last } = await store.page(plan, state);
    return { body: enclose(listing, records), next: nextOf(understood, last) };
  }
  const { records: kept, last } = await store.records(plan, state);
  const records =
    shows === undefined
      ? kept.map((record) => shape(resource, record, view, state.rendering))
      : shows(kept.map(({ json, beside }) => recall(resource, json, beside)));
  const body =
    format === "xml"
      ? xmlList("result", records)
      : enclose(listing, records.map((record) => JSON.stringify(record)).join(","));
  return { body, next: nextOf(understood, last) };
}

/** Only lists that take a cursor give one. */
const nextOf = ({ listing, plan }: Understood, last: Position | undefined): string | undefined =>
  last !== undefined && listing.rules.includes(page) ? cursorAt(plan, last) : undefined;

function shape(resource: Table, { json, beside }: KeptRecord, { only, changes }: View, rendering: Rendering): Served {
  let record: Served;
  if (only === undefined) record = JSON.parse(json) as Served;
  // What stands beside a record is looked at only when it is asked for.
  else if (only.every((name) => resource.fields[name]?.shown === "always"))
    record = picked(JSON.parse(json) as Served, only);
  else record = picked(wholeRecord(resource, json, beside, rendering), only);
  for (const change of changes) record = change.apply(record);
  return record;
}

function picked(record: Served, only: readonly string[]): Served {
  const out: Record<string, Json> = {};
  for (const name of Object.keys(record)) if (only.includes(name)) out[name] = record[name] as Json;
  return out;
}

type Envelope = { readonly before: string; readonly after: string };

const envelopes = new Map<Listing, Envelope>();

function envelopeOf(listing: Listing): Envelope {
  let envelope = envelopes.get(listing);
  if (envelope === undefined) {
    const key = listing.envelope === "array" ? undefined : listing.envelope.key;
    envelope = {
      before: key === undefined ? "[" : `{${JSON.stringify(key)}:[`,
      after: key === undefined ? "]" : "]}",
    };
    envelopes.set(listing, envelope);
  }
  return envelope;
}

function enclose(listing: Listing, page: string): string {
  const { before, after } = envelopeOf(listing);
  return before + page + after;
}
