// A request for a list on behalf of another request: same client, key, and limits; it counts as part of that request.
import type { IncomingMessage } from "node:http";
import { problem } from "../../core/problem.ts";
import type { ApiResponse } from "../../mcp/api.ts";
import { toProblem } from "../error-handler.ts";
import type { Exchange } from "../exchange.ts";
import type { ListMatch } from "../list-router.ts";
import type { Log } from "../observe/log.ts";
import type { RateLimits } from "../request/rate-limit.ts";
import { contentOf, discard } from "../response/buffer-pool.ts";
import { problemResponse } from "../response/problem.ts";
import { ProblemError } from "../response/problem-error.ts";

export type ListCallDeps = {
  readonly match: (url: string) => ListMatch | undefined;
  readonly rateLimits: RateLimits;
  readonly log: Log;
};

/** Never rejects: failures are problem documents, as for any client. */
export function listCaller({ match, rateLimits, log }: ListCallDeps, outer: Exchange) {
  return async (url: string): Promise<ApiResponse> => {
    const { authorization, origin } = outer.request.headers;
    const forwarded = outer.request.headers["x-forwarded-for"];
    const headers = { authorization, origin, "x-forwarded-for": forwarded, accept: "application/json" };
    const overrides = { url: { value: url }, method: { value: "GET" }, headers: { value: headers } };
    const request = Object.create(outer.request, overrides) as IncomingMessage;
    rateLimits.countWith(request, outer.request);
    try {
      const found = match(url);
      if (found === undefined) throw new ProblemError(problem("request.path"));
      const exchange = Object.create(outer, {
        request: { value: request },
        pathParameters: { value: found.pathParameters },
        key: { value: outer.key, writable: true },
      }) as Exchange;
      const { full, records } = await found.list(exchange);
      if (full === undefined) throw new Error("a list without a condition has no body of known length");
      outer.route = found.route;
      outer.records += records;
      const body = contentOf(full.body).toString();
      discard(full.body);
      const link = full.headers[full.headers.indexOf("link") + 1];
      return { status: 200, body, link: full.headers.includes("link") ? link : undefined };
    } catch (error) {
      const { status, body } = problemResponse(toProblem(error as Error, outer.id, request, log), outer.id, undefined);
      return { status, body };
    }
  };
}
