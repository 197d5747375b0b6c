// Cross-origin requests: which pages of which sites may call the API from a browser.
import type { FastifyInstance } from "fastify";

const exposed =
  "Age, ETag, Link, X-Request-Id, X-Ignored-Parameters, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";
const allowedHeaders = "Authorization, Accept, Content-Type, If-None-Match, X-Request-Id";

export type Origins = {
  /** What every answer to a page of this origin says: names and values in turn. */
  readonly headersFor: (origin: string | undefined) => readonly string[];
  /** Whether answers differ by origin, so that caches must know: sites are named. */
  readonly vary: boolean;
};

/** `*` lets every site in, without credentials; listed origins may send credentials; an empty list lets none in. */
export function allowedOrigins(origins: readonly string[]): Origins {
  const shared = ["access-control-expose-headers", exposed];
  if (origins.length === 0) return { headersFor: () => [], vary: false };
  if (origins.includes("*")) {
    const headers = ["access-control-allow-origin", "*", ...shared];
    return { headersFor: () => headers, vary: false };
  }
  return {
    headersFor: (origin) =>
      origin !== undefined && origins.includes(origin)
        ? ["access-control-allow-credentials", "true", "access-control-allow-origin", origin, ...shared]
        : [],
    vary: true,
  };
}

/** Before anything can be refused: a page of another site may read a refusal too. */
export function answerOrigins(app: FastifyInstance, { headersFor, vary }: Origins): void {
  app.addHook("onRequest", async (request, reply) => {
    const { origin } = request.headers;
    if (vary) reply.header("vary", "Origin");
    const headers = headersFor(origin);
    if (headers.length === 0) return;
    for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
    if (request.method !== "OPTIONS" || origin === undefined) return;
    if (request.headers["access-control-request-method"] === undefined) return;
    // Pages may write only where their site was named: a key that leaked to any page must not do harm from there.
    reply.header("access-control-allow-methods", vary ? "GET, HEAD, POST, PATCH, DELETE" : "GET, HEAD");
    reply.header("access-control-allow-headers", vary ? `${allowedHeaders}, Content-Encoding` : allowedHeaders);
    return reply.header("access-control-max-age", "86400").code(204).send();
  });
}
