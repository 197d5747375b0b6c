// Writes a problem on Node's own response: rejecting a request must cost less than serving it.
import type { Problem } from "../../core/problem.ts";
import type { Exchange } from "../exchange.ts";
import { corsHeaders, type Origins } from "../headers/cors.ts";
import { securityHeaders } from "../headers/security-headers.ts";
import type { RateLimits } from "../request/rate-limit.ts";
import { problemResponse } from "./problem.ts";

export type WriteProblem = (exchange: Exchange, problem: Problem) => void;

export function problemWriter(origins: Origins, rateLimits: RateLimits): WriteProblem {
  return (exchange, problem) => {
    const { request, response, id } = exchange;
    // Too late for a status: a truncated response is at least not mistaken for a complete one.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status, headers, body } = problemResponse(problem, id, request.headers.accept);
    exchange.bytes = Buffer.byteLength(body);
    response.writeHead(status, [
      ...Object.entries(headers).flat(),
      "content-length",
      `${exchange.bytes}`,
      ...securityHeaders,
      ...corsHeaders(request.headers, origins),
      ...rateLimits.headersOf(request),
    ]);
    response.end(exchange.isHead ? undefined : body);
  };
}
