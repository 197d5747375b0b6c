// Middleware chain for every request: in-flight tracking and access log, fault injection, CORS preflight, request
// limits, overload. Then the fast path serves lists, and Fastify everything else.
import type { RequestListener, ServerResponse } from "node:http";
import { type Problem, problem } from "../core/problem.ts";
import { maxUrlLength } from "../core/query/query-string.ts";
import { metricsPath } from "../endpoints/operations.ts";
import { serverEndpoints } from "../endpoints/server.ts";
import { unavailable } from "./error-handler.ts";
import { Exchange, exchangeOf } from "./exchange.ts";
import { corsHeaders, isPreflight, type Origins, preflightHeaders } from "./headers/cors.ts";
import { pageHeaders, securityHeaders } from "./headers/security-headers.ts";
import { hasOneHost } from "./malformed-request.ts";
import { cleanPath } from "./not-found.ts";
import type { Observer } from "./observe/access-log.ts";
import type { InFlight } from "./protection/in-flight.ts";
import { overloaded } from "./protection/large-page-queue.ts";
import type { Pipelining } from "./protection/pipelining.ts";
import { limitArrival } from "./request/body.ts";
import type { WriteProblem } from "./response/write-problem.ts";

export type Handler = (exchange: Exchange) => void;

type MiddlewareDeps = {
  readonly inFlight: InFlight;
  readonly pipelining: Pipelining;
  readonly observe: Observer;
  readonly origins: Origins;
  readonly writeProblem: WriteProblem;
  readonly isOverloaded: (exchange: Exchange) => boolean;
  /** In test mode: injects the requested fault, then runs the handler. */
  readonly injectFault: ((exchange: Exchange, handler: Handler) => void) | undefined;
  readonly bodyMs: number | undefined;
  /** Milliseconds on the process's monotonic clock. */
  readonly ticks: () => number;
  /** Passes a request that isn't for a list to the other handler. */
  readonly lists: (exchange: Exchange, otherwise: Handler) => void;
  /** Passes a request that isn't for a stream to the other handler. */
  readonly streams: (exchange: Exchange, otherwise: Handler) => void;
  readonly framework: Handler;
};

/** Served even under overload, for monitoring. */
const { isAlive, isReady } = serverEndpoints.endpoints;
const monitoring = new Set<string>([isAlive.path, isReady.path, metricsPath]);

export function middleware(deps: MiddlewareDeps): RequestListener {
  const {
    inFlight,
    pipelining,
    observe,
    origins,
    writeProblem,
    isOverloaded,
    injectFault,
    bodyMs,
    ticks,
    lists,
    streams,
    framework,
  } = deps;

  const handle: Handler = (exchange) => {
    const { request, response } = exchange;
    if (isPreflight(request, origins)) {
      response.writeHead(204, [...commonHeaders(exchange), ...preflightHeaders(request.headers, origins)]).end();
      return;
    }
    const refusal = refusalOf(exchange, inFlight);
    if (refusal !== undefined) writeProblem(exchange, refusal);
    else lists(exchange, toStreams);
  };

  const toStreams: Handler = (exchange) => streams(exchange, toFramework);

  const toFramework: Handler = (exchange) => {
    const { request, response } = exchange;
    if (isOverloaded(exchange) && !monitoring.has(cleanPath(request.url ?? ""))) {
      writeProblem(exchange, overloaded);
      return;
    }
    const headers = [...commonHeaders(exchange), ...corsHeaders(request.headers, origins)];
    for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] as string, headers[at + 1] as string);
    framework(exchange);
  };

  function onClose(this: ServerResponse): void {
    const exchange = exchangeOf(this);
    pipelining.release(exchange.received.socket);
    record(exchange, observe, ticks);
    exchange.held?.release();
  }

  return (request, response) => {
    if (!pipelining.admit(request.socket)) return;
    const exchange = new Exchange(request, response, ticks());
    inFlight.add(response);
    response.on("close", onClose);
    limitArrival(request, bodyMs);
    if (injectFault === undefined) handle(exchange);
    else injectFault(exchange, handle);
  };
}

/** Of every response but lists. */
const commonHeaders = ({ id }: Exchange): readonly string[] => ["x-request-id", id, ...securityHeaders, ...pageHeaders];

/** Checks that apply to every request. */
function refusalOf({ request, response }: Exchange, inFlight: InFlight): Problem | undefined {
  if ((request.url ?? "").length > maxUrlLength) return problem("request.url");
  if (!hasOneHost(request)) return problem("request.malformed", "The request needs one Host header.");
  if (!inFlight.isDraining) return undefined;
  response.setHeader("connection", "close");
  return unavailable("This server is stopping.");
}

/** Log, metrics, and usage, once for every response. A request whose client left before its response began has none. */
function record(exchange: Exchange, observe: Observer, ticks: () => number): void {
  const { received, response, id, route, startedAt, isHead, isUpgraded, fromCache, key, link } = exchange;
  if (!response.headersSent && !isUpgraded) return;
  observe({
    request: received,
    id,
    route,
    status: isUpgraded ? 101 : response.statusCode,
    ms: ticks() - startedAt,
    bytes: isHead ? 0 : (exchange.bytes ?? Number(response.getHeader("content-length") ?? 0)),
    records: isHead ? 0 : exchange.records,
    fromCache,
    key,
    link: link?.id ?? "",
  });
}
