// Opens a stream: parses a request, and finds the position that it starts from.
import type { IncomingMessage } from "node:http";
import type { Listing } from "../../core/catalog/extension.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { invalidParameters, type Problem, problem } from "../../core/problem.ts";
import { parseQuery, queryOf } from "../../core/query/query-string.ts";
import { compatStream, type StreamStart, sincePositions } from "../../core/query/stream.ts";
import type { EventForm } from "../../live/entry-events.ts";
import { goneReasons } from "../../live/hub.ts";
import type { SharedForms } from "../../live/shared-forms.ts";
import type { Subscription } from "../../live/subscriber.ts";
import type { StoreState } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import { ageHeader } from "../headers/age.ts";
import type { Origins } from "../headers/cors.ts";
import type { ClientAddress } from "../request/client-ip.ts";
import { type ParsedRequest, type ParseRequest, type ParserDeps, requestParser } from "../request/parsed-request.ts";
import type { RateLimits } from "../request/rate-limit.ts";
import { ProblemError } from "../response/problem-error.ts";
import type { SessionDeps } from "../websocket/session.ts";
import { StreamClient } from "./stream-client.ts";
import type { StreamSlots } from "./stream-slots.ts";

export type StreamDeps = ParserDeps &
  SessionDeps & {
    readonly rateLimits: RateLimits;
    readonly origins: Origins;
    readonly slots: StreamSlots;
    readonly forms: SharedForms;
    /** Whether messages have the form that older clients know. */
    readonly isStoryForm: boolean;
    /** Whether the paths of other implementations exist for a request. */
    readonly isCompat: (request: IncomingMessage) => Promise<boolean>;
    readonly addressOf: ClientAddress;
  };

export type Opened = {
  readonly resource: Resource;
  readonly parse: ParseRequest;
  readonly request: ParsedRequest;
  readonly state: StoreState;
  readonly start: StreamStart | undefined;
  readonly from: number;
};

/** Parses requests for the stream that `form` makes of a list, also of clients of other implementations. */
export function streamParser(
  resource: Resource,
  deps: ParserDeps,
  responds: "stream" | "messages",
  form: <L extends Listing>(list: L) => L,
): ParseRequest {
  const stream = form(resource);
  const compat = deps.compatTable.get(resource);
  const compatTable = new Map(compat === undefined ? [] : [[stream, compatStream(compat, form)]]);
  return requestParser(stream, { ...deps, compatTable }, responds);
}

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
  const start = requested ?? startOf(exchange.request);
  const found = await hub.start(resource, start, request.principal.delay, state);
  if ("gone" in found) throw new ProblemError(goneProblem(resource, found.gone));
  return { resource, parse, request, state, start, from: found.position };
}

/** Browsers send the header when they reconnect, with the URL of the first request. */
function startOf({ headers, url = "" }: IncomingMessage): StreamStart | undefined {
  const header = headers["last-event-id"];
  if (typeof header !== "string" || header === "") {
    const [since = ""] = parseQuery(queryOf(url)).query.get("since") ?? [];
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

export const subscriptionOf = (
  exchange: Exchange,
  { request: { parsedQuery, principal }, state: { keysVersion, databaseId, settings }, parse, from }: Opened,
  form: EventForm,
  deps: StreamDeps,
): Omit<Subscription, "sink"> => ({
  plan: parsedQuery.requested ?? parsedQuery.plan,
  form,
  visibility: principal.window,
  until: principal.until,
  from,
  parsedWith: { keysVersion, databaseId, settings },
  client: new StreamClient(exchange, principal, parse, deps),
});
