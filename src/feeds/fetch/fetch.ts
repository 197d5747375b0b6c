// One polite GET of a feed: conditional, compressed, with limits on time, size, and redirects.

import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { retryAfterMs } from "../../core/retry-after.ts";
import { checkHost, guardedLookup, isPublic, PrivateAddressError } from "../../outbound/private-address.ts";
import { responseTo } from "../../outbound/response.ts";
import { decodeXml } from "./charset.ts";

/** Validators of a conditional request. */
export type Validators = { readonly etag?: string; readonly modified?: string };

export type Fetched =
  | { readonly kind: "fetched"; readonly text: string; readonly address: string; readonly validators: Validators }
  | { readonly kind: "same" }
  | Failure;

export type Failure = {
  readonly kind: "failed";
  readonly reason: string;
  /** From `Retry-After`. */
  readonly waitSeconds?: number;
  /** The feed is permanently gone. */
  readonly gone?: boolean;
};

export type FetchOptions = {
  /** Such as `Bellwire/1.0`. */
  readonly agent: string;
  readonly validators?: Validators;
  readonly seconds?: number;
  /** Of the decompressed document. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
};

const lookupPublic = guardedLookup(isPublic);

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);
const acceptHeader =
  "application/rss+xml, application/atom+xml, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1";

export async function fetchFeed(url: URL, options: FetchOptions): Promise<Fetched> {
  const limit = AbortSignal.timeout((options.seconds ?? 60) * 1000);
  const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
  let address = url;
  try {
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const response = await get(address, address.hostname !== url.hostname, options, signal);
      const status = response.statusCode ?? 0;
      const { location } = response.headers;
      if (!redirects.has(status) || location === undefined) return await readResponse(response, address, options);
      response.destroy();
      if (!URL.canParse(location, address)) return failed("it redirects to an invalid URL");
      address = new URL(location, address);
      if (!/^https?:$/.test(address.protocol)) return failed(`it redirects to a ${address.protocol} URL`);
    }
    return failed(`it redirects more than ${maxRedirects} times`);
  } catch (error) {
    if (limit.aborted) return failed(`it did not respond within ${options.seconds ?? 60} s`);
    if (options.signal?.aborted) return failed("it was interrupted");
    if (error instanceof PrivateAddressError) return failed(`it redirects to another host: ${error.message}`);
    const { code, message } = error as NodeJS.ErrnoException;
    // An error without a code is a bug.
    if (code === undefined) throw error;
    return failed(message || code);
  }
}

const failed = (reason: string): Failure => ({ kind: "failed", reason });

/** A new connection: one left open by another feed may lead to a private address. */
async function get(
  address: URL,
  guarded: boolean,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  if (guarded) checkHost(address.hostname, isPublic);
  const { etag, modified } = options.validators ?? {};
  const request = (address.protocol === "https:" ? requestHttps : requestHttp)(address, {
    agent: false,
    signal,
    ...(guarded ? { lookup: lookupPublic } : {}),
    headers: {
      accept: acceptHeader,
      "accept-encoding": "gzip, deflate, br",
      "user-agent": options.agent,
      ...(etag === undefined ? {} : { "if-none-match": etag }),
      ...(modified === undefined ? {} : { "if-modified-since": modified }),
    },
  });
  request.end();
  return responseTo(request);
}

async function readResponse(response: IncomingMessage, address: URL, options: FetchOptions): Promise<Fetched> {
  const status = response.statusCode ?? 0;
  const { etag, "last-modified": modified, "content-type": contentType = "" } = response.headers;
  if (status !== 200) {
    response.destroy();
    if (status === 304 && options.validators !== undefined) return { kind: "same" };
    const waitMs = retryAfterMs(response.headers["retry-after"], Date.now());
    return {
      ...failed(`it responded with ${status}`),
      gone: status === 410,
      ...(waitMs === undefined ? {} : { waitSeconds: Math.ceil(waitMs / 1000) }),
    };
  }
  const mostBytes = options.maxBytes ?? 20 * 1024 * 1024;
  const bytes = await readBody(response, mostBytes);
  if (!Buffer.isBuffer(bytes)) return bytes;
  const decoded = decodeXml(bytes, contentType);
  if ("unknownCharset" in decoded) return failed(`its charset ${decoded.unknownCharset} is unknown`);
  const validators = { ...(etag === undefined ? {} : { etag }), ...(modified === undefined ? {} : { modified }) };
  return { kind: "fetched", text: decoded.text, address: address.href, validators };
}

async function readBody(response: IncomingMessage, mostBytes: number): Promise<Buffer | Failure> {
  const stream = decompressed(response);
  if (stream === undefined) {
    response.destroy();
    return failed(`its encoding ${response.headers["content-encoding"]} is unknown`);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > mostBytes) return failed(`it is larger than ${Math.floor(mostBytes / 1024 / 1024)} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decompressed(response: IncomingMessage): Readable | undefined {
  const makers = { gzip: createGunzip, "x-gzip": createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return response;
  if (!Object.hasOwn(makers, encoding)) return undefined;
  const unpacker = makers[encoding as keyof typeof makers]();
  // Errors of the connection must reach the reader.
  response.once("error", (error) => unpacker.destroy(error));
  unpacker.once("close", () => response.destroy());
  return response.pipe(unpacker);
}
