// Streams of lists as server-sent events, at the list's path with `/stream` appended.
import type { FastifyInstance } from "fastify";
import type { Resource } from "../../core/catalog/resource.ts";
import { invalidParameters, type Problem, problem, problems } from "../../core/problem.ts";
import { parseQuery, queryOf } from "../../core/query/query-string.ts";
import { type StreamStart, sincePositions, streamOf } from "../../core/query/stream.ts";
import { renderRow } from "../../core/record/render.ts";
import type { EventForm } from "../../live/entry-events.ts";
import type { Hub, Start } from "../../live/hub.ts";
import type { CloseReason } from "../../live/subscriber.ts";
import type { Store, StoreState } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import { ageHeader } from "../headers/age.ts";
import {
  eventStream,
  type ParsedRequest,
  type ParseRequest,
  type ParserDeps,
  requestParser,
} from "../request/parsed-request.ts";
import type { RateLimits } from "../request/rate-limit.ts";
import { eventSink } from "../response/event-sink.ts";
import { ProblemError } from "../response/problem-error.ts";

export type StreamDeps = ParserDeps & {
  readonly store: Store;
  readonly hub: Hub;
  readonly rateLimits: RateLimits;
  /** Open streams per key; 0: unlimited. */
  readonly keyStreams: number;
  /** Throws while no record can be served. */
  readonly gate: () => Promise<void>;
};

export const streamPaths = (catalog: readonly Resource[]): string[] => catalog.map((each) => streamOf(each).path);

export function streamRoutes(app: FastifyInstance, catalog: readonly Resource[], deps: StreamDeps): void {
  const acquire = limitStreams(deps.keyStreams);
  for (const resource of catalog) {
    const listing = streamOf(resource);
    const parse = requestParser(listing, deps, "stream");
    app.route({
      method: ["GET", "HEAD"],
      url: listing.path,
      config: { route: { use: "stream", resource: resource.name } },
      onRequest: deps.gate,
      handler: async ({ exchange }, reply) => {
        const opened = await openStream(exchange, resource, parse, deps);
        const { response } = exchange;
        // If the client has left already, the response won't be closed again.
        if (!response.destroyed) response.once("close", acquire(opened.request.principal.name));
        reply.hijack();
        if (response.destroyed) return;
        writeHead(exchange, opened.request, deps);
        if (exchange.isHead) response.end();
        else await follow(exchange, resource, opened, parse, deps).catch(() => response.destroy());
      },
    });
  }
}

/** Takes a slot of a key, to be released when the stream ends. */
function limitStreams(max: number): (key: string) => () => void {
  const open = new Map<string, number>();
  return (key) => {
    const count = open.get(key) ?? 0;
    if (max > 0 && count >= max) {
      const detail = `This key has ${count} open streams, which is the limit. ${problems["limit.streams"].doc}`;
      throw new ProblemError(problem("limit.streams", detail, { headers: { "retry-after": "5" } }));
    }
    open.set(key, count + 1);
    return () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    };
  };
}

type Opened = { readonly request: ParsedRequest; readonly state: StoreState; readonly from: number };

/** Throws a ProblemError if the request is invalid, or its position isn't available. */
async function openStream(
  exchange: Exchange,
  resource: Resource,
  parse: ParseRequest,
  { store, hub }: StreamDeps,
): Promise<Opened> {
  const state = await store.state();
  ageHeader(store.staleness(state));
  const request = await parse(exchange, state);
  const start = await hub.start(resource, startOf(exchange), request.principal.delay, state);
  if ("gone" in start) throw new ProblemError(goneProblem(resource, start.gone));
  return { request, state, from: start.position };
}

/** Browsers send the header when they reconnect, with the URL of the first request. */
function startOf({ request }: Exchange): StreamStart | undefined {
  const header = request.headers["last-event-id"];
  if (typeof header !== "string" || header === "") {
    const [since = ""] = parseQuery(queryOf(request.url ?? "")).query.get("since") ?? [];
    return sincePositions.parse(since.trim());
  }
  const start = sincePositions.parse(header);
  if (start !== undefined) return start;
  const given = header.slice(0, sincePositions.echoLimit);
  const error = { parameter: "Last-Event-ID", given, expected: sincePositions.expected };
  throw new ProblemError(invalidParameters("request.parameters", [error]));
}

function goneProblem({ path }: Resource, gone: (Start & { gone: unknown })["gone"]): Problem {
  const reason =
    gone === "pruned"
      ? "Changes after this position have expired from the change log."
      : "This position belongs to another database, or to one that has since been restored from a backup.";
  return problem(
    "stream.gone",
    `${reason} To start over without a gap, read ${path}, then open the stream with since set to the X-Stream-Position of its first page.`,
  );
}

function writeHead({ request, response }: Exchange, { headers }: ParsedRequest, { rateLimits }: StreamDeps): void {
  const ignored = headers.indexOf("x-ignored-parameters");
  const all = [
    "content-type",
    eventStream,
    // Nothing on the way may compress or collect events.
    "cache-control",
    "no-store, no-transform",
    "x-accel-buffering",
    "no",
    ...(ignored === -1 ? [] : headers.slice(ignored, ignored + 2)),
    ...rateLimits.headersOf(request),
  ];
  for (let at = 0; at < all.length; at += 2) response.setHeader(all[at] as string, all[at + 1] as string);
  response.writeHead(200);
}

async function follow(
  exchange: Exchange,
  resource: Resource,
  { request, state, from }: Opened,
  parse: ParseRequest,
  { hub, now }: StreamDeps,
): Promise<void> {
  const { understood, principal } = request;
  const plan = understood.requested ?? understood.plan;
  const sink = eventSink(exchange, state.databaseId);
  sink.start(from);
  const subscriber = await hub.subscribe(resource, principal.delay, state, {
    plan,
    form: formOf(request, state),
    visibility: principal.window,
    until: principal.until,
    from,
    sink,
    recheck: (current) => recheck(exchange, request, parse, current, now),
    onClose: () => {},
  });
  exchange.response.once("close", () => subscriber.close());
  if (exchange.response.destroyed) subscriber.close();
}

function formOf({ understood: { plan, view } }: ParsedRequest, { rendering }: StoreState): EventForm {
  const transforms = view.transforms.map(({ name }) => name);
  return {
    key: JSON.stringify([plan.include, view.selectedFields, transforms]),
    render: (row) => renderRow(plan, row, view, rendering),
  };
}

/** Until when the key is valid now, or why the stream ends. */
async function recheck(
  exchange: Exchange,
  { principal }: ParsedRequest,
  parse: ParseRequest,
  state: StoreState,
  now: () => number,
): Promise<number | CloseReason> {
  try {
    const { principal: current } = await parse(exchange, state);
    const isSame = current.history === principal.history && current.delay === principal.delay;
    return isSame ? current.until : "terms";
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    exchange.key = principal.name;
    if (now() >= principal.until) return "expired";
    return problems[error.problem.code].status === 403 ? "terms" : "revoked";
  }
}
