// Streams of lists, at the list's path with `/stream` appended: server-sent events, or messages of a WebSocket.
import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Listing } from "../../core/catalog/extension.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { invalidParameters, type Problem, problem, problems } from "../../core/problem.ts";
import { parseQuery, queryOf } from "../../core/query/query-string.ts";
import { compatStream, messagesOf, type StreamStart, sincePositions, streamOf } from "../../core/query/stream.ts";
import { streamPosition } from "../../core/query/stream-position.ts";
import { redactKeys } from "../../keys/redact.ts";
import type { EventForm } from "../../live/entry-events.ts";
import { eventForm, restForm } from "../../live/event-form.ts";
import { goneReasons } from "../../live/hub.ts";
import type { StreamClient } from "../../live/open-streams.ts";
import type { CloseReason, Subscription } from "../../live/subscriber.ts";
import type { StoreState } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import { ageHeader } from "../headers/age.ts";
import type { ClientAddress } from "../request/client-ip.ts";
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
import { acceptWebSocket } from "../websocket/handshake.ts";
import { messageForm } from "../websocket/message-form.ts";
import { Session, type SessionDeps } from "../websocket/session.ts";
import { isUpgrade } from "../websocket/upgrade.ts";

export type StreamDeps = ParserDeps &
  SessionDeps & {
    readonly rateLimits: RateLimits;
    /** Whether messages have the form that older clients know. */
    readonly isStoryForm: boolean;
    /** Whether the paths of other implementations exist for a request. */
    readonly isCompat: (request: IncomingMessage) => Promise<boolean>;
    readonly addressOf: ClientAddress;
    /** Throws while no record can be served. */
    readonly gate: () => Promise<void>;
  };

const pathsOf = (resource: Resource): string[] => [
  ...new Set([streamOf(resource).path, ...(resource.messages === undefined ? [] : [resource.messages.path])]),
];

export const streamPaths = (catalog: readonly Resource[]): string[] => catalog.flatMap(pathsOf);

export function streamRoutes(
  app: FastifyInstance,
  catalog: readonly Resource[],
  deps: StreamDeps,
  acquire: AcquireStream,
): void {
  for (const resource of catalog) {
    const { path } = streamOf(resource);
    const parseEvents = streamParser(resource, deps, "stream", streamOf);
    const parseMessages = streamParser(resource, deps, "messages", (list) => messagesOf(list, resource));
    const route = { use: "stream", resource: resource.name } as const;
    const paths = pathsOf(resource);
    const compat = deps.compatTable.get(resource);
    const compatPaths = compat === undefined ? [] : compatStream(compat, streamOf).paths.map(({ path }) => path);
    for (const url of new Set([...paths, ...compatPaths]))
      app.route({
        method: ["GET", "HEAD"],
        url,
        config: { route, isCompat: !paths.includes(url) },
        onRequest: deps.gate,
        handler: async ({ exchange }, reply) => {
          const isMessages = isUpgrade(exchange.request);
          if (!isMessages && url !== path && !(compatPaths.includes(url) && (await deps.isCompat(exchange.request))))
            throw new ProblemError(problem("request.upgrade", undefined, { headers: { upgrade: "websocket" } }));
          const [parse, send] = isMessages ? [parseMessages, sendMessages] : [parseEvents, sendEvents];
          const opened = await openStream(exchange, resource, parse, deps);
          const { response } = exchange;
          // If the client has left already, the response won't be closed again.
          if (!response.destroyed) {
            response.once("close", acquire(opened.request.principal.name));
            await send(exchange, opened, deps);
          }
          reply.hijack();
        },
      });
  }
}

/** Parses requests for the stream that `form` makes of a list, also of clients of other implementations. */
export function streamParser(
  resource: Resource,
  deps: StreamDeps,
  responds: "stream" | "messages",
  form: <L extends Listing>(list: L) => L,
): ParseRequest {
  const stream = form(resource);
  const compat = deps.compatTable.get(resource);
  const compatTable = new Map(compat === undefined ? [] : [[stream, compatStream(compat, form)]]);
  return requestParser(stream, { ...deps, compatTable }, responds);
}

/** Takes a slot of a key, to be released when the stream ends. */
export type AcquireStream = (key: string) => () => void;

export function limitStreams(max: number): AcquireStream {
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

export type Opened = {
  readonly resource: Resource;
  readonly parse: ParseRequest;
  readonly request: ParsedRequest;
  readonly state: StoreState;
  readonly start: StreamStart | undefined;
  readonly from: number;
};

/** Throws a ProblemError if the request is invalid, or its position isn't available. */
export async function openStream(
  exchange: Exchange,
  resource: Resource,
  parse: ParseRequest,
  { store, hub }: StreamDeps,
  requested?: StreamStart,
): Promise<Opened> {
  const state = await store.state();
  ageHeader(store.staleness(state));
  const request = await parse(exchange, state);
  const start = requested ?? startOf(exchange);
  const found = await hub.start(resource, start, request.principal.delay, state);
  if ("gone" in found) throw new ProblemError(goneProblem(resource, found.gone));
  return { resource, parse, request, state, start, from: found.position };
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

function goneProblem({ path }: Resource, gone: keyof typeof goneReasons): Problem {
  return problem(
    "stream.gone",
    `${goneReasons[gone]} To start over without a gap, read ${path}, then open the stream with since set to the X-Stream-Position of its first page.`,
  );
}

/** Headers that streams have in common, besides those of every response: notes on parameters, and rate limits. */
function headersOf({ request }: Exchange, { headers }: ParsedRequest, { rateLimits }: StreamDeps): string[] {
  const notes = headers.filter((_, at) => headers[at - (at % 2)]?.startsWith("x-"));
  return [...notes, ...rateLimits.headersOf(request)];
}

async function sendEvents(exchange: Exchange, opened: Opened, deps: StreamDeps): Promise<void> {
  const { response } = exchange;
  const { resource, request, state, from } = opened;
  writeEventHead(exchange, headersOf(exchange, request, deps));
  if (exchange.isHead) return;
  const sink = eventSink(exchange, (seq) => streamPosition(state.databaseId, seq));
  sink.start(from);
  const form = eventForm(resource, restForm(request.parsedQuery, state.rendering));
  const subscription = { ...subscriptionOf(exchange, opened, form, deps), sink };
  const subscriber = await deps.hub.subscribe(resource, request.principal.delay, state, subscription);
  response.once("close", () => subscriber.close());
  if (response.destroyed) subscriber.close();
}

/** Ends the response to HEAD. */
export function writeEventHead({ response, isHead }: Exchange, more: readonly string[]): void {
  const headers = [
    "content-type",
    eventStream,
    // Nothing on the way may compress or collect events.
    "cache-control",
    "no-store, no-transform",
    "x-accel-buffering",
    "no",
    ...more,
  ];
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] as string, headers[at + 1] as string);
  response.writeHead(200);
  if (isHead) response.end();
}

async function sendMessages(exchange: Exchange, opened: Opened, deps: StreamDeps): Promise<void> {
  const { resource, parse, request, state, start } = opened;
  const headers = ["X-Request-Id", exchange.id, ...headersOf(exchange, request, deps)];
  const socket = await acceptWebSocket(exchange, headers);
  if (socket === undefined) return;
  const form = messageForm(
    resource,
    restForm(request.parsedQuery, state.rendering),
    deps.isStoryForm,
    state.databaseId,
  );
  const session = {
    exchange,
    resource,
    delayMinutes: request.principal.delay,
    subscription: subscriptionOf(exchange, opened, form, deps),
    hasStart: start !== undefined,
    positionOf: async (at?: StreamStart) => {
      deps.rateLimits.countAgain(exchange.request);
      return (await openStream(exchange, resource, parse, deps, at)).from;
    },
  };
  new Session(socket, session, deps);
}

export function subscriptionOf(
  exchange: Exchange,
  { request, parse, from }: Opened,
  form: EventForm,
  { now, addressOf }: StreamDeps,
): Omit<Subscription, "sink"> {
  const { parsedQuery, principal } = request;
  const opened = now();
  return {
    plan: parsedQuery.requested ?? parsedQuery.plan,
    form,
    visibility: principal.window,
    until: principal.until,
    from,
    recheck: (current) => recheck(exchange, request, parse, current, now),
    client: () => clientOf(exchange, principal.name, opened, addressOf),
    onClose: () => {},
  };
}

function clientOf(exchange: Exchange, key: string, opened: number, addressOf: ClientAddress): StreamClient {
  const { request, isUpgraded, records, bytes = 0 } = exchange;
  return {
    key,
    transport: isUpgraded ? "messages" : "events",
    filters: filtersOf(request),
    address: addressOf(request),
    opened,
    events: records,
    bytes,
  };
}

/** The query without key and position, decoded. */
function filtersOf({ url = "" }: IncomingMessage): string {
  const { query } = parseQuery(queryOf(url));
  const pairs = [...query].filter(([name]) => name !== "token" && name !== "since");
  return redactKeys(pairs.flatMap(([name, values]) => values.map((value) => `${name}=${value}`)).join("&"));
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
    const { principal: current } = await parse(exchange, state, true);
    const isSame = (["history", "delay", "compat"] as const).every((term) => current[term] === principal[term]);
    return isSame ? current.until : "terms";
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    exchange.key = principal.name;
    if (now() >= principal.until) return "expired";
    return problems[error.problem.code].status === 403 ? "terms" : "revoked";
  }
}
