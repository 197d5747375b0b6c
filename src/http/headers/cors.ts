// CORS: which origins may call the API from a browser.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

const exposed =
  "Accept-Ranges, Age, Content-Range, ETag, Link, X-Request-Id, X-Ignored-Parameters, X-Adjusted-Parameters, X-Hint, X-Stream-Position, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";
const allowedHeaders =
  "Authorization, Accept, Content-Type, If-None-Match, If-Range, Last-Event-ID, Range, X-Request-Id";

export type Origins = {
  /** Headers of every response to this origin, as alternating names and values. */
  readonly headersFor: (origin: string | undefined) => readonly string[];
  /** Whether responses differ by origin, so that caches must know. */
  readonly vary: boolean;
};

/** `*` allows every origin, without credentials; listed origins may send credentials; an empty list allows none. */
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

export function isPreflight({ method, headers }: IncomingMessage, { headersFor }: Origins): boolean {
  const { origin, "access-control-request-method": requested } = headers;
  return method === "OPTIONS" && origin !== undefined && requested !== undefined && headersFor(origin).length > 0;
}

/** The CORS headers of a response that doesn't vary by anything else. */
export const corsHeaders = ({ origin }: IncomingHttpHeaders, { headersFor, vary }: Origins): readonly string[] =>
  vary ? ["vary", "Origin", ...headersFor(origin)] : headersFor(origin);

export function preflightHeaders(headers: IncomingHttpHeaders, origins: Origins): readonly string[] {
  const { vary } = origins;
  return [
    ...corsHeaders(headers, origins),
    // Only listed origins may write, so that a leaked key can't be used to write from any other page.
    "access-control-allow-methods",
    vary ? "GET, HEAD, POST, PATCH, DELETE" : "GET, HEAD",
    "access-control-allow-headers",
    vary ? `${allowedHeaders}, Content-Encoding` : allowedHeaders,
    "access-control-max-age",
    "86400",
  ];
}
