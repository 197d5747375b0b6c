// Scans all pages of a list that may change during the scan, without missing a record that is present throughout: pages
// overlap, and each must share a record with the page before it. `Link` headers are followed where responses have them.
import type { Parameters, Refused, Upstream, UpstreamResponse } from "../upstream/upstream.ts";

/** What is known about the pages of an upstream's list. */
export type PageSizes = {
  /** The upstream's maximum page size, where it is smaller than the interface's. */
  most?: number;
  /** The most records seen on a page: a shorter page ends its list, any other may have been clamped. */
  largest?: number;
};

export type ListEndpoint = {
  readonly path: string;
  readonly size: { readonly name: string; readonly max: number };
  readonly pageSizes: PageSizes;
  readonly extractRecords: (body: unknown) => readonly unknown[] | undefined;
  /** The expected shape of the body, for messages. */
  readonly expected: string;
};

export type Page = { readonly records: readonly unknown[]; readonly date: number };

export type ScanResult =
  | { readonly end: "complete"; readonly pages: number }
  /** The upstream serves no deeper pages. */
  | { readonly end: "limit"; readonly pages: number }
  | { readonly end: "refused"; readonly status: number; readonly detail: string };

/** The highest page number of the interface. */
const lastPage = 100_000;

/** A list that changes faster than it can be read is left for later after this many restarts. */
const maxRestarts = 12;

export const maxPageSize = ({ size, pageSizes }: Pick<ListEndpoint, "size" | "pageSizes">): number =>
  Math.min(size.max, pageSizes.most ?? size.max);

export async function scanList(
  request: Upstream["request"],
  list: ListEndpoint,
  parameters: Parameters,
  onPage: (page: Page) => Promise<void>,
): Promise<ScanResult> {
  let max = maxPageSize(list);
  let pages = 0;
  let previous: readonly unknown[] = [];
  /** Number of records up to the end of the last page, at the time it was read. */
  let end = 0;
  let overlap = minOverlap(max);
  let restarts = 0;
  for (;;) {
    const position = end === 0 ? { page: 0, size: max } : overlappingPage(end, overlap, max);
    if (position.page > lastPage) return { end: "limit", pages };
    const found = await fetchPage(request, list, pageParameters(list, parameters, position));
    if ("refused" in found) {
      const { status, detail } = found.refused;
      // The same parameters were accepted on the first page, so only the page number can be the reason.
      return pages > 0 && status !== 401 && status !== 403
        ? { end: "limit", pages }
        : { end: "refused", status, detail };
    }
    const { records, date } = found;
    const { pageSizes } = list;
    if (records.length === position.size) pageSizes.largest = Math.max(records.length, pageSizes.largest ?? 0);
    pages++;
    if (position.page > 0 && !sharesRecord(previous, records)) {
      const detail = "the list changes faster than it can be read";
      if (++restarts > maxRestarts + pages / 10) return { end: "refused", status: 200, detail };
      overlap *= 4;
      if (end - overlap <= max / 2) end = 0;
      continue;
    }
    await onPage({ records, date });
    if (found.next !== undefined) return followLinks(request, list, found.next, pages, onPage);
    if (records.length < position.size) {
      if (position.page > 0 || !(await isClamped(request, list, parameters, records.length)))
        return { end: "complete", pages };
      max = records.length;
      overlap = minOverlap(max);
    }
    const reached = position.page * position.size + records.length;
    if (reached <= end && overlap === minOverlap(max)) return { end: "limit", pages };
    overlap = minOverlap(max);
    previous = records;
    end = reached;
  }
}

const minOverlap = (max: number): number => Math.min(Math.max(3, Math.floor(max / 50)), Math.floor(max / 2));

/**
 * Whether a first page is short because the upstream serves no larger ones, although more records follow. The size is
 * remembered. Page numbers count pages of the size served, so the next page is requested with that size.
 */
async function isClamped(
  request: Upstream["request"],
  list: ListEndpoint,
  parameters: Parameters,
  size: number,
): Promise<boolean> {
  const { pageSizes } = list;
  if (size === 0 || size < (pageSizes.largest ?? 0)) return false;
  pageSizes.largest = size;
  const next = await fetchPage(request, list, pageParameters(list, parameters, { page: 1, size }));
  if ("refused" in next || next.records.length === 0) return false;
  // The list may have grown in between: only a clamped page is as short as before.
  const first = { page: 0, size: maxPageSize(list) };
  const again = await fetchPage(request, list, pageParameters(list, parameters, first));
  if ("refused" in again || again.records.length !== size) return false;
  pageSizes.most = size;
  return true;
}

async function followLinks(
  request: Upstream["request"],
  list: ListEndpoint,
  first: Parameters,
  pagesBefore: number,
  onPage: (page: Page) => Promise<void>,
): Promise<ScanResult> {
  let pages = pagesBefore;
  for (let next: Parameters | undefined = first; next !== undefined; ) {
    const found: Found = await fetchPage(request, list, next);
    if ("refused" in found) return { end: "refused", ...found.refused };
    if (++pages > lastPage) return { end: "limit", pages };
    await onPage({ records: found.records, date: found.date });
    next = found.records.length === 0 ? undefined : found.next;
  }
  return { end: "complete", pages };
}

type Found = Refused | (UpstreamResponse & { readonly records: readonly unknown[] });

async function fetchPage(request: Upstream["request"], list: ListEndpoint, parameters: Parameters): Promise<Found> {
  const response = await request({ path: list.path, parameters, check: shapeCheck(list) });
  return "refused" in response ? response : { ...response, records: list.extractRecords(response.body) ?? [] };
}

/** A list that is the whole body or a member of it. */
export function listUnder(...keys: readonly string[]): Pick<ListEndpoint, "expected" | "extractRecords"> {
  return {
    expected: ["a list", ...keys.map((key) => `an object with a list under "${key}"`)].join(", or "),
    extractRecords: (body) => [body, ...keys.map((key) => member(body, key))].find(Array.isArray),
  };
}

export function member(body: unknown, key: string): unknown {
  return typeof body === "object" && body !== null && Object.hasOwn(body, key)
    ? (body as Record<string, unknown>)[key]
    : undefined;
}

/** Checks that a body has the shape of the list. */
export const shapeCheck =
  ({ extractRecords, expected }: ListEndpoint) =>
  (body: unknown): string | undefined =>
    extractRecords(body) === undefined ? `expected the response to be ${expected}` : undefined;

const pageParameters = (
  list: ListEndpoint,
  parameters: Parameters,
  { page, size }: { readonly page: number; readonly size: number },
): Parameters => [...parameters, ["page", String(page)], [list.size.name, String(size)]];

/**
 * The page that overlaps the end of what has been read and reaches furthest. Pages begin at multiples of their size, so
 * with small pages sometimes only a shorter overlap makes progress.
 */
export function overlappingPage(end: number, overlap: number, max: number): { page: number; size: number } {
  let best = { page: 0, size: max };
  for (let start = end - overlap; start < end; start++) {
    for (let size = max; size > max / 2; size--) {
      const page = Math.floor(start / size);
      if ((page + 1) * size > (best.page + 1) * best.size) best = { page, size };
    }
    if ((best.page + 1) * best.size > end || overlap > max / 2) break;
  }
  return best;
}

/**
 * Whether a page continues the previous one: it holds a record of that page with every value unchanged, hence at the same
 * position in the order. Everything after that record is on this page or a later one.
 */
function sharesRecord(previous: readonly unknown[], records: readonly unknown[]): boolean {
  const byId = new Map(previous.map((record) => [recordId(record), record]));
  return records.some((record) => {
    const same = byId.get(recordId(record));
    return same !== undefined && JSON.stringify(same) === JSON.stringify(record);
  });
}

/** The record's ID as text; undefined when it has none. */
export function recordId(record: unknown): string | undefined {
  if (typeof record !== "object" || record === null) return undefined;
  const { id } = record as { id?: unknown };
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}
