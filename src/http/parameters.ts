// What is said of the parameters of a request: those that were not understood, and those that mean nothing.
import type { FastifyReply } from "fastify";
import { type Mistake, problem } from "../core/problem.ts";
import { ignoredNames, ProblemError } from "./list.ts";

/** Throws when there is a mistake; all of them are told. */
export function refuse(mistakes: readonly Mistake[]): void {
  if (mistakes.length === 0) return;
  const count = mistakes.length === 1 ? "1 parameter was" : `${mistakes.length} parameters were`;
  throw new ProblemError(problem("request.parameters", `${count} not understood.`, { errors: mistakes }));
}

export function nameIgnored(reply: FastifyReply, names: readonly string[]): void {
  const ignored = names.filter((name) => name !== "" && name !== "token");
  if (ignored.length > 0) reply.header("x-ignored-parameters", ignoredNames(ignored));
}
