// Writes records: POST adds and replaces, DELETE removes.
import type { FastifyRequest } from "fastify";
import type { Resource } from "../../core/catalog/resource.ts";
import { type Problem, problem } from "../../core/problem.ts";
import type { writeParameters } from "../../core/writing.ts";
import type { recordEndpoints } from "../../endpoints/records.ts";
import type { InputKind } from "../../ingest/formats/format.ts";
import { readRecords, UnreadableError } from "../../ingest/formats/records.ts";
import { importRecords, MemoryLimitError, type Report } from "../../ingest/import.ts";
import type { Store } from "../../store/store.ts";
import { type Log, loggedUrl } from "../observe/log.ts";
import { type BodyMemory, type BodyShare, bodyMemory } from "../protection/body-memory.ts";
import { busy } from "../protection/large-page-queue.ts";
import {
  type BodyFormat,
  IdleTimeoutError,
  incomingChunks,
  limitBytes,
  smallChunks,
  TooLargeError,
  tooLargeMessage,
} from "../request/body.ts";
import { ProblemError } from "../response/problem-error.ts";
import type { Call, Handlers, Outcome } from "./endpoints.ts";
import { RejectedRecords } from "./rejected-records.ts";

export type WriteLimits = {
  /** Largest body, both compressed and uncompressed. */
  readonly bytes: number;
  /** The same for atomic requests, which are buffered in memory. */
  readonly atomicBytes: number;
  /** Memory for the records of all bodies being received. */
  readonly memoryBytes: number;
  /** Longest time without data. */
  readonly idleMs: number;
};

export const defaultWriteLimits: WriteLimits = {
  bytes: 1_000_000_000,
  atomicBytes: 8_000_000,
  memoryBytes: 256_000_000,
  idleMs: 60_000,
};

export type RecordDeps = {
  readonly store: Store;
  readonly log: Log;
  readonly limits: WriteLimits;
  /** Unix seconds. */
  readonly now: () => number;
};

const inputKind: InputKind = {
  what: "the body",
  lines: "send a body with one object per line as application/x-ndjson",
};

/** Records per transaction; fewer than in an import, since other requests wait for it. */
const batchSize = 200;

export function recordHandlers(
  deps: RecordDeps,
  onClose: (wait: () => Promise<unknown>) => unknown,
): Handlers<ReturnType<typeof recordEndpoints>["endpoints"]> {
  const inFlight = new Set<Promise<unknown>>();
  const memory = bodyMemory(deps.limits.memoryBytes);
  // Records received before a disconnect are still being written; the store stays open for them.
  onClose(() => Promise.allSettled(inFlight));
  return {
    writeRecords: (call, resource) => {
      const done = write(call, resource, deps, memory);
      inFlight.add(done);
      const remove = () => void inFlight.delete(done);
      done.then(remove, remove);
      return done;
    },
    removeRecord: async ({ segments: { id = "" } }, resource) => ({
      body: { removed: await deps.store.remove(resource, [id]) },
    }),
  };
}

async function write(
  { request, reply, values: { atomic }, form }: Call<typeof writeParameters>,
  resource: Resource,
  deps: RecordDeps,
  memory: BodyMemory,
): Promise<Outcome> {
  const max = atomic ? deps.limits.atomicBytes : deps.limits.bytes;
  if (form === undefined) throw new Error("the body has no format");
  if (Number(request.headers["content-length"] ?? 0) > max) throw new ProblemError(oversize(max));

  const share = memory.share();
  const ingesting = ingestBody(resource, deps, request, { form, atomic, max, share });
  const { report, refused, broken } = await ingesting.finally(share.releaseAll);
  request.exchange.records = report.read;
  const body = { ...report, refusals: refused.list };
  if (request.raw.socket.destroyed) {
    const entry = {
      request_id: request.id,
      url: loggedUrl(request.raw.url ?? ""),
      key: request.exchange.key,
      ...report,
    };
    deps.log.warn(entry, "client disconnected; records received before are stored unless the request was atomic");
  }
  const cause = broken instanceof UnreadableError ? broken.cause : broken;
  // What is left of the body may never arrive.
  const closing = cause instanceof IdleTimeoutError ? { connection: "close" } : {};
  reply.headers(closing);
  if (cause instanceof TooLargeError) throw new ProblemError(oversize(max, body));
  if (broken instanceof UnreadableError) {
    const code = cause instanceof IdleTimeoutError ? "request.timeout" : "request.body";
    throw new ProblemError(problem(code, `${sentence(broken.message)}.`, { headers: closing }));
  }
  const isAnyStored = report.created + report.updated + report.unchanged > 0;
  if (report.refused > 0 && !isAnyStored) {
    const detail = `${counted(report.refused, report.read)} rejected, and none was stored.`;
    throw new ProblemError(
      problem("records.refused", detail, { errors: refused.errors, report: body, headers: closing }),
    );
  }
  // Multi-Status: some records are stored, some are not.
  return { status: report.refused > 0 ? 207 : 200, body };
}

type Ingested = {
  readonly report: Report;
  readonly refused: RejectedRecords;
  /** What ended the body early; an UnreadableError if that was before the first record. */
  readonly broken: unknown;
};

type Expected = {
  readonly form: BodyFormat;
  readonly atomic: boolean;
  readonly max: number;
  readonly share: BodyShare;
};

/** Stores the body's records, up to its end or to where it breaks. */
async function ingestBody(
  resource: Resource,
  { store, limits, now }: RecordDeps,
  { raw }: FastifyRequest,
  { form, atomic, max, share }: Expected,
): Promise<Ingested> {
  const refused = new RejectedRecords();
  let broken: unknown;
  const origin = {
    name: "the body",
    ...form,
    inputKind,
    watch: (uncompressed: AsyncIterable<Uint8Array>) => smallChunks(limitBytes(uncompressed, max)),
    onInterrupted: (error: unknown) => {
      broken = error;
    },
  };
  // Compressed bytes are limited too: gzip data that expands to nothing could go on forever.
  const records = readRecords(origin, limitBytes(incomingChunks(raw, limits.idleMs), max));
  const onRefused = refused.add.bind(refused);
  try {
    const report = await importRecords(store, resource, records, {
      now: Math.floor(now()),
      onRefused,
      batchSize,
      atomic,
      memory: share,
    });
    return { report, refused, broken };
  } catch (error) {
    if (error instanceof MemoryLimitError)
      throw new ProblemError(busy("This server is receiving too many records at once; nothing was stored."));
    if (!(error instanceof UnreadableError)) throw error;
    return { report: { read: 0, created: 0, updated: 0, unchanged: 0, refused: 0 }, refused, broken: error };
  }
}

const counted = (refused: number, read: number): string =>
  read === 1 ? "The record was" : `${refused} of ${read} records ${refused === 1 ? "was" : "were"}`;

const oversize = (max: number, report?: object): Problem =>
  problem("request.size", `${sentence(tooLargeMessage(max))}.`, report === undefined ? {} : { report });

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
