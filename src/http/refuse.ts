// A problem, answered straight on Node's own response: refusing must cost less than what is refused.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Problem } from "../core/problem.ts";
import type { Admission } from "./admission.ts";
import type { Count, Route } from "./answered.ts";
import type { Origins } from "./cors.ts";
import { problemAnswer } from "./problem-answer.ts";
import { requestId } from "./request-id.ts";
import { securityHeaders } from "./security-headers.ts";

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
