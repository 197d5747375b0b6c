// An error that carries a problem to the error handler.
import type { Problem } from "../../core/problem.ts";

export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** The result, or its problem as an error. */
export function unwrap<T extends object>(outcome: T | { readonly problem: Problem }): T {
  if ("problem" in outcome) throw new ProblemError((outcome as { problem: Problem }).problem);
  return outcome as T;
}
