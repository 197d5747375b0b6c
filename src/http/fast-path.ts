// Lists, answered straight on Node's own request and response: a framework costs more than most of these answers do.
// What is wrong with a request is said here too, and so is what fails; other methods and odd requests go to the framework.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { hasNames, type Listing } from "../core/catalog/extension.ts";
import type { State, Store } from "../store/store.ts";
import { problemOf } from "./error-handler.ts";
import { ageFields } from "./headers/age.ts";
import type { Origins } from "./headers/cors.ts";
import type { Count, Route } from "./observe/access-log.ts";
import type { Log } from "./observe/log.ts";
import { byConnection } from "./protection/connection-queue.ts";
import type { UnderWay } from "./protection/in-flight.ts";
import { tooMuch } from "./protection/large-page-queue.ts";
import type { AddressOf } from "./request/client-ip.ts";
import { matchesTag } from "./request/negotiate.ts";
import type { Asked } from "./request/parsed-request.ts";
import type { Admission } from "./request/rate-limit.ts";
import { requestId } from "./request/request-id.ts";
import { endWith, lengthOf } from "./response/buffer-pool.ts";
import type { AnswerCache, KeptReply } from "./response/cache.ts";
import type { Refuse } from "./response/write-problem.ts";
import type { List } from "./routes/list.ts";

export type DirectDeps = {
  readonly lists: ReadonlyMap<Listing, List>;
  readonly store: Store;
  readonly cache: AnswerCache;
  readonly origins: Origins;
  readonly addressOf: AddressOf;
  readonly admission: Admission;
  readonly underWay: UnderWay;
  readonly routes: ReadonlyMap<Listing, Route>;
  readonly answered: Count;
  readonly refuse: Refuse;
  readonly log: Log;
  /** Whether there is too much to do for what came at that moment. */
  readonly isRefused: (request: IncomingMessage, began: number) => boolean;
  /** Whether the framework must see the request, whatever it asks for. */
  readonly isOdd: (request: IncomingMessage) => boolean;
  /** Unix seconds. */
  readonly now: () => number;
  readonly ticks: () => number;
  readonly framework: RequestListener;
};

/** A list that is answered here, with all that belongs to it. */
type Found = { readonly listing: Listing; readonly list: List; readonly route: Route };

/** A request that was taken in, and waits for its answer to begin. */
type Waiting = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly found: Found;
  readonly began: number;
};

/** Begun in a row; whether the process is behind is asked between such rows. */
const mostBegun = 8;

/** Answered in a row, from memory or not, before other connections are listened to. */
const mostInRow = 128;

export function answerDirectly(deps: DirectDeps): RequestListener {
  const {
    store,
    cache,
    origins,
    addressOf,
    admission,
    underWay,
    answered,
    refuse,
    log,
    isRefused,
    isOdd,
    now,
    ticks,
    framework,
  } = deps;
  const plain = [...deps.lists].filter(([listing]) => !hasNames(listing));
  const lists = new Map<string, Found>(
    plain.map(([listing, list]) => [listing.path, { listing, list, route: deps.routes.get(listing) as Route }]),
  );

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
  const sendAgain = (
    request: IncomingMessage,
    response: ServerResponse,
    kept: KeptReply,
    route: Route,
    began: number,
  ): boolean => {
    const state = stateNow();
    if (state === undefined) return false;
    const age = ageFields(store.staleness(state));
    const { keys, until, holder, bodyKey } = kept.question;
    if (keys !== state.keys || kept.stamp !== state.stamp(kept.listing) || now() >= until) return false;
    if (holder.isFrom?.(addressOf(request)) === false) return false;
    const given = request.headers["if-none-match"];
    const isUnmodified = given !== undefined && (given === kept.tag || matchesTag(given, kept.tag));
    const body = isUnmodified || kept.full === undefined ? undefined : cache.bodies.find(bodyKey);
    if (!isUnmodified && body?.stamp !== kept.stamp) return false;
    const { allowance } = holder;
    const fields = allowance && admission.admitAtOnce(allowance);
    if (allowance !== undefined && fields === undefined) return false;
    const headers = isUnmodified ? kept.unmodified : (kept.full as string[]);
    // Read by writeHead at once, so that one list serves every request.
    const id = requestId(request.headers["x-request-id"]);
    headers[1] = id;
    const status = body === undefined ? 304 : 200;
    const isPlain = fields === undefined && age.length === 0;
    response.writeHead(status, isPlain ? headers : [...headers, ...(fields ?? []), ...age]);
    const bytes = body === undefined ? 0 : lengthOf(body.bytes);
    if (body === undefined) response.end();
    else endWith(response, body.bytes.hold(), bytes);
    const records = body?.records ?? 0;
    const ms = ticks() - began;
    answered({ request, id, route, status, ms, bytes, records, fromMemory: true, key: holder.name });
    return true;
  };

  /** What goes wrong here is met again and told by the ordinary way, unless the answer is out. */
  const isSentAgain: typeof sendAgain = (request, response, ...rest) => {
    try {
      return sendAgain(request, response, ...rest);
    } catch {
      return response.headersSent;
    }
  };

  const sendFresh = async (
    request: IncomingMessage,
    response: ServerResponse,
    { listing, list, route }: Found,
    identity: string,
    began: number,
  ): Promise<void> => {
    const { headers } = request;
    const asked: Asked = { request, segments: {}, holder: undefined };
    let reply: Awaited<ReturnType<List>>;
    const id = requestId(headers["x-request-id"]);
    try {
      reply = await list(asked);
    } catch (error) {
      const key = asked.holder?.name ?? "";
      refuse(request, response, problemOf(error as Error, id, request, log), { route, began, key, id });
      return;
    }
    const { full, records, fromMemory, again, question, stamp, tag } = reply;
    const { holder } = question;
    const unmodified = ["x-request-id", id, ...origins.headersFor(headers.origin), ...reply.headers];
    const whole = full === undefined ? undefined : [...unmodified, ...full.headers];
    cache.replies.offer(identity, again, () => ({
      listing,
      stamp,
      question,
      tag,
      unmodified,
      full: whole,
    }));
    const status = full === undefined ? 304 : 200;
    const sent = whole ?? unmodified;
    const isPlain = holder.allowance === undefined && reply.age.length === 0;
    response.writeHead(status, isPlain ? sent : [...sent, ...admission.fieldsOf(request), ...reply.age]);
    if (full === undefined) response.end();
    else endWith(response, full.body, full.bytes);
    const ms = ticks() - began;
    answered({ request, id, route, status, ms, bytes: full?.bytes ?? 0, records, fromMemory, key: holder.name });
  };

  /** True when the request was answered at once; else its answer has begun. */
  const answer = ({ request, response, found, began }: Waiting): boolean => {
    const { url = "", headers } = request;
    // All of a request that its answer depends on; no header can hold a line break.
    const identity = `${url}\n${headers.authorization}\n${headers.accept}\n${headers["accept-encoding"]}\n${headers.origin}`;
    const kept = cache.replies.find(identity);
    if (kept !== undefined && isSentAgain(request, response, kept, found.route, began)) return true;
    if (isRefused(request, began)) {
      refuse(request, response, tooMuch, { route: found.route, began, key: "" });
      return true;
    }
    void sendFresh(request, response, found, identity, began);
    return false;
  };

  // Requests that have come together are taken in first, then answered in a row: going back and forth between the two, the
  // processor has to fetch the program of each anew, which takes a tenth to a fifth of all the work.
  const waiting = byConnection<Waiting>();
  const answerAll = (): void => {
    for (let begun = 0, all = 0; begun < mostBegun && all < mostInRow; all++) {
      const next = waiting.take();
      if (next === undefined) return;
      // Nobody waits for the response any longer.
      if (next.request.socket.destroyed) continue;
      if (!answer(next)) begun++;
    }
    if (waiting.size > 0) setImmediate(answerAll);
  };

  return (request, response) => {
    const { url = "" } = request;
    const cut = url.indexOf("?");
    const found = request.method === "GET" ? lists.get(cut === -1 ? url : url.slice(0, cut)) : undefined;
    if (found === undefined || isOdd(request)) {
      framework(request, response);
      return;
    }
    underWay.add(response);
    waiting.add(request.socket, { request, response, found, began: ticks() });
    if (waiting.size === 1) setImmediate(answerAll);
  };
}
