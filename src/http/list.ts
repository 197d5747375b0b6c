// A request for a list → its reply: key, format, license, parameters, answer. The same for all lists.
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Listing } from "../core/extension.ts";
import { type Mistake, notUnderstood, type Problem, problem } from "../core/problem.ts";
import { parseQuery, withPath } from "../core/query.ts";
import { canonical, read, type Understood } from "../core/read.ts";
import type { Format } from "../core/resource.ts";
import { hideKeys } from "../keys/key.ts";
import { type State, type Store, StoreError } from "../store/store.ts";
import { answer, contentTypes } from "./answer.ts";
import type { AnswerCache, KeptBody } from "./answer-cache.ts";
import type { Authenticate, Holder } from "./auth.ts";
import { encodeIfRoom, smallestEncoded } from "./encode.ts";
import { lackOf, seenBy } from "./entitled.ts";
import { type Encoding, matchesTag, negotiateEncoding, negotiateFormat } from "./negotiate.ts";
import { nextLink } from "./next-link.ts";
import { contentOf, Lent, lengthOf, type Outgoing, Shared } from "./outgoing.ts";
import { securityHeaders } from "./security-headers.ts";
import { stillGood } from "./still-good.ts";
import { isLarge, type Turns } from "./turns.ts";

export type ListDeps = {
  readonly store: Store;
  readonly authenticate: Authenticate;
  readonly cache: AnswerCache;
  /** Whether answers differ by the origin of the page that asks. */
  readonly varyByOrigin: boolean;
  /** In which large pages are read. */
  readonly turns: Turns;
  /** Unix seconds. */
  readonly now: () => number;
};

/** What of a request a reply depends on. `holder` is filled in as soon as the key is known. */
export type Asked = {
  readonly request: IncomingMessage;
  /** Named segments of the path. */
  readonly segments: Readonly<Record<string, string>>;
  holder: Holder | undefined;
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
  readonly fromMemory: boolean;
  readonly tag: string;
  /** What the reply holds good for. */
  readonly stamp: string;
  readonly keys: number;
  readonly until: number;
  readonly bodyKey: string;
  /** Whether it was asked for before, by whomever. */
  readonly again: boolean;
};

/** A body on its way out, whether it is kept or not. */
type Body = Omit<KeptBody, "bytes"> & { readonly bytes: Outgoing };

type Made = { readonly body: Body; readonly fromMemory: boolean };

/** A body as it is wanted: of which records, in which form, and by which name it is kept. */
type Wanted = {
  readonly understood: Understood;
  readonly format: Format;
  readonly encoding: Encoding | undefined;
  readonly state: State;
  readonly bodyKey: string;
  readonly again: boolean;
};

export type List = (asked: Asked) => Promise<ListReply>;

/** A problem to be answered; thrown so that the one error handler answers all alike. */
export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}

export function listOf(resource: Listing, deps: ListDeps): List {
  const { store, authenticate, cache, turns } = deps;
  const formats = resource.formats.map((format) => contentTypes[format].split(";")[0]).join(" and ");
  const vary = `Accept, Accept-Encoding${deps.varyByOrigin ? ", Origin" : ""}`;
  const isStillGood = stillGood(resource, store);
  /** Pages that are being made anew, until they are. */
  const makings = new Map<string, Promise<unknown>>();

  const reply = async (asked: Asked): Promise<ListReply> => {
    const { url = "", headers } = asked.request;
    const { query: given, mistakes } = parseQuery(queryOf(url));
    const { query, stray } = withPath(given, asked.segments);
    const known = store.state();
    // Waiting, even for what is there, takes longer than much of the rest.
    const state = known instanceof Promise ? await known : known;
    const judged = authenticate({ query, request: asked.request }, state);
    const authenticated = judged instanceof Promise ? await judged : judged;
    asked.holder = authenticated.holder;
    if ("problem" in authenticated) throw new ProblemError(authenticated.problem);
    const { holder } = authenticated;

    const format = negotiateFormat(headers.accept, resource.formats);
    if (format === undefined)
      throw new ProblemError(problem("format.unacceptable", `This endpoint answers with ${formats}.`));

    const lack = lackOf(holder, resource, query);
    if (lack !== undefined) throw new ProblemError(lack);

    const reading = read(resource, query, { zone: state.rendering.zone });
    const wrong = [...mistakes.map(withoutToken), ...("mistakes" in reading ? reading.mistakes : [])];
    if (wrong.length > 0 || "mistakes" in reading) throw new ProblemError(notUnderstood("request.parameters", wrong));
    const seen = seenBy(holder, reading.ok, deps.now());
    if ("problem" in seen) throw new ProblemError(seen.problem);
    const { understood, until } = seen;
    const stamp = state.stamp(resource);
    const wanted = canonical(understood, format);
    const fingerprint = hash("sha1", wanted, "base64url").slice(0, 16);
    const tag = `W/"${stamp}.${fingerprint}"`;
    const again = cache.sights.again(fingerprint);
    const sent = ["etag", tag, "cache-control", "private, no-cache", "vary", vary];
    const ignored = [...understood.ignored, ...stray].filter((name) => name !== "token" && name !== "");
    if (ignored.length > 0) sent.push("x-ignored-parameters", ignoredNames(ignored));
    const encoding = negotiateEncoding(headers["accept-encoding"] as string | undefined);
    const bodyKey = encoding === undefined ? wanted : `${encoding} ${wanted}`;
    const good = { headers: sent, tag, again, stamp, keys: state.keys, until, bodyKey };
    if (matchesTag(headers["if-none-match"], tag)) return { ...good, full: undefined, records: 0, fromMemory: true };

    const { body, fromMemory } = await bodyFor({ understood, format, encoding, state, bodyKey, again }, asked);
    const { encoding: encoded, next, records } = body;
    const bytes = lengthOf(body.bytes);
    const about = ["content-type", contentTypes[format], "content-length", String(bytes), ...securityHeaders];
    if (encoded !== undefined) about.push("content-encoding", encoded);
    if (next !== undefined) about.push("link", nextLink(resource.path, queryOf(url), next));
    return { ...good, full: { headers: about, body: body.bytes, bytes }, records, fromMemory };
  };

  const bodyFor = (wanted: Wanted, asked: Asked): Made | Promise<Made> => {
    const kept = cache.bodies.find(wanted.bodyKey);
    if (kept?.stamp === wanted.state.stamp(resource)) return taken(kept);
    return kept === undefined ? makeNow(wanted, asked) : renewOnce(kept, wanted, asked);
  };

  /** A page that many ask for is of older data: the first of them sees to it, and the others wait for that. */
  const renewOnce = (kept: KeptBody, wanted: Wanted, asked: Asked): Promise<Made> => {
    const name = `${wanted.state.stamp(resource)} ${wanted.bodyKey}`;
    const first = makings.get(name);
    const itself = () => renew(kept, wanted, asked);
    if (first !== undefined) return first.then(() => bodyFor(wanted, asked), itself);
    const made = itself().finally(() => makings.delete(name));
    makings.set(name, made);
    return made;
  };

  const renew = async (kept: KeptBody, wanted: Wanted, asked: Asked): Promise<Made> => {
    const { understood, state, bodyKey } = wanted;
    if (await isStillGood(understood.plan, kept.read, state)) {
      const body = { ...kept, stamp: state.stamp(resource), read: { ...kept.read, state } };
      if (cache.bodies.relabel(bodyKey, kept, body)) return taken(body);
    }
    return makeNow(wanted, asked);
  };

  const makeNow = (wanted: Wanted, asked: Asked): Promise<Made> => {
    if (isLarge(wanted.understood.plan)) return makeInTurn(wanted, asked);
    turns.passSmall();
    return make(wanted);
  };

  const makeInTurn = async (wanted: Wanted, { request }: Asked): Promise<Made> => {
    const refused = await turns.begin(() => request.socket.destroyed);
    if (refused !== undefined) throw new ProblemError(refused);
    try {
      return await make(wanted);
    } finally {
      turns.end();
    }
  };

  const make = async (wanted: Wanted): Promise<Made> => {
    const { understood, format, encoding, state, bodyKey, again } = wanted;
    const stamp = state.stamp(resource);
    const atMs = performance.now();
    const { body: plain, count: records, last, next } = await answer(store, understood, format, state);
    const content = contentOf(plain);
    const isPacked = encoding !== undefined && content.length >= smallestEncoded;
    const encoded = isPacked ? await encodeIfRoom(content, encoding) : undefined;
    if (encoded !== undefined && plain instanceof Lent) plain.letGo();
    const read = { state, last, atMs };
    const body: Body =
      encoded === undefined
        ? { stamp, read, bytes: plain, encoding: undefined, records, next }
        : { stamp, read, bytes: encoded, encoding, records, next };
    cache.bodies.offer(bodyKey, again, () => ({ ...body, bytes: new Shared(contentOf(body.bytes)) }));
    return { body, fromMemory: false };
  };

  return async (asked) => {
    try {
      return await reply(asked);
    } catch (error) {
      // The server that was lost is known as lost by then; another one may answer.
      if (error instanceof StoreError && error.retry) return reply(asked);
      throw error;
    }
  };
}

/** It may be replaced before it is sent. */
function taken(body: KeptBody): Made {
  body.bytes.hold();
  return { body, fromMemory: true };
}

/** What was given is told back, but never a token, however badly it is encoded. */
export const withoutToken = (mistake: Mistake): Mistake =>
  mistake.parameter === "token" ? { ...mistake, given: "…" } : mistake;

export function queryOf(url: string): string {
  const cut = url.indexOf("?");
  return cut === -1 ? "" : url.slice(cut + 1);
}

/** Names percent-encoded but for brackets, cut at 1 kB between two names where possible. */
export function ignoredNames(names: readonly string[]): string {
  const encoded = names.map((name) =>
    encodeURIComponent(hideKeys(name).toWellFormed()).replaceAll("%5B", "[").replaceAll("%5D", "]"),
  );
  // A name too long by itself is cut between two characters: whole escapes, and whole runs of them.
  let header = encoded[0]?.slice(0, 1024).replace(encoded[0].length > 1024 ? /(%[0-9A-F]{0,2})+$/ : /$^/, "") ?? "";
  for (const name of encoded.slice(1)) {
    if (header.length + 1 + name.length > 1024) break;
    header += `,${name}`;
  }
  return header;
}
