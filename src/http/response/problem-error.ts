// An error that carries a problem to the error handler.
import type { Problem } from "../../core/problem.ts";

export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}
