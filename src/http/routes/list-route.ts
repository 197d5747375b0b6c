// A list through the framework: what answers it on Node's own request and response does not take.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Asked } from "../request/parsed-request.ts";
import { contentOf } from "../response/buffer-pool.ts";
import type { List } from "./list.ts";

/** A list through the framework: HEAD, odd spellings of the path, and everything that is refused. */
export const listRoute = (list: List) => async (request: FastifyRequest, reply: FastifyReply) => {
  const segments = request.params as Record<string, string>;
  const asked: Asked = { request: request.raw, segments, holder: undefined };
  try {
    const { headers, age, full, records, fromMemory } = await list(asked);
    Object.assign(request, { records, fromMemory });
    const all = [...headers, ...age, ...(full?.headers ?? [])];
    for (let at = 0; at < all.length; at += 2) reply.header(all[at] as string, all[at + 1]);
    // What is lent or shared is not let go of: the framework does not tell when it is out, and such requests are few.
    return reply.code(full === undefined ? 304 : 200).send(full && contentOf(full.body));
  } finally {
    request.holder = asked.holder?.name ?? "";
  }
};

/** The framework's own HEAD gives a 304 the length 0, which a cache would take for that of the answer. */
export async function withoutBodyForHead(
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<unknown> {
  if (request.method !== "HEAD" || body === undefined) return body;
  reply.header("content-length", Buffer.byteLength(body as string | Buffer));
  return null;
}
