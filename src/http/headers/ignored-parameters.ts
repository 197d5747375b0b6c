// Reports invalid parameters as a problem, and ignored ones in a header.
import type { FastifyReply } from "fastify";
import { invalidParameters, type ParameterError } from "../../core/problem.ts";
import { ignoredNames } from "../request/parsed-request.ts";
import { ProblemError } from "../response/problem-error.ts";

export function throwIfInvalid(errors: readonly ParameterError[]): void {
  if (errors.length > 0) throw new ProblemError(invalidParameters("request.parameters", errors));
}

export function setIgnoredHeader(reply: FastifyReply, names: readonly string[]): void {
  const ignored = names.filter((name) => name !== "" && name !== "token");
  if (ignored.length > 0) reply.header("x-ignored-parameters", ignoredNames(ignored));
}
