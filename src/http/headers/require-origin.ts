// Rejects pages of other origins where browsers leave that to the server.
import { problem } from "../../core/problem.ts";
import { redactKeys } from "../../keys/redact.ts";
import { ProblemError } from "../response/problem-error.ts";
import type { Origins } from "./cors.ts";

/** `use`: what pages of other origins may not do, for the message. */
export function requireOrigin(origin: string | undefined, origins: Origins, use: string): void {
  if (origin === undefined || origins.headersFor(origin).length > 0) return;
  const received = JSON.stringify(redactKeys(origin.slice(0, 200)));
  throw new ProblemError(problem("request.origin", `Pages of ${received} may not ${use} here.`));
}
