// Maps an error to the problem that the client receives.
import type { IncomingMessage } from "node:http";
import { type Problem, problem } from "../core/problem.ts";
import { redactKeys } from "../keys/redact.ts";
import { ExpensiveError, StoreError } from "../store/store.ts";
import { type Log, loggedUrl } from "./observe/log.ts";
import { ProblemError } from "./response/problem-error.ts";

export const unavailable = (detail: string): Problem =>
  problem("server.unavailable", detail, { headers: { "retry-after": "5" } });

/** Expected failures carry their problem; anything else is a database failure or a bug. */
export function toProblem(
  error: Error & { statusCode?: number },
  id: string,
  { url = "", method }: IncomingMessage,
  log: Log,
): Problem {
  if (error instanceof ProblemError) return error.problem;
  const entry = { request_id: id, url: loggedUrl(url), error: redactKeys(error.stack ?? String(error)) };
  if (error instanceof ExpensiveError && (method === "GET" || method === "HEAD")) {
    log.warn(entry, "read canceled at its time limit");
    return problem("server.expensive");
  }
  if (error instanceof StoreError) {
    log.error(entry, "database failure");
    return unavailable("The database is not available.");
  }
  if (error.statusCode !== undefined && error.statusCode < 500) return problem("request.malformed", error.message);
  log.error(entry, "internal error");
  return problem("server.fault");
}
