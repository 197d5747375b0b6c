// Errors: a failed response with its problem document, or a request without a response.
import type { ProblemCode } from "./catalog.ts";

export type ParameterError = {
  readonly parameter: string;
  /** The value received. */
  readonly given: string;
  readonly expected: string;
};

/** RFC 9457, as the server sends it. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode | (string & {});
  readonly detail?: string;
  readonly errors?: readonly ParameterError[];
};

export class BellwireError extends Error {
  override readonly name = "BellwireError";
  /** 0 if there was no response. */
  readonly status: number;
  /** Absent if there was no response, or if it is from a proxy. */
  readonly problem: Problem | undefined;
  /** Seconds after which the server accepts the request. */
  readonly retryAfter: number | undefined;
  /** Finds the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(message: string, status = 0, headers?: Headers, problem?: Problem, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.problem = problem;
    this.retryAfter = secondsFrom(headers?.get("retry-after"));
    this.requestId = headers?.get("x-request-id") ?? undefined;
  }

  get code(): Problem["code"] | undefined {
    return this.problem?.code;
  }

  /** Every invalid parameter. */
  get errors(): readonly ParameterError[] {
    return this.problem?.errors ?? [];
  }
}

/** `Retry-After` is a number of seconds or a date. */
function secondsFrom(header: string | null | undefined): number | undefined {
  const seconds = header ? Number(header) : Number.NaN;
  if (seconds >= 0) return seconds;
  const at = Date.parse(header ?? "");
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

export async function errorFrom(target: string, response: Response): Promise<BellwireError> {
  const { status, headers } = response;
  const isProblem = headers.get("content-type")?.includes("json");
  const problem = isProblem ? ((await response.json().catch(() => undefined)) as Problem | undefined) : undefined;
  // A body that nobody reads would occupy its connection.
  if (!isProblem) await response.body?.cancel().catch(() => {});
  const details = problem?.errors?.map(
    (each) => `${each.parameter}: expected ${each.expected}, received ${each.given}`,
  );
  const reason = problem === undefined ? response.statusText : (problem.detail ?? problem.title);
  const message = [`${status} ${reason}`, ...(details ?? [])].join("\n  ");
  return new BellwireError(`GET ${target}: ${message}`, status, headers, problem);
}
