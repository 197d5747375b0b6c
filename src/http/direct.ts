// Lists, answered straight on Node's own request and response: a framework costs more than most of these answers do.
// Only plain success is answered here; anything else goes to the framework's routes, which say what is wrong.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { hasNames, type Listing } from "../core/extension.ts";
import type { State, Store } from "../store/store.ts";
import type { AnswerCache, KeptReply } from "./answer-cache.ts";
import type { Origins } from "./cors.ts";
import type { Asked, List } from "./list.ts";
import { type Log, logAnswered } from "./log.ts";
import { matchesTag } from "./negotiate.ts";
import { endWith } from "./outgoing.ts";
import { requestId } from "./request-id.ts";
import type { UnderWay } from "./under-way.ts";

export type DirectDeps = {
  readonly lists: ReadonlyMap<Listing, List>;
  readonly store: Store;
  readonly cache: AnswerCache;
  readonly origins: Origins;
  readonly underWay: UnderWay;
  readonly log: Log;
  /** Whether the framework must see the request, whatever it asks for. */
  readonly isOdd: (request: IncomingMessage) => boolean;
  /** Unix seconds. */
  readonly now: () => number;
  readonly framework: RequestListener;
};

export function answerDirectly(deps: DirectDeps): RequestListener {
  const { store, cache, origins, underWay, log, isOdd, now, framework } = deps;
  const logs = log.isLevelEnabled("info");
  const beginnings = new WeakMap<ServerResponse, number>();
  const plain = [...deps.lists].filter(([listing]) => !hasNames(listing));
  const lists = new Map(plain.map(([listing, list]) => [listing.path, { listing, list }]));

  /** Headers begin with the request's id. */
  const send = (
    response: ServerResponse,
    headers: string[],
    body: Buffer | string | undefined,
    bytes: number,
    holder: string,
  ): void => {
    response.writeHead(body === undefined ? 304 : 200, headers);
    if (typeof body === "string") endWith(response, body, bytes);
    else response.end(body);
    if (logs) logLater(response, headers[1] as string, bytes, holder);
  };

  const logLater = (response: ServerResponse, id: string, bytes: number, key: string): void => {
    const began = beginnings.get(response) ?? 0;
    response.on("close", () => {
      const { req: request, statusCode: status } = response;
      logAnswered(log, request, { id, status, ms: performance.now() - began, bytes, key });
    });
  };

  const stateNow = (): State | undefined => {
    try {
      const state = store.state();
      if (!(state instanceof Promise)) return state;
      state.catch(() => {});
    } catch {
      // Whatever is wrong with the database, the ordinary way meets it and says so.
    }
    return undefined;
  };

  /** True when the request was answered from memory. */
  const sendAgain = (request: IncomingMessage, response: ServerResponse, kept: KeptReply): boolean => {
    const state = stateNow();
    if (state === undefined) return false;
    if (kept.keys !== state.keys || kept.stamp !== state.stamp(kept.listing) || now() >= kept.until) return false;
    const given = request.headers["if-none-match"];
    const isUnmodified = given !== undefined && (given === kept.tag || matchesTag(given, kept.tag));
    const body = isUnmodified || kept.full === undefined ? undefined : cache.bodies.find(kept.bodyKey);
    if (!isUnmodified && body?.stamp !== kept.stamp) return false;
    const headers = isUnmodified ? kept.unmodified : (kept.full as string[]);
    // Read by writeHead at once, so that one list serves every request.
    headers[1] = requestId(request.headers["x-request-id"]);
    send(response, headers, body?.bytes, body?.bytes.length ?? 0, kept.holder);
    return true;
  };

  const sendFresh = async (
    request: IncomingMessage,
    response: ServerResponse,
    { listing, list }: { listing: Listing; list: List },
    identity: string,
  ): Promise<void> => {
    const { headers } = request;
    const asked: Asked = { url: request.url ?? "", segments: {}, headers, holder: "" };
    let reply: Awaited<ReturnType<List>>;
    try {
      reply = await list(asked);
    } catch {
      framework(request, response);
      return;
    }
    const { full, ...good } = reply;
    const id = requestId(headers["x-request-id"]);
    const unmodified = ["x-request-id", id, ...origins.headersFor(headers.origin), ...reply.headers];
    const whole = full === undefined ? undefined : [...unmodified, ...full.headers];
    cache.replies.offer(identity, () => ({ ...good, listing, holder: asked.holder, unmodified, full: whole }));
    send(response, whole ?? unmodified, full?.body, full?.bytes ?? 0, asked.holder);
  };

  return (request, response) => {
    const { url = "", headers } = request;
    const cut = url.indexOf("?");
    const found = request.method === "GET" ? lists.get(cut === -1 ? url : url.slice(0, cut)) : undefined;
    if (found === undefined || isOdd(request)) {
      framework(request, response);
      return;
    }
    underWay.add(response);
    if (logs) beginnings.set(response, performance.now());
    // All of a request that its answer depends on; no header can hold a line break.
    const identity = `${url}\n${headers.authorization}\n${headers.accept}\n${headers["accept-encoding"]}\n${headers.origin}`;
    const kept = cache.replies.find(identity);
    if (kept === undefined || !sendAgain(request, response, kept)) void sendFresh(request, response, found, identity);
  };
}
