// The change feed and its snapshot: all that happened to records, for those who keep a copy. For keys with the scope `replicate`.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendAsyncHookHandler } from "fastify";
import type { Rendering } from "../../core/catalog/field.ts";
import { fieldOf, type Resource } from "../../core/catalog/resource.ts";
import { feedInputs, feedPath, snapshotInputs, snapshotPath } from "../../core/feed.ts";
import { type Problem, problem } from "../../core/problem.ts";
import { readInputs } from "../../core/query/planner.ts";
import { exported } from "../../core/record/encoding.ts";
import type { Row } from "../../core/record/row.ts";
import type { Change, Store } from "../../store/store.ts";
import { nameIgnored, refuse } from "../headers/ignored-parameters.ts";
import { type KeyQueues, keyQueues } from "../protection/key-concurrency.ts";
import { type Authenticate, missingResource, type Principal } from "../request/auth.ts";
import { negotiateEncoding } from "../request/negotiate.ts";
import { type Granted, granted } from "../request/require-scope.ts";
import { compressIfRoom, smallestEncoded } from "../response/compress.ts";
import { contentTypes } from "../response/page-body.ts";
import { ProblemError } from "../response/problem-error.ts";

export type ChangeRoutes = {
  readonly catalog: readonly Resource[];
  readonly store: Store;
  readonly authenticate: Authenticate;
  /** Of requests for changes and snapshots. */
  readonly feedQueues: KeyQueues;
  /** Throws while requests for records can't be answered. */
  readonly gate: () => Promise<void>;
  readonly onSend: onSendAsyncHookHandler;
};

/** Records that are read at once, and characters after which an answer holds no more of them. */
const atOnce = 50;
const mostCharacters = 16_000_000;

export function changeRoutes(app: FastifyInstance, given: Omit<ChangeRoutes, "feedQueues">): void {
  const deps: ChangeRoutes = { ...given, feedQueues: keyQueues(1) };
  const route = (url: string, resource: string, handler: Handler) =>
    app.route({
      method: ["GET", "HEAD"],
      url,
      config: { route: { use: "replicate", resource } },
      onRequest: deps.gate,
      handler,
      onSend: deps.onSend,
    });
  route(feedPath, "", feedHandler(deps));
  for (const resource of deps.catalog) route(snapshotPath(resource), resource.name, snapshotHandler(resource, deps));
}

function feedHandler(deps: ChangeRoutes) {
  const { catalog, store } = deps;
  const inputs = feedInputs(catalog);
  return oneByOne(deps, undefined, async (request, reply, { state, holder, query, mistakes }) => {
    const { values, mistakes: wrong, ignored } = readInputs(inputs, query);
    const lack = values.resource === undefined ? undefined : missingResource(holder, [values.resource]);
    if (lack !== undefined) throw new ProblemError(lack);
    refuse([...mistakes, ...wrong]);
    nameIgnored(reply, ignored);
    const { after, resource, limit } = values;
    // Before the lines: whatever comes later belongs to the next answer.
    const last = await store.lastChange();
    const given = query.get("after")?.[0] ?? "";
    if (after > last) refuse([{ parameter: "after", given, expected: `a position up to ${last}, the newest one` }]);
    const lines = (await store.changes(after, limit, resource)).filter(({ seq }) => seq <= last);
    // After the lines: none of them can have been forgotten unseen.
    const oldest = await store.oldestChange();
    if (after < oldest) throw new ProblemError(gone(after, oldest));
    const printed = await printLines(lines, holder, deps, state.rendering);
    const isWhole = printed.length === lines.length && lines.length < limit;
    const next = isWhole ? last : (lines[printed.length - 1]?.seq ?? after);
    const changes = printed.filter((line) => line !== undefined);
    const database = JSON.stringify(state.database);
    request.exchange.records = changes.length;
    const body = `{"database":${database},"changes":[${changes.join(",")}],"next":${next},"last":${last}}`;
    return send(request, reply, body);
  });
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Responses are large and take long to put together: a key that asks for several at once gets one after the other. */
function oneByOne(
  deps: ChangeRoutes,
  resource: Resource | undefined,
  handle: (request: FastifyRequest, reply: FastifyReply, granted: Granted) => Promise<FastifyReply>,
): Handler {
  return async (request, reply) => {
    const allowed = await granted(request, deps, "replicate", resource === undefined ? {} : { resource });
    const isGone = () => request.raw.socket.destroyed;
    return deps.feedQueues.run(allowed.holder.name, isGone, () => handle(request, reply, allowed));
  };
}

const gone = (after: number, oldest: number): Problem =>
  problem(
    "changes.gone",
    `The lines after ${after} are no longer all kept; the oldest position that can be followed from is ${oldest}. Start again with ${feedPath}/records/ and the name of each resource, then follow from the "last" of the first answer.`,
  );

/**
 * Lines as JSON, each with the present form of its record; undefined for those of resources that the key is not for.
 * Fewer than were given when they grow too large.
 */
async function printLines(
  lines: readonly Change[],
  { resources }: Principal,
  { catalog, store }: ChangeRoutes,
  rendering: Rendering,
): Promise<(string | undefined)[]> {
  const isSold = (name: string) => resources?.includes(name) ?? true;
  const printed: (string | undefined)[] = [];
  for (let at = 0, length = 0; at < lines.length && length < mostCharacters; at += atOnce) {
    const some = lines.slice(at, at + atOnce);
    const records = new Map<string, string>();
    for (const resource of catalog) {
      if (!isSold(resource.name)) continue;
      const ids = new Set(some.filter((line) => line.resource === resource.name).map(({ id }) => id));
      if (ids.size === 0) continue;
      for (const row of await store.rowsOf(resource, [...ids]))
        records.set(`${resource.name} ${row.id}`, printRecord(resource, row, rendering));
    }
    for (const { seq, resource, id, kind, at: time } of some) {
      if (!isSold(resource)) {
        printed.push(undefined);
        continue;
      }
      const line = JSON.stringify({ seq, resource, id, kind, at: time });
      const record = records.get(`${resource} ${id}`);
      printed.push(record === undefined ? line : `${line.slice(0, -1)},"record":${record}}`);
      length += printed.at(-1)?.length ?? 0;
    }
    // Requests that have come meanwhile go first.
    await nextTurn();
  }
  return printed;
}

function snapshotHandler(resource: Resource, deps: ChangeRoutes) {
  const inputs = snapshotInputs(resource);
  const isText = fieldOf(resource, "id").column === "text";
  return oneByOne(deps, resource, async (request, reply, { state, query, mistakes }) => {
    const { values, mistakes: wrong, ignored } = readInputs(inputs, query);
    refuse([...mistakes, ...wrong]);
    nameIgnored(reply, ignored);
    // Before the records: a change that comes meanwhile is in the records, in the lines that follow, or in both.
    const last = await deps.store.lastChange();
    // Blanks are part of an identifier, and are not taken off.
    const after = isText ? query.get("after")?.[0] || undefined : values.after;
    const { records, next } = await printRows(resource, deps.store, after, values.limit, state.rendering);
    const database = JSON.stringify(state.database);
    request.exchange.records = records.length;
    const more = next === undefined ? "" : `,"next":${JSON.stringify(String(next))}`;
    return send(request, reply, `{"database":${database},"last":${last},"records":[${records.join(",")}]${more}}`);
  });
}

/** Records as JSON, and the identifier after which to go on. */
async function printRows(
  resource: Resource,
  store: Store,
  from: string | number | undefined,
  limit: number,
  rendering: Rendering,
): Promise<{ records: string[]; next: string | number | undefined }> {
  const records: string[] = [];
  let next = from;
  for (let length = 0; records.length < limit && length < mostCharacters; ) {
    const asked = Math.min(atOnce, limit - records.length);
    const rows = await store.rowsAfter(resource, next, asked);
    for (const row of rows) length += records[records.push(printRecord(resource, row, rendering)) - 1]?.length ?? 0;
    if (rows.length < asked) return { records, next: undefined };
    next = rows.at(-1)?.id as string | number;
    await nextTurn();
  }
  return { records, next };
}

const printRecord = (resource: Resource, row: Row, rendering: Rendering): string =>
  JSON.stringify(exported(resource, row, rendering));

async function send(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  const body = Buffer.from(text);
  const vary = ["Accept, Accept-Encoding", reply.getHeader("vary")].filter(Boolean).join(", ");
  reply.headers({ "cache-control": "no-store", "content-type": contentTypes.json, vary });
  const asked = request.headers["accept-encoding"]?.toString();
  const encoding = body.length < smallestEncoded ? undefined : negotiateEncoding(asked);
  const encoded = encoding === undefined ? undefined : await compressIfRoom(body, encoding);
  if (encoding === undefined || encoded === undefined) return reply.send(body);
  return reply.header("content-encoding", encoding).send(encoded);
}
