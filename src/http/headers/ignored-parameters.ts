// What is said of the parameters of a request: those that were not understood, and those that mean nothing.
import type { FastifyReply } from "fastify";
import { invalidParameters, type ParameterError } from "../../core/problem.ts";
import { ignoredNames } from "../request/parsed-request.ts";
import { ProblemError } from "../response/problem-error.ts";

/** Throws when there is a mistake; all of them are told. */
export function refuse(mistakes: readonly ParameterError[]): void {
  if (mistakes.length > 0) throw new ProblemError(invalidParameters("request.parameters", mistakes));
}

export function nameIgnored(reply: FastifyReply, names: readonly string[]): void {
  const ignored = names.filter((name) => name !== "" && name !== "token");
  if (ignored.length > 0) reply.header("x-ignored-parameters", ignoredNames(ignored));
}
