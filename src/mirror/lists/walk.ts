// All pages of a list that may move while it is read. Records that are there throughout are never missed: pages overlap,
// and each must hold a record of the page before it. Where answers link to the next page, links are followed.
import type { Answer, Parameters, Upstream } from "../upstream/upstream.ts";

export type List = {
  readonly path: string;
  readonly size: { readonly name: string; readonly most: number };
  readonly recordsOf: (body: unknown) => readonly unknown[] | undefined;
  /** What the list holds, for messages. */
  readonly expected: string;
};

export type Page = { readonly records: readonly unknown[]; readonly date: number };

export type Walked =
  | { readonly end: "complete"; readonly pages: number }
  /** The upstream gives no deeper pages. */
  | { readonly end: "limit"; readonly pages: number }
  | { readonly end: "refused"; readonly status: number; readonly detail: string };

/** The interface has no deeper pages. */
const lastPage = 100_000;

/** So often the list may move faster than it can be read before it is left for later. */
const mostRestarts = 12;

export async function walk(
  ask: Upstream["ask"],
  list: List,
  parameters: Parameters,
  onPage: (page: Page) => Promise<void>,
): Promise<Walked> {
  const fetchPage = async (more: Parameters) => {
    const answer = await ask({
      path: list.path,
      parameters: more,
      check: (body) => (list.recordsOf(body) === undefined ? `the answer is no ${list.expected}` : undefined),
    });
    return "refused" in answer ? answer : { ...answer, records: list.recordsOf(answer.body) ?? [] };
  };
  const numbered = (page: number, size: number): Parameters => [
    ...parameters,
    ["page", String(page)],
    [list.size.name, String(size)],
  ];
  const { most } = list.size;
  const least = Math.min(Math.max(3, Math.floor(most / 50)), Math.floor(most / 2));
  let pages = 0;
  let before: readonly unknown[] = [];
  /** How many records of the list lie before the end of the last page, as it was then. */
  let end = 0;
  let overlap = least;
  let restarts = 0;
  for (;;) {
    const place = end === 0 ? { page: 0, size: most } : placeBefore(end, overlap, most);
    if (place.page > lastPage) return { end: "limit", pages };
    const found = await fetchPage(numbered(place.page, place.size));
    if ("refused" in found) {
      const { status, detail } = found.refused;
      // What was taken on the first page is refused on a later one for its number alone.
      return pages > 0 && status !== 401 && status !== 403
        ? { end: "limit", pages }
        : { end: "refused", status, detail };
    }
    const { records, date } = found;
    pages++;
    if (place.page > 0 && !follows(before, records)) {
      const detail = "the list moves faster than it can be read";
      if (++restarts > mostRestarts + pages / 10) return { end: "refused", status: 200, detail };
      overlap *= 4;
      if (end - overlap <= most / 2) end = 0;
      continue;
    }
    await onPage({ records, date });
    if (found.next !== undefined) return linked(found);
    if (records.length < place.size) return { end: "complete", pages };
    const reached = place.page * place.size + records.length;
    if (reached <= end && overlap === least) return { end: "limit", pages };
    overlap = least;
    before = records;
    end = reached;
  }

  async function linked(first: Answer): Promise<Walked> {
    let { next } = first;
    while (next !== undefined) {
      const found = await fetchPage(next);
      if ("refused" in found) return { end: "refused", ...found.refused };
      if (++pages > lastPage) return { end: "limit", pages };
      await onPage({ records: found.records, date: found.date });
      next = found.records.length === 0 ? undefined : found.next;
    }
    return { end: "complete", pages };
  }
}

/**
 * The page that overlaps the end of what has been read and reaches furthest. Pages begin at multiples of their size:
 * where pages are small, now and then none but a shorter overlap leads on.
 */
export function placeBefore(end: number, overlap: number, most: number): { page: number; size: number } {
  let best = { page: 0, size: most };
  for (let start = end - overlap; start < end; start++) {
    for (let size = most; size > most / 2; size--) {
      const page = Math.floor(start / size);
      if ((page + 1) * size > (best.page + 1) * best.size) best = { page, size };
    }
    if ((best.page + 1) * best.size > end || overlap > most / 2) break;
  }
  return best;
}

/**
 * Whether a page goes on where the one before ended: it holds a record of that page, unchanged in every value and so at
 * the same place of the order. All that comes after that record is on this page or beyond it.
 */
function follows(before: readonly unknown[], records: readonly unknown[]): boolean {
  const known = new Map(before.map((record) => [idOf(record), record]));
  return records.some((record) => {
    const same = known.get(idOf(record));
    return same !== undefined && JSON.stringify(same) === JSON.stringify(record);
  });
}

/** The id as text; undefined for what has none. */
export function idOf(record: unknown): string | undefined {
  if (typeof record !== "object" || record === null) return undefined;
  const { id } = record as { id?: unknown };
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}
