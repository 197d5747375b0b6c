// Cross-origin requests: which pages of which sites may call the API from a browser.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

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

/** A browser asks before it sends a request that a plain form could not send. */
export function isPreflight({ method, headers }: IncomingMessage, { headersFor }: Origins): boolean {
  const { origin, "access-control-request-method": requested } = headers;
  return method === "OPTIONS" && origin !== undefined && requested !== undefined && headersFor(origin).length > 0;
}

export function preflightHeaders({ origin }: IncomingHttpHeaders, { headersFor, vary }: Origins): readonly string[] {
  return [
    ...(vary ? ["vary", "Origin"] : []),
    ...headersFor(origin),
    // Only pages of listed sites may write: a key that leaked to any other page does no harm from there.
    "access-control-allow-methods",
    vary ? "GET, HEAD, POST, PATCH, DELETE" : "GET, HEAD",
    "access-control-allow-headers",
    vary ? `${allowedHeaders}, Content-Encoding` : allowedHeaders,
    "access-control-max-age",
    "86400",
  ];
}
