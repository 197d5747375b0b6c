// Static assets: served with an ETag, compressed at most once per encoding.
import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Encoding, matchesTag, negotiateEncoding } from "../request/negotiate.ts";
import { compress, minCompressedBytes } from "./compress.ts";

export type Asset = {
  readonly headers: Readonly<Record<string, string>>;
  readonly tag: string;
  readonly body: Buffer;
  readonly encoded: Map<Encoding, Promise<Buffer>>;
};

export function asset(type: string, content: string | Buffer, headers: Readonly<Record<string, string>> = {}): Asset {
  const body = Buffer.from(content);
  return {
    headers: { "content-type": type, "cache-control": "no-cache", "x-content-type-options": "nosniff", ...headers },
    tag: `W/"${hash("sha1", body, "base64url").slice(0, 16)}"`,
    body,
    encoded: new Map(),
  };
}

export async function sendAsset(each: Asset, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const vary = reply.raw.getHeader("vary");
  reply.headers({ ...each.headers, etag: each.tag });
  reply.header("vary", vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`);
  if (matchesTag(request.headers["if-none-match"], each.tag)) return reply.code(304).send();
  const accepted = request.headers["accept-encoding"]?.toString();
  const encoding = each.body.length < minCompressedBytes ? undefined : negotiateEncoding(accepted);
  if (encoding === undefined) return reply.send(each.body);
  let encoded = each.encoded.get(encoding);
  if (encoded === undefined) {
    encoded = compress(each.body, encoding);
    each.encoded.set(encoding, encoded);
  }
  return reply.header("content-encoding", encoding).send(await encoded);
}
