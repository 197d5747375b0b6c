// Request metrics by use, resource, and status.
import { counter, type Family, gauge, histogram, type Labels, plain } from "../../metrics/family.ts";
import { Histogram } from "../../metrics/histogram.ts";
import type { ResponseCache } from "../response/cache.ts";
import type { Observer, Route } from "./access-log.ts";

/** Per route and status. */
type Cell = { readonly times: Histogram; bytes: number; records: number; fromCache: number };

type RequestMetrics = {
  readonly count: Observer;
  families(): Family[];
};

export function requestMetrics(cache: ResponseCache): RequestMetrics {
  const cells = new Map<Route, Map<number, Cell>>();
  const newCell = (route: Route, status: number): Cell => {
    const ofRoute = cells.get(route) ?? new Map<number, Cell>();
    cells.set(route, ofRoute);
    const cell: Cell = { times: new Histogram(), bytes: 0, records: 0, fromCache: 0 };
    ofRoute.set(status, cell);
    return cell;
  };

  return {
    count: ({ route, status, ms, bytes, records, fromCache }) => {
      const cell = cells.get(route)?.get(status) ?? newCell(route, status);
      cell.times.add(ms);
      cell.bytes += bytes;
      cell.records += records;
      if (fromCache) cell.fromCache++;
    },
    families: () => familiesOf(cells, cache),
  };
}

type Cells = ReadonlyMap<Route, ReadonlyMap<number, Cell>>;

function familiesOf(cells: Cells, cache: ResponseCache): Family[] {
  const each = <T>(of: (cell: Cell, labels: Labels) => T): T[] =>
    [...cells].flatMap(([{ use, resource }, ofRoute]) =>
      [...ofRoute].map(([status, cell]) => of(cell, { use, resource, status: String(status) })),
    );
  const hits = sumOf(cells, ({ fromCache }) => fromCache);
  return [
    histogram(
      "bellwire_request_seconds",
      "Time from the arrival of a request until its response was handed to the connection.",
      each(({ times }, labels) => [labels, times]),
    ),
    counter(
      "bellwire_sent_bytes_total",
      "Bytes of response bodies sent.",
      each(({ bytes }, labels) => ({ labels, value: bytes })),
    ),
    counter(
      "bellwire_records_total",
      "Records returned or, for use write, received.",
      each(({ records }, labels) => ({ labels, value: records })),
    ),
    counter("bellwire_cache_hits_total", "List responses without reading a record.", plain(hits)),
    counter(
      "bellwire_cache_misses_total",
      "List responses for which records were read.",
      plain(sumOf(cells, ({ times }) => times.count) - hits),
    ),
    gauge("bellwire_cache_bytes", "Memory used by cached responses.", plain(cache.bodies.bytes + cache.replies.bytes)),
  ];
}

/** Over successful reads. */
const sumOf = (cells: Cells, value: (cell: Cell) => number): number =>
  [...cells]
    .filter(([{ use }]) => use === "read")
    .flatMap(([, ofRoute]) => [...ofRoute])
    .reduce((sum, [status, cell]) => (status === 200 || status === 304 ? sum + value(cell) : sum), 0);
