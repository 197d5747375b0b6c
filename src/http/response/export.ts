// Streams up to 100,000 records of a list from one snapshot, in chunks: memory use doesn't depend on their number.
import type { ServerResponse } from "node:http";
import { compose, Readable } from "node:stream";
import type { Position } from "../../core/query/plan.ts";
import type { ParsedQuery } from "../../core/query/planner.ts";
import type { Snapshot, Store, StoreState } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import type { ExportSlots } from "../protection/export-slots.ts";
import type { Encoding } from "../request/negotiate.ts";
import type { ParsedRequest } from "../request/parsed-request.ts";
import { drained } from "../streams/backpressure.ts";
import { compressor, minCompressedBytes } from "./compress.ts";
import { type Chunk, chunkFormat, nextOf, recordsFor } from "./page-body.ts";
import { ProblemError } from "./problem-error.ts";

export type ExportDeps = {
  readonly store: Store;
  readonly exports: ExportSlots;
  /** Milliseconds on a monotonic clock. */
  readonly ticks: () => number;
};

export type Export = {
  readonly encoding: ParsedRequest["encoding"];
  /** Cursor of the next records. */
  readonly next: string | undefined;
  /** Sends the body and ends the response. A failure closes the connection, so that the client notices. */
  send(response: ServerResponse): Promise<void>;
  /** For a response without a body. */
  cancel(): Promise<void>;
};

export async function openExport(
  { parsedQuery, principal, encoding }: ParsedRequest,
  state: StoreState,
  exchange: Exchange,
  { store, exports, ticks }: ExportDeps,
): Promise<Export> {
  const slot = await exports.acquire(principal.name, () => exchange.isAborted);
  if (typeof slot !== "function") throw new ProblemError(slot);
  let snapshot: Snapshot | undefined;
  const close = async (): Promise<void> => {
    slot();
    await snapshot?.close().catch(() => {});
  };
  try {
    snapshot = await store.snapshot(state);
    const { maxMs, chunkRecords } = exports.limits;
    const deadline = ticks() + maxMs;
    const size = Math.ceil(chunkRecords / (parsedQuery.plan.include.length > 0 ? 10 : 1));
    const chunks = readChunks({ snapshot, parsedQuery, state, size }, () => {
      if (ticks() > deadline) throw new Error(`an export was canceled after ${maxMs / 1000} seconds`);
    });
    const first = await chunks.next();
    const last = first.done || first.value.isLast ? first.value?.last : await lastPosition(snapshot, parsedQuery);
    const isCompressed = encoding !== undefined && (first.value?.bytes ?? 0) >= minCompressedBytes;
    return {
      encoding: isCompressed ? encoding : undefined,
      next: nextOf(parsedQuery, last),
      send: (response) => send(exchange, response, isCompressed ? encoding : undefined, first, chunks).finally(close),
      cancel: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type RecordChunk = {
  readonly parts: readonly Chunk[];
  readonly records: number;
  readonly bytes: number;
  readonly last: Position | undefined;
  readonly isLast: boolean;
};

type Reading = {
  readonly snapshot: Snapshot;
  readonly parsedQuery: ParsedQuery;
  readonly state: StoreState;
  /** Records per chunk. */
  readonly size: number;
};

/** Reads the next chunk while one is sent. `check` throws when it takes too long. */
async function* readChunks(
  { snapshot, parsedQuery, state, size }: Reading,
  check: () => void,
): AsyncGenerator<RecordChunk, undefined> {
  const { plan, listing, view, format } = parsedQuery;
  const { before, write } = chunkFormat(format, { listing, view });
  const read = (sent: number, after: Position | undefined) => {
    const limit = Math.min(size, plan.limit - sent);
    const continued = sent === 0 ? { ...plan, limit } : { ...plan, limit, offset: 0, ...(after && { after }) };
    return recordsFor(snapshot, { ...parsedQuery, plan: continued }, state);
  };
  let sent = 0;
  for (let pending = read(0, undefined); ; ) {
    check();
    const { records, count, last } = await pending;
    sent += count;
    const isLast = last === undefined || sent >= plan.limit;
    if (!isLast) {
      pending = read(sent, last);
      // If the client leaves, nobody awaits it.
      pending.catch(() => {});
    }
    const parts = [...(sent === count ? [before] : []), ...write(records)];
    yield { parts, records: count, bytes: Buffer.byteLength(parts[0] ?? "") + records.length, last, isLast };
    if (isLast) return;
  }
}

/** Of the last record of the whole export, for the link to the next one: headers precede the body. */
async function lastPosition(snapshot: Snapshot, { plan }: ParsedQuery): Promise<Position | undefined> {
  const { last } = await snapshot.records({ ...plan, limit: 1, offset: plan.offset + plan.limit - 1 });
  return last;
}

async function send(
  exchange: Exchange,
  response: ServerResponse,
  encoding: ParsedRequest["encoding"],
  first: IteratorResult<RecordChunk, undefined>,
  rest: AsyncGenerator<RecordChunk, undefined>,
): Promise<void> {
  async function* parts() {
    try {
      for (let next = first; !next.done; next = await rest.next()) {
        exchange.records += next.value.records;
        for (const part of next.value.parts) if (part.length > 0) yield part;
      }
    } finally {
      await rest.return(undefined);
    }
  }
  try {
    for await (const part of encoding === undefined ? parts() : compressed(parts(), encoding)) {
      exchange.bytes = (exchange.bytes ?? 0) + Buffer.byteLength(part);
      response.write(part);
      await drained(response);
      if (response.destroyed) return;
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** One part at a time: more would only be buffered. */
const compressed = (parts: AsyncIterable<Chunk>, encoding: Encoding): AsyncIterable<Buffer> =>
  compose(Readable.from(parts, { highWaterMark: 1 }), compressor(encoding));
