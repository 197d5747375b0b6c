// Cross-origin requests: which pages of which sites may call the API from a browser.
import type { FastifyInstance } from "fastify";

const exposed = "ETag, X-Request-Id, X-Ignored-Parameters, Retry-After";
const allowedHeaders = "Authorization, Accept, Content-Type, If-None-Match, X-Request-Id";

/** `*` lets every site in, without credentials; listed origins may send credentials; an empty list lets none in. */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const any = origins.includes("*");
  app.addHook("onRequest", async (request, reply) => {
    const { origin } = request.headers;
    if (!any) {
      // The answer differs by origin, so caches must know; the list handler adds its own names to this one.
      reply.header("vary", "Origin");
      if (origin === undefined || !origins.includes(origin)) return;
      reply.header("access-control-allow-credentials", "true");
    }
    reply.header("access-control-allow-origin", any ? "*" : origin);
    reply.header("access-control-expose-headers", exposed);
    if (request.method !== "OPTIONS" || origin === undefined) return;
    if (request.headers["access-control-request-method"] === undefined) return;
    reply.header("access-control-allow-methods", "GET, HEAD").header("access-control-allow-headers", allowedHeaders);
    return reply.header("access-control-max-age", "86400").code(204).send();
  });
}
