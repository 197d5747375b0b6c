// Serves a list: parses the request, then responds with 304, a cached body, or a body made from a read of the store.
import { hash } from "node:crypto";
import type { Listing } from "../../core/catalog/extension.ts";
import { fileNameOf, formats } from "../../core/output/format.ts";
import { StoreError, type StoreState } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import { ageHeader } from "../headers/age.ts";
import { nextLink } from "../headers/link.ts";
import { securityHeaders } from "../headers/security-headers.ts";
import { positionOfList } from "../headers/stream-position.ts";
import type { KeyConcurrency } from "../protection/key-concurrency.ts";
import { isLarge, type LargePageQueue } from "../protection/large-page-queue.ts";
import { matchesTag } from "../request/negotiate.ts";
import { type ParsedRequest, type ParserDeps, requestParser } from "../request/parsed-request.ts";
import {
  contentOf,
  discard,
  lengthOf,
  PooledBuffer,
  RefCountedBuffer,
  type ResponseBody,
} from "../response/buffer-pool.ts";
import type { CachedBody, ResponseCache } from "../response/cache.ts";
import { minCompressedBytes, tryCompress } from "../response/compress.ts";
import { type Export, type ExportDeps, openExport } from "../response/export.ts";
import { pageBody } from "../response/page-body.ts";
import { ProblemError } from "../response/problem-error.ts";

type ListDeps = ParserDeps &
  ExportDeps & {
    readonly cache: ResponseCache;
    readonly largePages: LargePageQueue;
    readonly keyConcurrency: KeyConcurrency;
  };

type FullResponse = {
  readonly headers: readonly string[];
  readonly body: ResponseBody;
  /** Length of the body. */
  readonly bytes: number;
};

/** A response whose length is unknown when its headers are sent. */
type StreamedResponse = Pick<FullResponse, "headers"> & Pick<Export, "send" | "cancel">;

/** With neither `full` nor `streamed`, it is a 304. Headers are alternating names and values. */
export type ListResponse = {
  readonly headers: readonly string[];
  readonly full: FullResponse | undefined;
  readonly streamed?: StreamedResponse;
  readonly records: number;
  /** Whether no record was read for it. */
  readonly fromCache: boolean;
  readonly tag: string;
  /** The `Age` header; empty while the data is known to be current. Never cached. */
  readonly age: readonly string[];
  /** The position of its stream; undefined if it has none. */
  readonly position: string | undefined;
  /** Version of the data that it was made from. */
  readonly stamp: string;
  readonly request: ParsedRequest;
  /** Whether it was requested before, with any key: only then is it worth caching. */
  readonly isRepeated: boolean;
};

/** A body to send, whether it is cached or not. */
type Body = Omit<CachedBody, "bytes"> & { readonly bytes: ResponseBody };

type Result = { readonly body: Body; readonly fromCache: boolean };

/** A parsed request and the state of the data that it reads. */
type Read = { readonly request: ParsedRequest; readonly state: StoreState; readonly isRepeated: boolean };

export type ListHandler = (exchange: Exchange) => Promise<ListResponse>;

export function listHandler(listing: Listing, deps: ListDeps): ListHandler {
  const parse = requestParser(listing, deps);
  const bodyFor = bodySource(listing, deps);
  const { store, cache } = deps;

  const respond = async (exchange: Exchange): Promise<ListResponse> => {
    // An await costs more than much of the rest, so only promises are awaited.
    const maybeState = store.state();
    const state = maybeState instanceof Promise ? await maybeState : maybeState;
    const parsed = parse(exchange, state);
    const request = parsed instanceof Promise ? await parsed : parsed;
    const isRepeated = cache.admission.seen(request.fingerprint);
    const stamp = state.versionTag(listing);
    const age = ageHeader(store.staleness(state));
    const responseWith = (tag: string) => ({
      headers: [...(tag === "" ? [] : ["etag", tag]), ...request.headers],
      tag,
      age,
      position: positionOfList(listing, request.principal, state, deps.now()),
      stamp,
      request,
      isRepeated,
    });
    const ifNoneMatch = exchange.request.headers["if-none-match"];
    const versionTag = `W/"${stamp}.${request.fingerprint}"`;
    const seesAll = request.principal.window === undefined;
    if (seesAll && matchesTag(ifNoneMatch, versionTag))
      return { ...responseWith(versionTag), full: undefined, records: 0, fromCache: true };

    if (request.parsedQuery.isExport) {
      const opened = await openExport(request, state, exchange, deps);
      const { send, cancel } = opened;
      const streamed = { headers: contentHeaders(request, opened), send, cancel };
      // The ETag of a key that doesn't see all records is derived from the body, which nobody has seen yet.
      return { ...responseWith(seesAll ? versionTag : ""), full: undefined, streamed, records: 0, fromCache: false };
    }
    const { body, fromCache } = await bodyFor({ request, state, isRepeated }, exchange);
    const response = responseWith(body.tag ?? versionTag);
    if (body.tag !== undefined && matchesTag(ifNoneMatch, body.tag)) {
      discard(body.bytes);
      return { ...response, full: undefined, records: 0, fromCache };
    }
    const full = fullResponse(request, body);
    return { ...response, full, records: body.records, fromCache };
  };

  return async (exchange) => {
    try {
      return await respond(exchange);
    } catch (error) {
      // By now the node is known to be lost; another one may respond.
      if (error instanceof StoreError && error.retry) return respond(exchange);
      throw error;
    }
  };
}

function fullResponse(request: ParsedRequest, body: Body): FullResponse {
  const bytes = lengthOf(body.bytes);
  return { headers: [...contentHeaders(request, body), "content-length", String(bytes)], body: body.bytes, bytes };
}

/** Headers of a response with a body, except for its length. */
function contentHeaders({ parsedQuery, urls }: ParsedRequest, { encoding, next }: Pick<Body, "encoding" | "next">) {
  const { listing, format } = parsedQuery;
  const headers = ["content-type", formats[format].contentType, ...securityHeaders];
  const fileName = fileNameOf(listing, format);
  // Not an attachment: an app that opens calendars may do so without saving them.
  if (fileName !== undefined) headers.push("content-disposition", `inline; filename="${fileName}"`);
  if (encoding !== undefined) headers.push("content-encoding", encoding);
  if (next !== undefined && urls !== undefined) headers.push("link", nextLink(urls, next));
  return headers;
}

/** Bodies from the cache, or made from a read; concurrent requests for one outdated page share a read. */
function bodySource(listing: Listing, deps: ListDeps) {
  const { cache, largePages, keyConcurrency } = deps;
  /** Reads that refresh a cached page. */
  const inFlight = new Map<string, Promise<unknown>>();

  const bodyFor = (read: Read, exchange: Exchange): Result | Promise<Result> => {
    const { principal, bodyKey } = read.request;
    const cached = cache.bodies.find(bodyKey);
    if (cached?.stamp === read.state.versionTag(listing)) return fromCache(cached);
    // The key's queue comes before the shared read, so that nobody waits in the queue of another key.
    return keyConcurrency.run(
      principal.name,
      () => exchange.isAborted,
      async () => readOnce(read, exchange),
    );
  };

  /** The first request to get its turn refreshes an outdated page, and the others wait for it. */
  const readOnce = (read: Read, exchange: Exchange): Result | Promise<Result> => {
    const { bodyKey } = read.request;
    const stamp = read.state.versionTag(listing);
    const cached = cache.bodies.find(bodyKey);
    if (cached === undefined) return readQueued(read, exchange);
    // A request of another key may have refreshed it in the meantime.
    if (cached.stamp === stamp) return fromCache(cached);
    const name = `${stamp} ${bodyKey}`;
    const shared = inFlight.get(name);
    if (shared !== undefined)
      return shared.then(
        () => readOnce(read, exchange),
        () => readQueued(read, exchange),
      );
    const refreshed = readQueued(read, exchange).finally(() => inFlight.delete(name));
    inFlight.set(name, refreshed);
    return refreshed;
  };

  /** Large pages have a queue to themselves. */
  const readQueued = async (read: Read, exchange: Exchange): Promise<Result> => {
    if (!isLarge(read.request.parsedQuery.plan)) {
      largePages.countSmall();
      return readPage(listing, deps, read);
    }
    const refused = await largePages.acquire(() => exchange.isAborted);
    if (refused !== undefined) throw new ProblemError(refused);
    try {
      return await readPage(listing, deps, read);
    } finally {
      largePages.release();
    }
  };

  return bodyFor;
}

/** Reads a page from the store, compresses it, and offers it to the cache. */
async function readPage(listing: Listing, { store, cache }: ListDeps, read: Read): Promise<Result> {
  const { request, state, isRepeated } = read;
  const { parsedQuery, urls, encoding, bodyKey, principal } = request;
  const { body: plain, count: records, next } = await pageBody(store, parsedQuery, state, urls);
  const content = contentOf(plain);
  // A version may move because of records hidden from this key, which its ETag must not reveal.
  const tag = principal.window && `W/"${hash("sha1", content, "base64url")}"`;
  const isWorthIt = encoding !== undefined && content.length >= minCompressedBytes;
  const compressed = isWorthIt ? await tryCompress(content, encoding) : undefined;
  if (compressed !== undefined && plain instanceof PooledBuffer) plain.release();
  const body: Body = {
    stamp: state.versionTag(listing),
    tag,
    records,
    next,
    bytes: compressed ?? plain,
    encoding: compressed && encoding,
  };
  cache.bodies.offer(bodyKey, isRepeated, () => ({ ...body, bytes: new RefCountedBuffer(contentOf(body.bytes)) }));
  return { body, fromCache: false };
}

/** Retained, since it may be evicted before it is sent. */
function fromCache(body: CachedBody): Result {
  body.bytes.retain();
  return { body, fromCache: true };
}
