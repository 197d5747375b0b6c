// Writing over HTTP: records are added and replaced by the body of a POST, and removed by a DELETE.
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
import { arriving, type BodyForm, inPieces, limited, SilentError, TooLargeError, tooLarge } from "../request/body.ts";
import { ProblemError } from "../response/problem-error.ts";
import type { Call, Handlers, Outcome } from "./endpoints.ts";
import { RefusedRecords } from "./rejected-records.ts";

export type WriteLimits = {
  /** Largest body, packed and unpacked. */
  readonly bytes: number;
  /** The same for a body that is all or nothing, and so is held in memory. */
  readonly atomicBytes: number;
  /** Memory for records of all bodies that are being received. */
  readonly memoryBytes: number;
  /** How long a body may be silent. */
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
  lines: "a body with one object on each line is sent as application/x-ndjson",
};

/**
 * Records to a transaction. Fewer than an import has: the process that writes answers requests too, and on SQLite it
 * answers none while a transaction lasts.
 */
const batchSize = 200;

export function recordHandlers(
  deps: RecordDeps,
  onClose: (wait: () => Promise<unknown>) => unknown,
): Handlers<ReturnType<typeof recordEndpoints>["endpoints"]> {
  const inFlight = new Set<Promise<unknown>>();
  const memory = bodyMemory(deps.limits.memoryBytes);
  // What arrived before a connection was cut is still being written; the store stays open for it.
  onClose(() => Promise.allSettled(inFlight));
  return {
    writeRecords: (call, resource) => {
      const done = write(call, resource, deps, memory);
      inFlight.add(done);
      const forget = () => void inFlight.delete(done);
      done.then(forget, forget);
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
  const most = atomic ? deps.limits.atomicBytes : deps.limits.bytes;
  if (form === undefined) throw new Error("the body has no form");
  if (Number(request.headers["content-length"] ?? 0) > most) throw new ProblemError(oversize(most));

  const share = memory.share();
  const taking = take(resource, deps, request, { form, atomic, most, share });
  const { report, refused, broken } = await taking.finally(share.releaseAll);
  request.exchange.records = report.read;
  const body = { ...report, refusals: refused.list };
  if (request.raw.socket.destroyed) {
    const entry = {
      request_id: request.id,
      url: loggedUrl(request.raw.url ?? ""),
      key: request.exchange.key,
      ...report,
    };
    deps.log.warn(entry, "the client disconnected; records received before are stored, unless the request was atomic");
  }
  const cause = broken instanceof UnreadableError ? broken.cause : broken;
  if (cause instanceof SilentError) reply.header("connection", "close");
  if (cause instanceof TooLargeError) throw new ProblemError(oversize(most, body));
  if (broken instanceof UnreadableError) {
    const code = cause instanceof SilentError ? "request.timeout" : "request.body";
    throw new ProblemError(problem(code, `${sentence(broken.message)}.`));
  }
  const isAnyStored = report.created + report.updated + report.unchanged > 0;
  if (report.refused > 0 && !isAnyStored) {
    const detail = `${counted(report.refused, report.read)} refused, and none was kept.`;
    throw new ProblemError(problem("records.refused", detail, { errors: refused.mistakes, report: body }));
  }
  // Neither a success nor a failure: some records are stored, and some are not.
  return { status: report.refused > 0 ? 207 : 200, body };
}

type Taken = {
  readonly report: Report;
  readonly refused: RefusedRecords;
  /** What ended the body before its time; an UnreadableError when that was before the first record. */
  readonly broken: unknown;
};

type Expected = {
  readonly form: BodyForm;
  readonly atomic: boolean;
  readonly most: number;
  readonly share: BodyShare;
};

/** Reads the body to its end, or to where it breaks, and keeps its records. */
async function take(
  resource: Resource,
  { store, limits, now }: RecordDeps,
  { raw }: FastifyRequest,
  { form, atomic, most, share }: Expected,
): Promise<Taken> {
  const refused = new RefusedRecords();
  let broken: unknown;
  const origin = {
    name: "the body",
    ...form,
    inputKind,
    watch: (unpacked: AsyncIterable<Uint8Array>) => inPieces(limited(unpacked, most)),
    onInterrupted: (error: unknown) => {
      broken = error;
    },
  };
  // Packed bytes are counted too: gzip data that unpacks to nothing could go on for ever.
  const records = readRecords(origin, limited(arriving(raw, limits.idleMs), most), () => undefined);
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

const oversize = (most: number, report?: object): Problem =>
  problem("request.size", `${sentence(tooLarge(most))}.`, report === undefined ? {} : { report });

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
