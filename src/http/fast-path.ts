// Fast path for lists: writes directly to Node's response, from the cache where possible. A framework would cost more
// than most of these responses.
import type { IncomingMessage } from "node:http";
import type { Listing } from "../core/catalog/extension.ts";
import type { Problem } from "../core/problem.ts";
import type { Store, StoreState } from "../store/store.ts";
import { toProblem } from "./error-handler.ts";
import type { Exchange } from "./exchange.ts";
import { ageHeader } from "./headers/age.ts";
import type { Origins } from "./headers/cors.ts";
import { positionOfList, streamPositionHeader } from "./headers/stream-position.ts";
import { isLinkUrl, linkOpener } from "./links/open.ts";
import { type ListMatch, type ListRoute, listRouter } from "./list-router.ts";
import type { Handler } from "./middleware.ts";
import type { Log } from "./observe/log.ts";
import { fairQueue } from "./protection/connection-queue.ts";
import { overloaded } from "./protection/large-page-queue.ts";
import type { SlowClients } from "./protection/slow-clients.ts";
import type { BruteForceGuard } from "./request/brute-force.ts";
import type { ClientAddress } from "./request/client-ip.ts";
import { matchesTag, namesHtml } from "./request/negotiate.ts";
import type { RateLimits } from "./request/rate-limit.ts";
import { discard, endWith, lengthOf } from "./response/buffer-pool.ts";
import type { CachedReply, ResponseCache } from "./response/cache.ts";
import type { WriteProblem } from "./response/write-problem.ts";
import type { ListHandler, ListResponse } from "./routes/list.ts";

type FastPathDeps = {
  readonly routes: readonly ListRoute[];
  /** Paths of streams. */
  readonly reserved: ReadonlySet<string>;
  readonly store: Store;
  readonly guard: BruteForceGuard;
  readonly cache: ResponseCache;
  readonly origins: Origins;
  readonly addressOf: ClientAddress;
  readonly rateLimits: RateLimits;
  readonly slowClients: SlowClients;
  readonly writeProblem: WriteProblem;
  readonly log: Log;
  /** Why no list can be served for now; undefined if lists can. */
  readonly refusal: () => Problem | undefined;
  readonly isOverloaded: (exchange: Exchange, queuedAt: number) => boolean;
  /** Whether all keys may use the paths of other implementations. */
  readonly compat: boolean;
  /** Whether the key of a request may. */
  readonly usesCompat: (request: IncomingMessage) => Promise<boolean>;
  /** Unix seconds. */
  readonly now: () => number;
  /** Milliseconds on the process's monotonic clock. */
  readonly ticks: () => number;
};

/** A request that waits for the end of the event loop's iteration. */
type Queued = {
  readonly exchange: Exchange;
  readonly listing: Listing;
  readonly list: ListHandler;
  readonly queuedAt: number;
};

/** Reads started per iteration of the event loop; overload is checked between iterations. */
const readsPerIteration = 8;

/** Responses written per iteration of the event loop, cached ones included, before sockets are polled again. */
const responsesPerIteration = 128;

/** Queues the exchange if it is for a list, and passes it on otherwise. */
export function fastPath(deps: FastPathDeps): (exchange: Exchange, otherwise: Handler) => void {
  const { cache, writeProblem, isOverloaded, ticks, compat, usesCompat } = deps;
  const match = listRouter(deps.routes, deps.reserved);
  const writeCached = cachedWriter(deps);
  const writeFresh = freshWriter(deps);

  /** True if the response is complete, false if a read was started for it. */
  const respond = ({ exchange, listing, list, queuedAt }: Queued): boolean => {
    const identity = identityOf(exchange);
    const cached = cache.replies.find(identity);
    if (cached !== undefined && writeCached(exchange, cached)) return true;
    if (isOverloaded(exchange, queuedAt)) {
      writeProblem(exchange, overloaded);
      return true;
    }
    void writeFresh(exchange, listing, list, identity);
    return false;
  };

  const queue = batchQueue(respond);
  const enqueue = (exchange: Exchange, { route, pathParameters, listing, list, problem }: ListMatch): void => {
    exchange.route = route;
    exchange.pathParameters = pathParameters;
    const refusal = problem ?? deps.refusal();
    if (refusal !== undefined) {
      writeProblem(exchange, refusal);
      return;
    }
    queue({ exchange, listing, list, queuedAt: ticks() });
  };

  const open = linkOpener(deps);
  const enqueueLink = async (exchange: Exchange): Promise<void> => {
    try {
      const opened = deps.refusal() ?? (await open(exchange));
      if ("listing" in opened) enqueue(exchange, opened);
      else writeProblem(exchange, opened);
    } catch (error) {
      writeProblem(exchange, toProblem(error as Error, exchange.id, exchange.request, deps.log));
    }
  };

  return (exchange, otherwise) => {
    const { method, url = "", headers } = exchange.request;
    if ((method === "GET" || method === "HEAD") && isLinkUrl(url)) {
      void enqueueLink(exchange);
      return;
    }
    const found = method === "GET" || method === "HEAD" ? match(url) : undefined;
    if (found === undefined || (found.compatPath?.isPage === true && namesHtml(headers.accept))) otherwise(exchange);
    else if (found.compatPath === undefined || compat) enqueue(exchange, found);
    else
      usesCompat(exchange.request).then(
        (isCompat) => (isCompat ? enqueue(exchange, found) : otherwise(exchange)),
        (error: Error) => writeProblem(exchange, toProblem(error, exchange.id, exchange.request, deps.log)),
      );
  };
}

/**
 * Queues requests until the end of the event loop's iteration. HTTP parsing and responses run in batches: alternating
 * between them costs 10 to 20% more CPU time, since each evicts the other's code from the CPU caches.
 */
function batchQueue(respond: (next: Queued) => boolean): (queued: Queued) => void {
  const queue = fairQueue<Queued>();
  const drain = (): void => {
    for (let reads = 0, responses = 0; reads < readsPerIteration && responses < responsesPerIteration; responses++) {
      const next = queue.take();
      if (next === undefined) return;
      if (next.exchange.isAborted) continue;
      if (!respond(next)) reads++;
    }
    if (queue.size > 0) setImmediate(drain);
  };
  return (queued) => {
    queue.add(queued.exchange.request.socket, queued);
    if (queue.size === 1) setImmediate(drain);
  };
}

/** Everything a list's response depends on. A header can't contain a line break. */
function identityOf({ request: { url, headers }, link }: Exchange): string {
  const key = link === undefined ? "" : `${link.keyHash}\n`;
  return `${key}${url}\n${headers.authorization}\n${headers.accept}\n${headers["accept-encoding"]}\n${headers.origin}`;
}

/** Writes a cached reply if it is still valid. */
function cachedWriter({ store, cache, addressOf, rateLimits, now }: FastPathDeps) {
  const write = (exchange: Exchange, cached: CachedReply): boolean => {
    const { request, response } = exchange;
    const state = currentState(store);
    if (state === undefined) return false;
    const age = ageHeader(store.staleness(state));
    const { keys, until, principal, bodyKey } = cached.request;
    if (keys !== state.keysVersion || cached.stamp !== state.versionTag(cached.listing) || now() >= until) return false;
    if (principal.allowsAddress?.(addressOf(request)) === false) return false;
    const ifNoneMatch = request.headers["if-none-match"];
    const isUnmodified =
      ifNoneMatch !== undefined && (ifNoneMatch === cached.tag || matchesTag(ifNoneMatch, cached.tag));
    const body = isUnmodified || cached.full === undefined ? undefined : cache.bodies.find(bodyKey);
    if (!isUnmodified && body?.stamp !== cached.stamp) return false;
    const { allowance } = principal;
    const rateLimit = allowance && rateLimits.tryAdmit(allowance);
    if (allowance !== undefined && rateLimit === undefined) return false;
    const headers = isUnmodified ? cached.unmodified : (cached.full as string[]);
    // writeHead copies the array, so one array serves all requests.
    headers[1] = exchange.id;
    const position = positionOfList(cached.listing, principal, state, now());
    if (position !== undefined) headers[3] = position;
    const isPlain = rateLimit === undefined && age.length === 0;
    exchange.key = principal.name;
    exchange.fromCache = true;
    exchange.records = body?.records ?? 0;
    exchange.bytes = body === undefined ? 0 : lengthOf(body.bytes);
    response.writeHead(body === undefined ? 304 : 200, isPlain ? headers : [...headers, ...(rateLimit ?? []), ...age]);
    if (body === undefined || exchange.isHead) response.end();
    else endWith(response, body.bytes.retain(), exchange.bytes);
    return true;
  };
  return (exchange: Exchange, cached: CachedReply): boolean => {
    try {
      return write(exchange, cached);
    } catch {
      // The read that follows fails the same way and reports it, unless the response is already on its way.
      return exchange.response.headersSent;
    }
  };
}

function currentState(store: Store): StoreState | undefined {
  try {
    const state = store.state();
    if (!(state instanceof Promise)) return state;
    state.catch(() => {});
  } catch {
    // The read that follows fails the same way and reports it.
  }
  return undefined;
}

/** Writes the response of a list, and offers it to the cache. */
function freshWriter({ cache, origins, rateLimits, slowClients, writeProblem, log }: FastPathDeps) {
  return async (exchange: Exchange, listing: Listing, list: ListHandler, identity: string): Promise<void> => {
    const { request, response, id } = exchange;
    let reply: ListResponse;
    try {
      reply = await list(exchange);
    } catch (error) {
      writeProblem(exchange, toProblem(error as Error, id, request, log));
      return;
    }
    const { full, streamed, isRepeated, request: parsed, stamp, tag } = reply;
    const position = reply.position === undefined ? [] : [streamPositionHeader, reply.position];
    const unmodified = [
      "x-request-id",
      id,
      ...position,
      ...origins.headersFor(request.headers.origin),
      ...reply.headers,
    ];
    const body = full ?? streamed;
    const whole = body === undefined ? undefined : [...unmodified, ...body.headers];
    cache.replies.offer(identity, isRepeated && streamed === undefined, () => ({
      listing,
      stamp,
      request: parsed,
      tag,
      unmodified,
      full: whole,
    }));
    const headers = whole ?? unmodified;
    const isPlain = parsed.principal.allowance === undefined && reply.age.length === 0;
    exchange.records = reply.records;
    exchange.fromCache = reply.fromCache;
    exchange.bytes = full?.bytes ?? 0;
    response.writeHead(
      body === undefined ? 304 : 200,
      isPlain ? headers : [...headers, ...rateLimits.headersOf(request), ...reply.age],
    );
    if (streamed !== undefined && !exchange.isHead) {
      slowClients.watch(response);
      // A failure has closed the connection by then.
      await streamed.send(response).catch((error: Error) => log.error({ request_id: id, err: error }, "export failed"));
    } else if (full === undefined || exchange.isHead) {
      if (full !== undefined) discard(full.body);
      await streamed?.cancel();
      response.end();
    } else endWith(response, full.body, full.bytes);
  };
}
