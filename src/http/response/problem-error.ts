// A problem as an error: thrown wherever it is met, and answered by the one handler that answers all alike.
import type { Problem } from "../../core/problem.ts";

export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}
