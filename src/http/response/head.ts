// HEAD for routes of the framework: the headers of GET, without the body.
import type { FastifyReply, FastifyRequest } from "fastify";

/** Fastify's HEAD sets length 0 on a 304, which a cache would take for the length of the resource. */
export async function withoutBodyForHead(
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<unknown> {
  if (request.method !== "HEAD" || body === undefined) return body;
  reply.header("content-length", Buffer.byteLength(body as string | Buffer));
  return null;
}
