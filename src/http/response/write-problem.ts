// A problem, answered straight on Node's own response: refusing must cost less than what is refused.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Problem } from "../../core/problem.ts";
import type { Origins } from "../headers/cors.ts";
import { securityHeaders } from "../headers/security-headers.ts";
import type { Count, Route } from "../observe/access-log.ts";
import type { Admission } from "../request/rate-limit.ts";
import { requestId } from "../request/request-id.ts";
import { problemAnswer } from "./problem.ts";

export type Refuse = (
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  about: { readonly route: Route; readonly began: number; readonly key: string; readonly id?: string },
) => void;

export function refuser(origins: Origins, admission: Admission, answered: Count, ticks: () => number): Refuse {
  const always = [...securityHeaders, ...(origins.vary ? ["vary", "Origin"] : [])];
  return (request, response, problem, { route, began, key, id: known }) => {
    const { accept, origin, "x-request-id": given } = request.headers;
    const id = known ?? requestId(given);
    const { status, headers, body } = problemAnswer(problem, id, accept);
    const bytes = Buffer.byteLength(body);
    const named = Object.entries(headers).flat();
    response.writeHead(status, [
      ...named,
      "content-length",
      `${bytes}`,
      ...always,
      ...origins.headersFor(origin),
      ...admission.fieldsOf(request),
    ]);
    response.end(body);
    const ms = ticks() - began;
    answered({ request, id, route, status, ms, bytes, records: 0, fromMemory: true, key });
  };
}
