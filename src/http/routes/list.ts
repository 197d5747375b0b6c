// A request for a list → its reply: what it asks, then the answer to it. The same for all lists.
import { hash } from "node:crypto";
import type { Listing } from "../../core/catalog/extension.ts";
import { type State, type Store, StoreError } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import { ageFields } from "../headers/age.ts";
import { nextLink } from "../headers/link.ts";
import { securityHeaders } from "../headers/security-headers.ts";
import type { KeyQueues } from "../protection/key-concurrency.ts";
import { isLarge, type Turns } from "../protection/large-page-queue.ts";
import { matchesTag } from "../request/negotiate.ts";
import { type Question, type QuestionDeps, queryOf, understandingOf } from "../request/parsed-request.ts";
import { contentOf, discard, Lent, lengthOf, type Outgoing, Shared } from "../response/buffer-pool.ts";
import type { AnswerCache, KeptBody } from "../response/cache.ts";
import { encodeIfRoom, smallestEncoded } from "../response/compress.ts";
import { answer, contentTypes } from "../response/page-body.ts";
import { ProblemError } from "../response/problem-error.ts";

export type ListDeps = QuestionDeps & {
  readonly store: Store;
  readonly cache: AnswerCache;
  /** In which large pages are read. */
  readonly turns: Turns;
  readonly keyQueues: KeyQueues;
};

export type Full = {
  readonly headers: readonly string[];
  readonly body: Outgoing;
  /** Length of the body. */
  readonly bytes: number;
};

/** A reply; without `full` the client has it already, and 304 says so. Headers are names and values in turn. */
export type ListReply = {
  readonly headers: readonly string[];
  readonly full: Full | undefined;
  readonly records: number;
  /** Whether no record had to be read for it. */
  readonly fromCache: boolean;
  readonly tag: string;
  /** How old the data may be, as a header; none while it is known to be current. Never cached. */
  readonly age: readonly string[];
  /** What the reply holds good for. */
  readonly stamp: string;
  readonly question: Question;
  /** Whether it was exchange for before, by whomever. */
  readonly again: boolean;
};

/** A body on its way out, whether it is kept or not. */
type Body = Omit<KeptBody, "bytes"> & { readonly bytes: Outgoing };

type Made = { readonly body: Body; readonly fromCache: boolean };

/** What is exchange, and of which state of the data. */
type Wanted = { readonly question: Question; readonly state: State; readonly again: boolean };

export type List = (exchange: Exchange) => Promise<ListReply>;

export function listOf(resource: Listing, deps: ListDeps): List {
  const { store, cache, turns, keyQueues } = deps;
  const understand = understandingOf(resource, deps);
  /** Reads that renew a cached page. */
  const inFlight = new Map<string, Promise<unknown>>();

  const reply = async (exchange: Exchange): Promise<ListReply> => {
    const known = store.state();
    // Waiting, even for what is there, takes longer than much of the rest.
    const state = known instanceof Promise ? await known : known;
    const understood = understand(exchange, state);
    const question = understood instanceof Promise ? await understood : understood;
    const { format, fingerprint } = question;
    const age = ageFields(store.staleness(state));
    const stamp = state.stamp(resource);
    const again = cache.sights.again(fingerprint);
    const goodWith = (tag: string) => ({
      headers: ["etag", tag, ...question.headers],
      tag,
      age,
      again,
      stamp,
      question,
    });
    const { url = "", headers } = exchange.request;
    const given = headers["if-none-match"];
    const tag = `W/"${stamp}.${fingerprint}"`;
    const seesAll = question.holder.window === undefined;
    if (seesAll && matchesTag(given, tag)) return { ...goodWith(tag), full: undefined, records: 0, fromCache: true };

    const { body, fromCache } = await bodyFor({ question, state, again }, exchange);
    const { encoding: encoded, next, records } = body;
    const good = goodWith(body.tag ?? tag);
    if (body.tag !== undefined && matchesTag(given, body.tag)) {
      discard(body.bytes);
      return { ...good, full: undefined, records: 0, fromCache };
    }
    const bytes = lengthOf(body.bytes);
    const about = ["content-type", contentTypes[format], "content-length", String(bytes), ...securityHeaders];
    if (encoded !== undefined) about.push("content-encoding", encoded);
    if (next !== undefined) about.push("link", nextLink(resource.path, queryOf(url), next));
    return { ...good, full: { headers: about, body: body.bytes, bytes }, records, fromCache };
  };

  const bodyFor = (wanted: Wanted, exchange: Exchange): Made | Promise<Made> => {
    const { holder, bodyKey } = wanted.question;
    const kept = cache.bodies.find(bodyKey);
    if (kept?.stamp === wanted.state.stamp(resource)) return taken(kept);
    // The place comes first, the shared read second: nobody waits for a place in the queue of another key.
    const isGone = () => exchange.isAborted;
    return keyQueues.run(holder.name, isGone, async () => readOnce(wanted, exchange));
  };

  /** A page that many ask for is of older data: the first of them to get a place renews it, and the others wait for that. */
  const readOnce = (wanted: Wanted, exchange: Exchange): Made | Promise<Made> => {
    const { bodyKey } = wanted.question;
    const stamp = wanted.state.stamp(resource);
    const kept = cache.bodies.find(bodyKey);
    if (kept === undefined) return makeNow(wanted, exchange);
    // Another key may have had its turn earlier.
    if (kept.stamp === stamp) return taken(kept);
    const name = `${stamp} ${bodyKey}`;
    const first = inFlight.get(name);
    if (first !== undefined)
      return first.then(
        () => readOnce(wanted, exchange),
        () => makeNow(wanted, exchange),
      );
    const renewed = makeNow(wanted, exchange).finally(() => inFlight.delete(name));
    inFlight.set(name, renewed);
    return renewed;
  };

  const makeNow = (wanted: Wanted, exchange: Exchange): Promise<Made> => {
    if (isLarge(wanted.question.understood.plan)) return makeInTurn(wanted, exchange);
    turns.passSmall();
    return make(wanted);
  };

  const makeInTurn = async (wanted: Wanted, exchange: Exchange): Promise<Made> => {
    const refused = await turns.begin(() => exchange.isAborted);
    if (refused !== undefined) throw new ProblemError(refused);
    try {
      return await make(wanted);
    } finally {
      turns.end();
    }
  };

  const make = async (wanted: Wanted): Promise<Made> => {
    const { question, state, again } = wanted;
    const { understood, format, encoding, bodyKey } = question;
    const stamp = state.stamp(resource);
    const { body: plain, count: records, next } = await answer(store, understood, format, state);
    const content = contentOf(plain);
    // What moves the version may be hidden from the key, and so must that it has moved.
    const tag = question.holder.window && `W/"${hash("sha1", content, "base64url")}"`;
    const isPacked = encoding !== undefined && content.length >= smallestEncoded;
    const encoded = isPacked ? await encodeIfRoom(content, encoding) : undefined;
    if (encoded !== undefined && plain instanceof Lent) plain.letGo();
    const about = { stamp, tag, records, next };
    const body: Body =
      encoded === undefined ? { ...about, bytes: plain, encoding: undefined } : { ...about, bytes: encoded, encoding };
    cache.bodies.offer(bodyKey, again, () => ({ ...body, bytes: new Shared(contentOf(body.bytes)) }));
    return { body, fromCache: false };
  };

  return async (exchange) => {
    try {
      return await reply(exchange);
    } catch (error) {
      // The server that was lost is known as lost by then; another one may answer.
      if (error instanceof StoreError && error.retry) return reply(exchange);
      throw error;
    }
  };
}

/** It may be replaced before it is sent. */
function taken(body: KeptBody): Made {
  body.bytes.hold();
  return { body, fromCache: true };
}
