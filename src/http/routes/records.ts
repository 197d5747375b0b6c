// Writing over HTTP: records in, by the body of a POST, and out, by a DELETE. For keys with the scope `write`.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fieldOf, type Resource } from "../../core/catalog/resource.ts";
import { type Mistake, type Problem, problem } from "../../core/problem.ts";
import { readInputs } from "../../core/query/planner.ts";
import { recordsPath, writeInputs } from "../../core/writing.ts";
import type { Carrier } from "../../ingest/formats/format.ts";
import { readRecords, UnreadableError } from "../../ingest/formats/records.ts";
import { importRecords, NoMemoryError, type Report } from "../../ingest/import.ts";
import type { Store } from "../../store/store.ts";
import { nameIgnored, refuse } from "../headers/ignored-parameters.ts";
import type { Route } from "../observe/access-log.ts";
import { type Log, loggedUrl } from "../observe/log.ts";
import { type BodyMemory, type BodyShare, bodyMemory } from "../protection/body-memory.ts";
import { busy } from "../protection/large-page-queue.ts";
import type { Authenticate } from "../request/auth.ts";
import {
  arriving,
  type BodyForm,
  bodyForm,
  inPieces,
  limited,
  SilentError,
  TooLargeError,
  tooLarge,
} from "../request/body.ts";
import { granted } from "../request/require-scope.ts";
import { contentTypes } from "../response/page-body.ts";
import { ProblemError } from "../response/problem-error.ts";
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

export type RecordRoutes = {
  readonly catalog: readonly Resource[];
  readonly store: Store;
  readonly authenticate: Authenticate;
  readonly log: Log;
  readonly limits: WriteLimits;
  /** Throws while requests for records can't be answered. */
  readonly gate: () => Promise<void>;
  /** Unix seconds. */
  readonly now: () => number;
};

const carrier: Carrier = {
  what: "the body",
  lines: "a body with one object on each line is sent as application/x-ndjson",
};

/**
 * Records to a transaction. Fewer than an import has: the process that writes answers requests too, and on SQLite it
 * answers none while a transaction lasts.
 */
const batchSize = 200;

export function recordRoutes(app: FastifyInstance, deps: RecordRoutes): void {
  // Bodies are read by their handler, piece by piece and after the key; the framework would read them before.
  for (const method of ["POST", "DELETE"]) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  const underWay = new Set<Promise<unknown>>();
  const memory = bodyMemory(deps.limits.memoryBytes);
  // What came before a connection was cut is still being written; the store stays open for it.
  app.addHook("onClose", async () => void (await Promise.allSettled(underWay)));
  for (const resource of deps.catalog) {
    const url = recordsPath(resource);
    const post = postHandler(resource, deps, memory);
    const config: { route: Route } = { route: { use: "write", resource: resource.name } };
    app.post(url, { config, onRequest: deps.gate }, (request, reply) => {
      const done = post(request, reply);
      underWay.add(done);
      const forget = () => void underWay.delete(done);
      done.then(forget, forget);
      return done;
    });
    app.delete(`${url}/:id`, { config, onRequest: deps.gate }, deleteHandler(resource, deps));
  }
}

function postHandler(resource: Resource, deps: RecordRoutes, memory: BodyMemory) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { query, mistakes } = await granted(request, deps, "write", { resource });
    const form = bodyForm(request.headers);
    if ("code" in form) throw new ProblemError(form);
    const { values, mistakes: wrong, ignored } = readInputs(writeInputs, query);
    refuse([...mistakes, ...wrong]);
    nameIgnored(reply, ignored);
    const { atomic } = values;
    const most = atomic ? deps.limits.atomicBytes : deps.limits.bytes;
    if (Number(request.headers["content-length"] ?? 0) > most) throw new ProblemError(oversize(most));

    const share = memory.share();
    const taking = take(resource, deps, request, { form, atomic, most, share });
    const { report, refused, broken } = await taking.finally(share.releaseAll);
    request.exchange.records = report.read;
    const told = { ...report, refusals: refused.list };
    if (request.raw.socket.destroyed) {
      const entry = {
        request_id: request.id,
        url: loggedUrl(request.raw.url ?? ""),
        key: request.exchange.key,
        ...report,
      };
      deps.log.warn(entry, "the client went away; what came whole before is kept, unless it was to be all or nothing");
    }
    const cause = broken instanceof UnreadableError ? broken.cause : broken;
    if (cause instanceof SilentError) reply.header("connection", "close");
    if (cause instanceof TooLargeError) throw new ProblemError(oversize(most, told));
    if (broken instanceof UnreadableError) {
      const code = cause instanceof SilentError ? "request.timeout" : "request.body";
      throw new ProblemError(problem(code, `${sentence(broken.message)}.`));
    }
    const isKept = report.created + report.updated + report.unchanged > 0;
    if (report.refused > 0 && !isKept) {
      const detail = `${counted(report.refused, report.read)} refused, and none was kept.`;
      throw new ProblemError(problem("records.refused", detail, { errors: refused.mistakes, report: told }));
    }
    // Neither a success nor a failure: some records are kept, and some are not.
    return send(reply.code(report.refused > 0 ? 207 : 200), told);
  };
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
  { store, limits, now }: RecordRoutes,
  { raw }: FastifyRequest,
  { form, atomic, most, share }: Expected,
): Promise<Taken> {
  const refused = new RefusedRecords();
  let broken: unknown;
  const origin = {
    name: "the body",
    ...form,
    carrier,
    watch: (unpacked: AsyncIterable<Uint8Array>) => inPieces(limited(unpacked, most)),
    onBroken: (error: unknown) => {
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
    if (error instanceof NoMemoryError)
      throw new ProblemError(busy("This server is receiving too many records at once; nothing was stored."));
    if (!(error instanceof UnreadableError)) throw error;
    return { report: { read: 0, created: 0, updated: 0, unchanged: 0, refused: 0 }, refused, broken: error };
  }
}

function deleteHandler(resource: Resource, deps: RecordRoutes) {
  const field = fieldOf(resource, "id");
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { query, mistakes } = await granted(request, deps, "write", { resource });
    const given = (request.params as { id: string }).id;
    const wrong: Mistake[] = [];
    const id = field.accept(field.fromText(given), (expected) => wrong.push({ parameter: "id", given, expected }));
    refuse([...mistakes, ...wrong]);
    nameIgnored(reply, [...query.keys()]);
    return send(reply, { removed: await deps.store.remove(resource, [String(id)]) });
  };
}

const send = (reply: FastifyReply, body: object): FastifyReply =>
  reply.header("cache-control", "no-store").type(contentTypes.json).send(JSON.stringify(body));

const counted = (refused: number, read: number): string =>
  read === 1 ? "The record was" : `${refused} of ${read} records ${refused === 1 ? "was" : "were"}`;

const oversize = (most: number, report?: object): Problem =>
  problem("request.size", `${sentence(tooLarge(most))}.`, report === undefined ? {} : { report });

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
