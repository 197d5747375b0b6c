// Reads a page of records and encloses it in JSON or XML; also the cursor of the next page.
import { page } from "../../core/catalog/common-rules.ts";
import type { Listing } from "../../core/catalog/extension.ts";
import type { Envelope } from "../../core/catalog/resource.ts";
import { csvColumns, csvHeading, csvRows } from "../../core/output/csv.ts";
import type { Format } from "../../core/output/format.ts";
import { cursorAt } from "../../core/query/cursor.ts";
import type { Plan, Position } from "../../core/query/plan.ts";
import type { ParsedQuery } from "../../core/query/planner.ts";
import { decodeRecord } from "../../core/record/encoding.ts";
import { projectionOf } from "../../core/record/projection.ts";
import { renderStored, selected } from "../../core/record/render.ts";
import type { WireRecord } from "../../core/record/row.ts";
import type { Page, Store, StoreState } from "../../store/store.ts";
import type { ListUrls } from "../headers/link.ts";
import { enclose, type JoinedRecords, type ResponseBody, textOf } from "./buffer-pool.ts";
import { computedRecords } from "./computed-list.ts";
import { atomFeed } from "./formats/atom-feed.ts";
import { calendarPage } from "./formats/calendar-page.ts";
import { ndjsonLines, ndjsonPage } from "./formats/json-to-ndjson.ts";
import { xmlPage } from "./formats/json-to-xml.ts";

/** `next` is undefined at the end of the list. */
type PageBody = {
  readonly body: ResponseBody;
  readonly count: number;
  readonly next: string | undefined;
};

export async function pageBody(
  store: Store,
  parsedQuery: ParsedQuery,
  state: StoreState,
  urls: ListUrls | undefined,
): Promise<PageBody> {
  const { records, count, last } = await recordsFor(store, parsedQuery, state);
  const next = nextOf(parsedQuery, last);
  const body = await writers[parsedQuery.format](records, { store, parsedQuery, state, urls, next });
  return { body, count, next };
}

/** What formats contain besides records. */
type Written = {
  readonly store: Store;
  readonly parsedQuery: ParsedQuery;
  readonly state: StoreState;
  readonly urls: ListUrls | undefined;
  readonly next: string | undefined;
};

type Writer = (records: JoinedRecords, page: Written) => ResponseBody | Promise<ResponseBody>;

const writers: Readonly<Record<Format, Writer>> = {
  json: (records, { parsedQuery }) => encloseJson(parsedQuery.listing, records),
  xml: xmlPage,
  ndjson: ndjsonPage,
  csv: (records, { parsedQuery: { listing, view } }) => {
    const columns = csvColumns(listing.fields, view);
    return csvHeading(columns) + csvRows(columns, parsed(records));
  },
  ics: (records, { store, parsedQuery, state }) => calendarPage(store, parsedQuery, state, parsed(records)),
  atom: (records, { parsedQuery, urls, next }) => atomFeed(parsedQuery, parsed(records), urls, next),
};

export type Chunk = Uint8Array | string;

/** A format that can be written in chunks: what precedes the records, and a part of them. */
type ChunkFormat = { readonly before: string; readonly write: (records: JoinedRecords) => readonly Chunk[] };

export function chunkFormat(format: Format, { listing, view }: Pick<ParsedQuery, "listing" | "view">): ChunkFormat {
  if (format === "ndjson") return { before: "", write: ndjsonLines };
  if (format !== "csv") throw new Error(`${format} can't be written in chunks`);
  const columns = csvColumns(listing.fields, view);
  return { before: csvHeading(columns), write: (records) => [csvRows(columns, parsed(records))] };
}

const parsed = (records: JoinedRecords): WireRecord[] => JSON.parse(`[${textOf(records)}]`) as WireRecord[];

/** Stored JSON is sent as is or projected as text; records are only parsed if hidden attributes require it. */
export async function recordsFor(
  store: Pick<Store, "page" | "records">,
  { listing, plan, view, format }: ParsedQuery,
  state: StoreState,
): Promise<Page> {
  const { resource } = plan;
  const computed = "computed" in listing ? listing.computed : undefined;
  if (computed !== undefined) {
    const found = await computedRecords(store, { name: listing.name, computed }, plan, state);
    return { records: found.map((record) => JSON.stringify(record)).join(","), count: found.length, last: undefined };
  }
  const shows = "toResponse" in listing ? listing.toResponse : undefined;
  if (shows !== undefined) {
    const { records, last } = await store.records(plan, state);
    const shown = shows(records.map(({ json, hidden }) => decodeRecord(resource, json, hidden)));
    const text = shown.map((record) => JSON.stringify(selected(record, view.selectedFields))).join(",");
    return { records: text, count: shown.length, last };
  }
  const overrides = "overrides" in listing ? listing.overrides?.(state.rendering) : undefined;
  const isStored = view.selectedFields === undefined && view.transforms.length === 0;
  if (overrides === undefined && isStored)
    return await store.page(plan, state, { bytes: format === "xml" || format === "ndjson" || isLong(plan) });
  const reshape = overrides === undefined ? projectionOf(resource, view) : undefined;
  if (reshape !== undefined) {
    const page = await store.page(plan, state, { reshape });
    if (page.isUnprojected !== true) return page;
  }
  const { records, last } = await store.records(plan, state);
  const shaped = records.map((record) => renderStored(resource, record, view, state.rendering, overrides));
  return { records: shaped.join(","), count: records.length, last };
}

/** Whether a page is likely so large that bytes are cheaper than text. */
const isLong = ({ limit, include }: Plan): boolean => limit >= 25 || include.length > 0;

/** Only for lists that accept a cursor. */
export const nextOf = (
  { listing, plan, requested = plan }: ParsedQuery,
  last: Position | undefined,
): string | undefined => (last !== undefined && listing.rules.includes(page) ? cursorAt(requested, last) : undefined);

type Enclosure = { readonly before: string; readonly between: string | undefined; readonly after: string };

const enclosures = new Map<Listing, Enclosure>();

function enclosureOf(listing: Listing): Enclosure {
  let enclosure = enclosures.get(listing);
  if (enclosure === undefined) {
    enclosure = newEnclosure(listing.envelope);
    enclosures.set(listing, enclosure);
  }
  return enclosure;
}

function newEnclosure(envelope: Envelope): Enclosure {
  if (envelope === "array") return { before: "[", between: undefined, after: "]" };
  const { key, alsoKey, members = {} } = envelope;
  const first = Object.entries(members).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`);
  return {
    before: `{${first.join("")}${JSON.stringify(key)}:[`,
    between: alsoKey === undefined ? undefined : `],${JSON.stringify(alsoKey)}:[`,
    after: "]}",
  };
}

function encloseJson(listing: Listing, page: JoinedRecords): ResponseBody {
  const { before, between, after } = enclosureOf(listing);
  if (between === undefined) return enclose(before, page, after);
  const records = textOf(page);
  return enclose(before, `${records}${between}${records}`, after);
}
